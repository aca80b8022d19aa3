/** HTTP client of simulated students: retries until it gets an answer, and cuts some connections on purpose. */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

export interface Asked {
  /** Label under which the call is counted. */
  call: string;
  method?: 'GET' | 'POST';
  /** Path relative to the school's address. */
  path: string;
  token: string;
  body?: object | Buffer;
  headers?: Record<string, string>;
}

export interface Answered {
  status: number;
  /** Answer of the call; undefined for a 304. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the call answers.
  data: any;
  msg: string;
  etag: string;
}

/** Totals of all clients. */
export interface Tally {
  /** Milliseconds from sending to the last byte, for every answered request, by label. */
  times: Map<string, number[]>;
  /** Number of answers by status. */
  statuses: Map<number, number>;
  /** Number of connections cut on purpose after the request was sent. */
  cut: number;
  /** Number of connections lost otherwise: no answer, or an incomplete one. */
  broken: number;
  /** Number of retries. */
  again: number;
  /** Unexpected answers, and abandoned calls. */
  faults: string[];
}

export const newTally = (): Tally => ({
  times: new Map(),
  statuses: new Map(),
  cut: 0,
  broken: 0,
  again: 0,
  faults: [],
});

interface LineOptions {
  /** Read for each call, because a restarted server may have another address. */
  base: () => string;
  /** Share of the changing calls whose connection is cut before the answer, 0 to 1. */
  lost: number;
  /** Milliseconds after which a call is abandoned. */
  patience?: number;
  random?: () => number;
  /** TLS certificate of a school behind HTTPS. */
  ca?: string;
  /** Called for each request not cut on purpose: start and end in milliseconds; no status without an answer. */
  watch?: (sent: Sent) => void;
}

export interface Sent {
  call: string;
  began: number;
  ended: number;
  status: number | undefined;
  msg: string;
}

/** Milliseconds. */
const rest = { first: 50, most: 1_000 };
const cutWithin = 30;
/** Milliseconds without a byte after which a connection counts as dead. Longer than a server waits for its database. */
const silence = 15_000;

export class Line {
  readonly tally = newTally();
  private readonly options: LineOptions & Required<Pick<LineOptions, 'patience' | 'random'>>;
  private readonly agent: http.Agent;

  constructor(options: LineOptions) {
    this.options = { patience: 60_000, random: Math.random, ...options };
    const kept = { keepAlive: true, maxFreeSockets: 512 };
    this.agent = options.ca ? new https.Agent({ ...kept, ca: options.ca }) : new http.Agent(kept);
  }

  /**
   * Repeats a call with the same content and idempotency key until the answer is not “unavailable” or “busy”. Undefined
   * if that takes too long.
   */
  async ask(asked: Asked): Promise<Answered | undefined> {
    const { lost, patience, random } = this.options;
    const key = randomUUID();
    const end = performance.now() + patience;
    let isCut = asked.method === 'POST' && random() < lost;
    for (let wait = rest.first; performance.now() < end; wait = Math.min(rest.most, wait * 2)) {
      const began = performance.now();
      const answer = await this.send(asked, key, isCut ? random() * cutWithin : undefined);
      const { status, msg = '' } = answer ?? {};
      if (!isCut) this.options.watch?.({ call: asked.call, began, ended: performance.now(), status, msg });
      if (answer && answer.status !== 503 && answer.status !== 429) {
        this.note(asked.call, performance.now() - began, answer.status);
        return answer;
      }
      if (answer) this.note(asked.call, performance.now() - began, answer.status);
      else if (isCut) this.tally.cut += 1;
      else this.tally.broken += 1;
      isCut = false;
      this.tally.again += 1;
      await pause(wait * (0.5 + random()));
    }
    this.tally.faults.push(`${asked.call}: given up`);
    return undefined;
  }

  close(): void {
    this.agent.destroy();
  }

  private note(call: string, took: number, status: number): void {
    const times = this.tally.times.get(call) ?? [];
    times.push(took);
    this.tally.times.set(call, times);
    this.tally.statuses.set(status, (this.tally.statuses.get(status) ?? 0) + 1);
  }

  /**
   * Undefined if the answer is missing or incomplete. `cutAfter`: milliseconds after the request was sent until the
   * connection is cut.
   */
  private send(
    { method = 'GET', path, token, body, headers = {} }: Asked,
    key: string,
    cutAfter: number | undefined,
  ): Promise<Answered | undefined> {
    const sent = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    return new Promise((resolve) => {
      const request = (this.options.ca ? https : http).request(this.options.base() + path, {
        method,
        agent: this.agent,
        timeout: silence,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(sent && { 'content-type': 'application/json', 'content-length': sent.length, 'idempotency-key': key }),
          ...headers,
        },
      });
      const broken = () => resolve(undefined);
      request.on('timeout', () => request.destroy());
      request.on('error', broken);
      if (cutAfter !== undefined) {
        request.on('finish', () => {
          setTimeout(() => {
            request.destroy();
            broken();
          }, cutAfter);
        });
      }
      request.on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', broken);
        response.on('close', broken);
        response.on('end', () => {
          // A cut client has not seen the answer.
          if (cutAfter !== undefined) return;
          const { data, msg = '' } = readEnvelope(Buffer.concat(parts));
          resolve({ status: response.statusCode ?? 0, data, msg, etag: String(response.headers.etag ?? '') });
        });
      });
      request.end(sent);
    });
  }
}

/** A proxy in front of the school may answer with anything. */
function readEnvelope(bytes: Buffer): { data?: unknown; msg?: string } {
  try {
    return bytes.length > 0 ? JSON.parse(bytes.toString()) : {};
  } catch {
    return { msg: bytes.toString().slice(0, 200) };
  }
}

/** HTTP client of simulated students: retries until it gets an answer, and cuts some connections on purpose. */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

export interface Asked {
  /** Under which name it is counted. */
  call: string;
  method?: 'GET' | 'POST';
  /** Behind the address of the school. */
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
  /** Milliseconds from sending to the last byte, of whatever was answered. */
  times: Map<string, number[]>;
  /** How often each status was answered. */
  statuses: Map<number, number>;
  /** Lines that were cut on purpose, behind a call that was sent whole. */
  cut: number;
  /** Lines that were lost otherwise: nobody answered, or not to the end. */
  broken: number;
  /** Calls that were sent once more, for whatever reason. */
  again: number;
  /** Answers that nobody should get, and calls that were given up. */
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
  /** Asked for each call: a server that was ended may come back elsewhere. */
  base: () => string;
  /** Share of the calls that change something whose line is cut before the answer. */
  lost: number;
  /** Milliseconds after which a call is given up. */
  patience?: number;
  random?: () => number;
  /** The certificate that a school behind https shows. */
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
/** Milliseconds without a byte after which a line is dead: longer than a server waits for its database. */
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
   * Sends a call until it is answered with something else than that the school is away or busy; undefined where that took
   * too long. Each time it is the same: its content, and the key that it goes by.
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

  /** Undefined where no whole answer came. `cutAfter`: milliseconds after which the line is cut, once all was sent. */
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

/** An answer of something before the school, such as a proxy, may be anything. */
function readEnvelope(bytes: Buffer): { data?: unknown; msg?: string } {
  try {
    return bytes.length > 0 ? JSON.parse(bytes.toString()) : {};
  } catch {
    return { msg: bytes.toString().slice(0, 200) };
  }
}

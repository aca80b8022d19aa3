/**
 * The screens' way to the API: typed calls, sent as Requests, in process or, with API_BASE_URL, over HTTP to
 * another machine's or another school's API. The only file of app/ that knows server/ beyond its contracts.
 */
import { createContext, data, redirect } from 'react-router';
import * as v from 'valibot';
import { createApi } from '#server/api.ts';
import { accountsOfDemo } from '#server/demo/accounts.ts';
import { sharedHouse } from '#server/house.ts';
import { type Me, mePath } from '#server/platform/auth/contract.ts';
import {
  type AnswerOf,
  type AnyCall,
  addressFor,
  type RequestOf,
  type Role,
  type Schema,
} from '#server/platform/calls/call.ts';
import { clientAddressHeader } from '#server/platform/calls/client-address.ts';
import { type Envelope, refusalEnvelope } from '#server/platform/calls/envelope.ts';
import { contentHeader, keyIsTaken } from '#server/platform/calls/idempotency.ts';
import { prepareRequests } from '#server/platform/calls/incoming.ts';
import type { LocalApi } from '#server/platform/calls/local.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import { isDatabaseAway } from '#server/platform/db/engine.ts';
import { inTime } from '#server/platform/db/patience.ts';
import { signIn } from './account/screens.ts';
import { home } from './shell/screens.ts';

prepareRequests();

export { sessionSecret } from '#server/platform/auth/session-secret.ts';
export { patiently } from '#server/platform/db/patience.ts';

/** What a call came to. A refusal carries the sentence to show and the messages by field. */
export type Outcome<Answer> =
  | { ok: true; data: Answer; msg: string; extra?: unknown }
  | { ok: false; status: number; msg: string; errors?: Record<string, string[]>; err?: string[]; data?: unknown };

type RequestArguments<C> =
  Record<string, never> extends RequestOf<C> ? [request?: RequestOf<C>] : [request: RequestOf<C>];

export interface ApiClient {
  readonly identity: Role;
  /** The signed-in person and the school's settings. */
  me(): Promise<Outcome<Me>>;
  /** Sends a call; a refusal becomes the error page. For loaders. */
  send<C extends AnyCall>(call: C, ...request: RequestArguments<C>): Promise<AnswerOf<C>>;
  /** Sends a call and gives its outcome back, so that a form can be shown again with what was typed. For actions. */
  ask<C extends AnyCall>(call: C, ...request: RequestArguments<C>): Promise<Outcome<AnswerOf<C>>>;
  /** Sends a form with files: one that was made here, or a browser's, which is handed on unread while it arrives. */
  upload<C extends AnyCall>(call: C, form: FormData | Request, idempotencyKey?: string): Promise<Outcome<AnswerOf<C>>>;
  /** The bytes of a file, by range and condition as the browser asks for them. For resource routes. */
  file<C extends AnyCall>(call: C, request: FileRequest): Promise<Response>;
}

interface FileRequest {
  params: Record<string, string | number>;
  query?: Record<string, string | undefined>;
  /** The browser's own. */
  from: Request;
}

/** The signed-in person's client; set by the signed-in layout's middleware. */
export const api = createContext<ApiClient>();

const awayMessage = callMessages.away;
const remote = process.env.API_BASE_URL?.replace(/\/$/, '');
/** Milliseconds that another machine's API may take; with files as long as a slow line needs for them. */
const timeout = Number(process.env.API_TIMEOUT ?? 10_000);
const uploadTimeout = Math.max(timeout, 600_000);

interface Served {
  api: ReturnType<typeof createApi>;
  house: Awaited<ReturnType<typeof sharedHouse>>;
}
let served: Served | undefined;
/** Rejects while the house does not open: the database may be away, or be migrated for minutes. */
async function here(): Promise<Served> {
  if (!served) {
    const house = await inTime(sharedHouse, { isAnswer: false });
    served ??= { house, api: createApi(house) };
  }
  return served;
}
// The database is opened, migrated and filled while the first visitor is still typing the address.
if (!remote) await sharedHouse().catch((error) => console.error(error));

/** The API of this process for one page, or why it cannot be reached. */
async function localApi(authorization: string, requestId: string): Promise<LocalApi | undefined> {
  if (remote) return undefined;
  return (await here()).api.local({ authorization, requestId });
}

/** Hands a Request to the API, wherever it runs. Rejects when it cannot be reached in time. */
export async function apiFetch(request: Request): Promise<Response> {
  if (!remote) return (await here()).api.fetch(request);
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.delete('host');
  headers.set('x-forwarded-for', headers.get(clientAddressHeader) ?? '');
  const response = await fetch(`${remote}${pathname}${search}`, {
    method: request.method,
    headers,
    body: request.body && untouched(request.body),
    // Needed by Node for a streamed body.
    ...(request.body ? { duplex: 'half' } : {}),
    redirect: 'manual',
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(isUpload(headers) ? uploadTimeout : timeout)]),
  } as RequestInit);
  // The body arrives decoded, and the middleware adds headers of its own, which a fetched answer does not allow.
  const answered = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection']) answered.delete(name);
  return new Response(response.body, { status: response.status, headers: answered });
}

const isUpload = (headers: Headers) => (headers.get('content-type') ?? '').startsWith('multipart/');

/**
 * A body to be handed on. Whoever answers before it has come to its end gives it up; the browser's own must not be cut
 * off then, for the answer goes that way.
 */
function untouched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** Sends one request to a path of the API and reads the envelope; never rejects. */
export async function askPath<Answer>(
  path: string,
  { method = 'GET', body, headers = {} }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Outcome<Answer>> {
  return readEnvelope(
    new Request(`http://api${path}`, {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    }),
  );
}

async function readEnvelope<Answer>(request: Request): Promise<Outcome<Answer>> {
  let response: Response;
  let envelope: { code?: unknown; msg?: unknown; data?: unknown; extra?: unknown; errors?: unknown; err?: unknown };
  try {
    response = await apiFetch(request);
    envelope = (await response.json()) as typeof envelope;
  } catch {
    // Unreachable, too slow, cut off, or not JSON: to the person it is all the same.
    return { ok: false, status: 503, msg: awayMessage };
  }
  if (envelope === null || typeof envelope !== 'object' || typeof envelope.code !== 'number') {
    return { ok: false, status: 503, msg: awayMessage };
  }
  const msg = typeof envelope.msg === 'string' && envelope.msg !== '' ? envelope.msg : awayMessage;
  if (response.ok && envelope.code === 200)
    return { ok: true, data: envelope.data as Answer, msg, extra: envelope.extra };
  const errors = v.safeParse(v.record(v.string(), v.array(v.string())), envelope.errors);
  const err = v.safeParse(v.array(v.string()), envelope.err);
  const status = response.ok ? 503 : response.status;
  return {
    ok: false,
    status,
    msg,
    data: envelope.data,
    ...(errors.success ? { errors: errors.output } : {}),
    ...(err.success ? { err: err.output } : {}),
  };
}

/** The key for the form that comes back: a new one where this one has been used for something else. */
export function keyAfter(outcome: Extract<Outcome<unknown>, { ok: false }>, key: string | undefined) {
  const told = outcome.data as Partial<typeof keyIsTaken> | null | undefined;
  return told?.idempotency_key === keyIsTaken.idempotency_key ? crypto.randomUUID() : key;
}

/** The same of an answer that did not travel. */
function outcomeOf<Answer>(answered: Envelope | Refusal): Outcome<Answer> {
  const envelope = isRefusal(answered) ? refusalEnvelope(answered) : answered;
  const { code, msg, data, extra, errors, err } = envelope;
  if (code === 200) return { ok: true, data: data as Answer, msg, extra };
  return { ok: false, status: code, msg, data, ...(errors ? { errors } : {}), ...(err ? { err } : {}) };
}

/** What a browser needs to know of a file. */
const fileHeaders = [
  'content-type',
  'content-length',
  'content-disposition',
  'content-range',
  'content-security-policy',
  'accept-ranges',
  'etag',
  'cache-control',
  'cross-origin-resource-policy',
];

interface Sent {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string;
  idempotencyContent?: string;
}

/** As an address carries it: what is undefined or empty is not there. */
function textOf(values: Record<string, unknown>): Record<string, string> {
  const text: Record<string, string> = {};
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== '') text[name] = String(value);
  return text;
}

export interface Caller {
  token: string;
  identity: Role;
  /** The browser's own request, for its address, its id, and where to come back to. */
  request: Request;
  url: URL;
  requestId: string;
}

export function apiClient({ token, identity, request, url, requestId }: Caller): ApiClient {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    'x-request-id': requestId,
    [clientAddressHeader]: request.headers.get(clientAddressHeader) ?? '',
  };
  // Until a call changes something, the person is looked up once for the page.
  let known: Promise<LocalApi | undefined> | undefined;
  const nearby = () => {
    known ??= localApi(headers.authorization as string, requestId);
    return known;
  };
  /** A call that only reads needs no request where the API is in this process. */
  const readLocally = async (call: AnyCall, { params = {}, query = {}, body }: Sent) => {
    const asked = { params: textOf(params), query: textOf(query), body: body as object | undefined };
    try {
      const answered = await (await nearby())?.read(call, identity, asked);
      return answered && outcomeOf<AnswerOf<typeof call>>(answered);
    } catch {
      // The house did not open; a call itself never rejects.
      known = undefined;
      return { ok: false, status: 503, msg: awayMessage } as const;
    }
  };
  const overHttp = (call: AnyCall, { params, query, body, idempotencyKey, idempotencyContent }: Sent) =>
    askPath<AnswerOf<typeof call>>(pathOf(call, identity, params, query), {
      method: call.alsoPost ? 'POST' : call.method,
      body: body ?? (call.method === 'POST' ? {} : undefined),
      headers: {
        ...headers,
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        ...(idempotencyContent ? { [contentHeader]: idempotencyContent } : {}),
      },
    });
  const ask: ApiClient['ask'] = async (call, ...[asked]) => {
    const request = (asked ?? {}) as Sent;
    addressOf(call, identity);
    if (call.changes) known = undefined;
    return checked(call, (await readLocally(call, request)) ?? (await overHttp(call, request)));
  };
  const checked = <C extends AnyCall>(call: C, outcome: Outcome<AnswerOf<C>>): Outcome<AnswerOf<C>> => {
    // Another school's API may answer differently from what its contract says; the screens rely on the contract.
    if (remote && outcome.ok && !v.is(call.answer as Schema, outcome.data)) {
      return { ok: false, status: 503, msg: awayMessage };
    }
    if (!outcome.ok && outcome.status === 401) throw signedOut(request, url);
    return outcome;
  };
  return {
    identity,
    ask,
    async me() {
      try {
        const answered = await (await nearby())?.me();
        return answered ? outcomeOf(answered) : askPath(mePath, { headers });
      } catch {
        known = undefined;
        return { ok: false, status: 503, msg: awayMessage };
      }
    },
    async upload(call, form, idempotencyKey) {
      const sent = new Headers(headers);
      if (idempotencyKey) sent.set('idempotency-key', idempotencyKey);
      if (form instanceof Request) sent.set('content-type', form.headers.get('content-type') ?? '');
      const body = form instanceof Request ? form.body : form;
      const init = { method: 'POST', headers: sent, body, duplex: 'half' };
      return checked(call, await readEnvelope(new Request(`http://api${pathOf(call, identity)}`, init as RequestInit)));
    },
    async file(call, { params, query, from }) {
      const sent = new Headers(headers);
      // What a proxy on the way compresses would no longer have the length that it says.
      sent.set('accept-encoding', 'identity');
      for (const name of ['range', 'if-range', 'if-none-match']) {
        const value = from.headers.get(name);
        if (value !== null) sent.set(name, value);
      }
      const address = `http://api${pathOf(call, identity, params, query)}`;
      const response = await apiFetch(new Request(address, { headers: sent })).catch(() => undefined);
      if (!response) throw data({ msg: awayMessage }, { status: 503 });
      if (response.status === 401) throw signedOut(from, url);
      if (response.status >= 400 && response.status !== 416) {
        const refusal = (await response.json().catch(() => undefined)) as { msg?: string } | undefined;
        throw data({ msg: refusal?.msg ?? awayMessage }, { status: response.status });
      }
      const kept = new Headers();
      for (const name of fileHeaders) {
        const value = response.headers.get(name);
        if (value !== null) kept.set(name, value);
      }
      return new Response(response.body, { status: response.status, headers: kept });
    },
    async send(call, ...request) {
      const outcome = await ask(call, ...request);
      if (!outcome.ok) throw data({ msg: outcome.msg }, { status: outcome.status });
      return outcome.data;
    },
  };
}

export const expiredMessage = callMessages.expired;

/** To the sign-in page and back; a form that was posted is kept by the error page instead (see shell/error-page). */
export function signedOut(request: Request, url: URL) {
  if (request.method !== 'GET') return data({ msg: expiredMessage }, { status: 401 });
  const here = url.pathname + url.search;
  return redirect(signIn.href({ redirectTo: here === home.href() ? undefined : here }));
}

/** As declared; a call that the identity does not have is the error page. */
function addressOf(call: AnyCall, identity: Role): string {
  const declared = addressFor(call, identity);
  if (declared === undefined) throw data({ msg: callMessages.notOffered }, { status: 403 });
  return declared;
}

function pathOf(
  call: AnyCall,
  identity: Role,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const path = addressOf(call, identity)
    .replace(/:(\w+)\??/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))
    .replace(/\/+$/, '');
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(textOf(query))) search.set(name, value);
  return `${path}${search.size > 0 ? `?${search}` : ''}`;
}

/**
 * The demo school's accounts for the sign-in page, where this process serves a demo school; or that nobody can sign in
 * now.
 */
export async function demoAccounts(): Promise<Outcome<{ username: string; password: string; note: string }[]>> {
  if (remote) return { ok: true, data: [], msg: '' };
  try {
    const { house } = await here();
    return { ok: true, data: await accountsOfDemo(house.database.db), msg: '' };
  } catch (error) {
    if (served && !isDatabaseAway(error)) throw error;
    return { ok: false, status: 503, msg: awayMessage };
  }
}

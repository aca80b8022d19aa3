/**
 * Typed API client of the screens. Calls that only read are answered in this process. Other calls are sent as Requests,
 * possibly to the API of another machine or school (API_BASE_URL).
 */
import { createContext } from 'react-router';
import * as v from 'valibot';
import { type Me, showMe } from '#server/account/sign-in.contract.ts';
import type { AnswerOf, AnyCall, RequestOf, Schema } from '#server/platform/calls/call.ts';
import { clientAddressHeader } from '#server/platform/calls/client-address.ts';
import { contentHeader } from '#server/platform/calls/idempotency.ts';
import type { LocalApi } from '#server/platform/calls/local.ts';
import { isHeadOrPrefetchRequest } from '#server/platform/calls/rules.ts';
import type { Identity } from '#server/school/call.ts';
import { addressOf, paramsOf, pathOf } from './address.server.ts';
import { fetchFile } from './file.server.ts';
import {
  answerOrErrorPage,
  methodNotAllowed,
  type Outcome,
  outcomeOf,
  outcomeOfResponse,
  unreachableOutcome,
} from './outcome.server.ts';
import { apiFetch, localApi, schoolTime } from './process.server.ts';
import { remoteUrl } from './remote.server.ts';
import { redirectToSignIn } from './signed-out.server.ts';

type RequestArguments<C> =
  Record<string, never> extends RequestOf<C> ? [request?: RequestOf<C>] : [request: RequestOf<C>];

export interface ApiClient {
  readonly identity: Identity;
  /** Unix seconds, by the clock of the API if the API is in this process. */
  now(): number;
  /** Empties the cache of this page. Event streams need this: their page lives for minutes. */
  forget(): void;
  /** The signed-in user and the school's settings. */
  me(): Promise<Outcome<Me>>;
  /** For loaders: sends a call; a refusal becomes the error page. */
  send<C extends AnyCall>(call: C, ...request: RequestArguments<C>): Promise<AnswerOf<C>>;
  /** For actions: sends a call and returns its outcome, so that the form can be shown again with its values. */
  ask<C extends AnyCall>(call: C, ...request: RequestArguments<C>): Promise<Outcome<AnswerOf<C>>>;
  /** Sends a form with files: a FormData, or the browser's request, whose body is forwarded without being parsed. */
  upload<C extends AnyCall>(call: C, form: FormData | Request, idempotencyKey?: string): Promise<Outcome<AnswerOf<C>>>;
  /** For resource routes: streams a file. Forwards the browser's range and conditional headers. */
  file<C extends AnyCall>(call: C, request: FileRequest): Promise<Response>;
}

interface FileRequest {
  params: Record<string, string | number>;
  query?: Record<string, string | undefined>;
  from: Request;
}

/** API client of the signed-in user. The middleware of the signed-in layout sets it. */
export const api = createContext<ApiClient>();

interface CallRequest {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  filter?: Record<string, unknown>;
  idempotencyKey?: string;
  idempotencyContent?: string;
}

/** Sends one request to a path of the API and parses the response. Never rejects. */
export async function askPath<Answer>(
  path: string,
  { method = 'GET', body, headers = {} }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Outcome<Answer>> {
  return outcomeOfResponse(
    apiFetch(
      new Request(`http://api${path}`, {
        method,
        headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
    ),
  );
}

/** Encodes text for a header if needed: a form's idempotency key is arbitrary input. */
const headerText = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text.slice(0, 200)).toString('base64url');

export interface Caller {
  token: string;
  identity: Identity;
  /** The browser's request: source of the client address, the request id and the address to return to. */
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
  // The API in this process, for one page. It caches the user and repeated reads, until a call changes something.
  let known: Promise<LocalApi | undefined> | undefined;
  const nearby = () => {
    known ??= localApi(headers.authorization as string, requestId);
    return known;
  };
  /** Fast path: a reading call needs no Request if the API is in this process. */
  const readLocally = async <C extends AnyCall>(call: C, { params = {}, query = {}, body, filter }: CallRequest) => {
    const sent = { params: paramsOf(call, identity, params), query, body, filter };
    try {
      const answered = await (await nearby())?.read(call, identity, sent);
      return answered && outcomeOf<AnswerOf<C>>(answered);
    } catch {
      // The API failed to start. Calls themselves never reject.
      known = undefined;
      return unreachableOutcome;
    }
  };
  const overHttp = <C extends AnyCall>(call: C, sent: CallRequest) => {
    const { params, filter, idempotencyKey, idempotencyContent } = sent;
    const { query, body } = call.query ? { query: filter, ...sent } : { body: filter, ...sent };
    return askPath<AnswerOf<C>>(pathOf(call, identity, params, query), {
      method: call.alsoPost ? 'POST' : call.method,
      body: body ?? (call.method === 'POST' ? {} : undefined),
      headers: {
        ...headers,
        ...(idempotencyKey ? { 'idempotency-key': headerText(idempotencyKey) } : {}),
        ...(idempotencyContent ? { [contentHeader]: headerText(idempotencyContent) } : {}),
      },
    });
  };
  const ask: ApiClient['ask'] = async (call, asked?: CallRequest) => {
    const sent = asked ?? {};
    // Throws before anything is sent if the identity does not have the call.
    addressOf(call, identity);
    if (call.changes) {
      if (isHeadOrPrefetchRequest(request)) throw methodNotAllowed();
      known = undefined;
    }
    return checked(call, (await readLocally(call, sent)) ?? (await overHttp(call, sent)));
  };
  const checked = <C extends AnyCall>(call: C, outcome: Outcome<AnswerOf<C>>): Outcome<AnswerOf<C>> => {
    // The API of another school may deviate from the contract on which the screens rely.
    if (remoteUrl && outcome.ok && !v.is(call.answer as Schema, outcome.data)) {
      return unreachableOutcome;
    }
    if (!outcome.ok && outcome.status === 401) throw redirectToSignIn(request, url);
    return outcome;
  };
  return {
    identity,
    now: schoolTime,
    forget() {
      known = undefined;
    },
    ask,
    // Skips `checked`: reading the current user must not sign anybody out, and settings that another school's API does
    // not know count as off.
    me: async () => (await readLocally(showMe, {})) ?? overHttp(showMe, {}),
    async upload(call, form, idempotencyKey) {
      known = undefined;
      const sent = new Headers(headers);
      if (idempotencyKey) sent.set('idempotency-key', headerText(idempotencyKey));
      if (form instanceof Request) sent.set('content-type', form.headers.get('content-type') ?? '');
      const body = form instanceof Request ? form.body : form;
      const init = { method: 'POST', headers: sent, body, duplex: 'half' };
      return checked(
        call,
        await outcomeOfResponse(apiFetch(new Request(`http://api${pathOf(call, identity)}`, init as RequestInit))),
      );
    },
    async file(call, { params, query, from }) {
      const response = await fetchFile(`http://api${pathOf(call, identity, params, query)}`, headers, from);
      if (response.status === 401) throw redirectToSignIn(from, url);
      return response;
    },
    async send(call, ...request) {
      return answerOrErrorPage(await ask(call, ...request)).data;
    },
  };
}

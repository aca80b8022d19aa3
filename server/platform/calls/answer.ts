/** Answers bound calls over HTTP: routing, admission, validation, idempotency, errors. */
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { routePath } from 'hono/route';
import * as v from 'valibot';
import type { Database } from '#server/platform/db/engine.ts';
import { withReplicaReads } from '#server/platform/db/replica.ts';
import type { Backend, ReceivedForm } from './backend.ts';
import { AnswerWithMessage, type BoundCall, type ReadRequest, TransactionWork } from './bind.ts';
import { type AnyCall, comparePaths, fullPathFor, isShared, methodsOf, pathFor, pathOfAnyRole } from './call.ts';
import {
  type Envelope,
  refusalResponse,
  responseOf,
  type SerializedAnswer,
  serializeEnvelope,
  serializeRefusal,
  success,
} from './envelope.ts';
import { contentHeader, withIdempotency } from './idempotency.ts';
import { isRefusal, Refusal } from './outcome.ts';
import { jsonLimit, payloadTooLarge, readJson, readRequest } from './read.ts';
import { callMessages } from './rules.ts';
import { methodRefusal } from './safe-request.ts';
import { inTransaction } from './transaction.ts';

/** Variables of a Hono request. */
export interface RequestVariables {
  Variables: { requestId: string };
}
export type ApiRouter = Hono<RequestVariables>;

const tooLarge = (): Response => refusalResponse(payloadTooLarge());

/**
 * Refuses bodies above the size limit. Decides by Content-Length if it is known, because Hono's middleware would turn
 * the body into a stream.
 */
function limitBody(most: number): MiddlewareHandler {
  const counted = bodyLimit({ maxSize: most, onError: tooLarge });
  return async (context, next) => {
    const { method, headers } = context.req.raw;
    if (method === 'GET' || method === 'HEAD') return next();
    const length = headers.get('content-length');
    if (length === null || headers.has('transfer-encoding')) return counted(context, next);
    return Number(length) > most ? tooLarge() : next();
  };
}

/** Maximum bytes of a body without files. */
export const bodyLimitOf = (call: AnyCall): number => call.bodyLimit ?? jsonLimit;

/**
 * Mounts the calls under the path prefix of each role, in any order. A call that a role does not have is mounted too,
 * after the role's own calls, so that it answers 403 and not 404.
 */
export function mountCalls<Given>(api: ApiRouter, backend: Backend<Given>, calls: readonly BoundCall<Given>[]): void {
  const mount = (bound: BoundCall<Given>, path: string, role: string | undefined) => {
    const { call } = bound;
    const respond = async (context: Context) => {
      const answer = await answerCall(incomingCallOf(context), backend, bound, role);
      return answer instanceof Response ? answer : responseOf(answer);
    };
    if (call.upload) api.on(methodsOf(call), path, respond);
    else api.on(methodsOf(call), path, limitBody(bodyLimitOf(call)), respond);
  };
  type Place = [bound: BoundCall<Given>, path: string, role: string | undefined];
  const mountAll = (places: Place[]) => {
    for (const place of places.sort(([, one], [, other]) => comparePaths(one, other))) mount(...place);
  };
  const shared = calls.filter(({ call }) => isShared(call));
  const ofRoles = calls.filter(({ call }) => !isShared(call));
  const roles = Object.keys(backend.prefixes);
  mountAll(shared.map((bound) => [bound, bound.call.path as string, undefined]));
  mountAll(
    ofRoles.flatMap((bound) =>
      roles.flatMap((role): Place[] => {
        const path = fullPathFor(backend.prefixes, bound.call, role);
        return path === undefined ? [] : [[bound, path, role]];
      }),
    ),
  );
  mountAll(
    ofRoles.flatMap((bound) =>
      roles
        .filter((role) => pathFor(bound.call, role) === undefined)
        .map((role): Place => [bound, `${backend.prefixes[role]}/${pathOfAnyRole(bound.call)}`, role]),
    ),
  );
}

/**
 * A request in one form for all ways in: through the router, the fast path (direct.ts), or from this process
 * (local.ts).
 */
export interface IncomingCall {
  method: string;
  path: string;
  /** Path and query parameters as text. */
  params: Record<string, string>;
  query: Record<string, string>;
  header(name: string): string | undefined;
  /** Reads the body as text. */
  text(): Promise<string>;
  /** The web Request; only needed for files. */
  request?: Request;
}

function incomingCallOf({ req }: Context): IncomingCall {
  return {
    method: req.method,
    path: req.path,
    params: req.param(),
    query: req.query(),
    header: (name) => req.header(name),
    // An aborted body throws a different error in each server adapter, so all become ClientGone.
    text: () => req.text().catch(() => Promise.reject(new ClientGone())),
    request: req.raw,
  };
}

/**
 * Thrown if the client disconnected before its request was complete. The request gets no answer and no
 * error in the log.
 */
export class ClientGone extends Error {}

/**
 * Answers one call. The result is a Response if it carries a file. `role`: whose prefix was used; undefined for calls
 * outside the prefixes.
 */
export async function answerCall<Given>(
  incoming: IncomingCall,
  backend: Backend<Given>,
  { call, answer, isPrepared, version }: BoundCall<Given>,
  role: string | undefined,
): Promise<SerializedAnswer | Response> {
  const refused = methodRefusal(call, incoming);
  if (refused) return refused;
  const { db } = backend;
  const now = backend.now();
  const known = version && incoming.header('if-none-match');
  const caller = await backend.personOf(incoming.header('authorization'), now, { isLook: known !== undefined });
  const person = backend.admit(call, caller, role);
  if (isRefusal(person)) return serializeRefusal(person);

  const { request } = incoming;
  const form: ReceivedForm | Refusal | undefined =
    call.upload && request && (await backend.receive(request, call.upload));
  if (isRefusal(form)) return serializeRefusal(form);
  try {
    const body = call.body ? await bodyOf(incoming, form) : undefined;
    if (isRefusal(body)) return serializeRefusal(body);
    const more = isPostedGet(call, incoming) ? await readJson(() => incoming.text()) : {};
    if (isRefusal(more)) return serializeRefusal(more);
    const read = readRequest(call, { params: incoming.params, query: { ...more, ...incoming.query }, body });
    if (isRefusal(read)) return serializeRefusal(read);
    const given = { ...(await backend.contextOf(person, now)), ...read, files: form?.files ?? [] };
    const work = async (within: Database) => answer({ ...given, ...(request && { request }), db: within });
    const ask = (within: Database) => (call.fromReplica ? withReplicaReads(() => work(within)) : work(within));

    if (version) {
      const present = await version({ ...given, db });
      if (isRefusal(present)) return serializeRefusal(present);
      const headers = { etag: `W/"${present}"`, 'cache-control': 'private, no-cache' };
      if (known?.split(/\s*,\s*/).includes(headers.etag)) return { status: 304, headers, text: null };
      const outcome = await ask(db);
      return isRefusal(outcome)
        ? serializeRefusal(outcome)
        : serializeEnvelope(envelopeOf(backend, call, outcome), headers);
    }
    const keyed = {
      key: backend.honoursKeys && !call.secret ? incoming.header('idempotency-key') : undefined,
      request: `${call.method} ${incoming.path}`,
      content: () => incoming.header(contentHeader) ?? contentOf(read, form),
    };
    const once = (commit: (db: Database) => Promise<unknown>) =>
      inTransaction(db, (within) =>
        withIdempotency(within, { caller: person, now, ...keyed }, async () => {
          const result = await commit(within);
          return isRefusal(result) ? result : envelopeOf(backend, call, result);
        }),
      );
    if (call.changes && !isPrepared) return serializeOutcome(await once(ask));
    const outcome = await ask(db);
    if (outcome instanceof TransactionWork) return serializeOutcome(await once(outcome.work));
    if (outcome instanceof Response) return outcome;
    return serializeOutcome(isRefusal(outcome) ? outcome : envelopeOf(backend, call, outcome));
  } finally {
    await form?.discard();
  }
}

/** True if a GET call was posted with its parameters as a JSON body. Parameters in the address take precedence. */
const isPostedGet = (call: AnyCall, incoming: IncomingCall): boolean =>
  call.alsoPost === true && incoming.method === 'POST' && (incoming.header('content-type') ?? '').includes('json');

const bodyOf = (incoming: IncomingCall, form: ReceivedForm | undefined): Promise<object | Refusal> | object =>
  form ? Object.fromEntries(form.fields) : readJson(() => incoming.text());

/**
 * Converts a request to text, to detect an idempotency key that is used again with other content. Files count by name
 * and size, because a form may upload them again.
 */
function contentOf(read: ReadRequest, form: ReceivedForm | undefined): string {
  const files = form?.files.map(({ field, name, staged: { size } }) => [field, name, size]);
  return JSON.stringify([read, files]);
}

export const serializeOutcome = (outcome: Envelope | Refusal): SerializedAnswer =>
  isRefusal(outcome) ? serializeRefusal(outcome) : serializeEnvelope(outcome);

export function envelopeOf(backend: { checkAnswers: boolean }, call: AnyCall, outcome: unknown): Envelope {
  const { data, more } = outcome instanceof AnswerWithMessage ? outcome : new AnswerWithMessage(outcome ?? null, {});
  if (backend.checkAnswers) v.parse(call.answer, data);
  return success(data, more.msg ?? call.message, more.extra);
}

/** Turns a thrown error into an answer and logs it with the request id. */
export function answerToError(
  error: unknown,
  { log, whenAway }: Pick<Backend<unknown>, 'log' | 'whenAway'>,
  request: { method: string; route: string; requestId: string },
): Envelope | Refusal {
  const away = whenAway(error);
  const note = away ? away.note : 'call failed';
  if (note) log.error({ err: error, ...request }, note);
  return away?.refusal ?? { code: 500, msg: '服务器出错了，请稍后再试', data: null };
}

/** 500 for a bug, 503 if the database or storage is away. Both are logged with the request id. */
export function answerError(
  error: unknown,
  context: Context<RequestVariables>,
  backend: Pick<Backend<unknown>, 'log' | 'whenAway'>,
): Response {
  if (error instanceof ClientGone) return refusalResponse(new Refusal('malformed', callMessages.malformed));
  const request = { method: context.req.method, route: routePath(context), requestId: context.get('requestId') };
  return responseOf(serializeOutcome(answerToError(error, backend, request)));
}

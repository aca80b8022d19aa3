/** Answers bound calls over HTTP: what all calls have in common. */
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { routePath } from 'hono/route';
import * as v from 'valibot';
import type { Database } from '#server/platform/db/engine.ts';
import type { Backend, ReceivedForm } from './backend.ts';
import { Answered, type BoundCall, Commit, type ReadRequest } from './bind.ts';
import { type AnyCall, addressIn, anyPathOf, isShared, pathFor } from './call.ts';
import { type Envelope, envelopeResponse, refusalResponse, success } from './envelope.ts';
import { answerOnce, contentHeader } from './idempotency.ts';
import { isRefusal, type Refusal } from './outcome.ts';
import { jsonLimit, readJson, readRequest, tooMuch } from './read.ts';
import { inTransaction } from './transaction.ts';

/** What the whole API keeps with a request. */
export interface RequestVariables {
  Variables: { requestId: string };
}
export type ApiRouter = Hono<RequestVariables>;

const tooLarge = (): Response => refusalResponse(tooMuch());

/**
 * Mounts the calls under the prefix of every role. Where a role does not have a call, the path of another's stands, so
 * that it is 403 and not 404: behind all that the role has, of which it hides nothing.
 */
export function mountCalls<Given>(api: ApiRouter, backend: Backend<Given>, calls: readonly BoundCall<Given>[]): void {
  const usual = bodyLimit({ maxSize: jsonLimit, onError: tooLarge });
  const mount = (bound: BoundCall<Given>, path: string, role: string | undefined) => {
    const { call } = bound;
    const limit = call.bodyLimit ? bodyLimit({ maxSize: call.bodyLimit, onError: tooLarge }) : usual;
    const methods = call.alsoPost ? [call.method, 'POST'] : [call.method];
    const respond = (context: Context) => answerCall(context, backend, bound, role);
    if (call.upload) api.on(methods, path, respond);
    else api.on(methods, path, limit, respond);
  };
  const ofRoles = calls.filter(({ call }) => !isShared(call));
  const roles = Object.keys(backend.prefixes);
  for (const bound of calls) if (isShared(bound.call)) mount(bound, bound.call.path as string, undefined);
  for (const bound of ofRoles) {
    for (const role of roles) {
      const path = addressIn(backend.prefixes, bound.call, role);
      if (path !== undefined) mount(bound, path, role);
    }
  }
  for (const bound of ofRoles) {
    for (const role of roles.filter((one) => pathFor(bound.call, one) === undefined))
      mount(bound, `${backend.prefixes[role]}/${anyPathOf(bound.call)}`, role);
  }
}

/** `role` is the one whose prefix was asked; undefined where each may ask. */
async function answerCall<Given>(
  context: Context,
  backend: Backend<Given>,
  { call, answer, isPrepared, version }: BoundCall<Given>,
  role: string | undefined,
): Promise<Response> {
  const { db } = backend;
  const now = backend.now();
  const person = backend.admit(call, await backend.personOf(context.req.header('authorization'), now), role);
  if (isRefusal(person)) return refusalResponse(person);

  const form: ReceivedForm | Refusal | undefined = call.upload && (await backend.receive(context.req.raw, call.upload));
  if (isRefusal(form)) return refusalResponse(form);
  try {
    const body = call.body ? await bodyOf(context, form) : undefined;
    if (isRefusal(body)) return refusalResponse(body);
    const read = readRequest(call, { params: context.req.param(), query: context.req.query(), body });
    if (isRefusal(read)) return refusalResponse(read);
    const given = { ...(await backend.contextOf(person, now)), ...read, files: form?.files ?? [] };
    const ask = async (within: Database) => answer({ ...given, request: context.req.raw, db: within });

    if (version) {
      const present = await version({ ...given, db });
      if (isRefusal(present)) return refusalResponse(present);
      const headers = { etag: `W/"${present}"`, 'cache-control': 'private, no-cache' };
      const known = (context.req.header('if-none-match') ?? '').split(/\s*,\s*/);
      if (known.includes(headers.etag)) return new Response(null, { status: 304, headers });
      const outcome = await ask(db);
      return isRefusal(outcome)
        ? refusalResponse(outcome)
        : envelopeResponse(envelopeOf(backend, call, outcome), headers);
    }
    const keyed = {
      key: backend.honoursKeys && !call.secret ? context.req.header('idempotency-key') : undefined,
      request: `${call.method} ${context.req.path}`,
      content: () => context.req.header(contentHeader) ?? contentOf(read, form),
    };
    const once = (work: (db: Database) => Promise<unknown>) =>
      inTransaction(db, (within) =>
        answerOnce(within, { caller: person, now, ...keyed }, async () => {
          const result = await work(within);
          return isRefusal(result) ? result : envelopeOf(backend, call, result);
        }),
      );
    if (call.changes && !isPrepared) return respond(await once(ask));
    const outcome = await ask(db);
    if (outcome instanceof Commit) return respond(await once(outcome.work));
    if (outcome instanceof Response) return outcome;
    return respond(isRefusal(outcome) ? outcome : envelopeOf(backend, call, outcome));
  } finally {
    await form?.discard();
  }
}

const bodyOf = (context: Context, form: ReceivedForm | undefined): Promise<object | Refusal> | object =>
  form ? Object.fromEntries(form.fields) : readJson(context);

/**
 * What was asked, so that the same key with something else can be told. Files by their names and sizes: they are sent
 * again as they are, or chosen anew.
 */
function contentOf(read: ReadRequest, form: ReceivedForm | undefined): string {
  const files = form?.files.map(({ field, name, staged: { size } }) => [field, name, size]);
  return JSON.stringify([read, files]);
}

const respond = (outcome: Envelope | Refusal): Response =>
  isRefusal(outcome) ? refusalResponse(outcome) : envelopeResponse(outcome);

export function envelopeOf(backend: { checkAnswers: boolean }, call: AnyCall, outcome: unknown): Envelope {
  const { data, more } = outcome instanceof Answered ? outcome : new Answered(outcome ?? null, {});
  if (backend.checkAnswers) v.parse(call.answer, data);
  return success(data, more.msg ?? call.message, more.extra);
}

/** What a thrown error is answered with, noted in the log with the id of its request. */
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

/** A bug is 500, a database or a storage that is away 503; both keep what was asked, by its id, in the log. */
export function answerError(
  error: unknown,
  context: Context<RequestVariables>,
  backend: Pick<Backend<unknown>, 'log' | 'whenAway'>,
): Response {
  const request = { method: context.req.method, route: routePath(context), requestId: context.get('requestId') };
  return respond(answerToError(error, backend, request));
}

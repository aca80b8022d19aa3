/** Binds a declared call to the function that answers it, and everything every call has in common. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as v from 'valibot';
import { TooManyHashes } from '#server/platform/auth/hashing.ts';
import { permissionFaults } from '#server/platform/auth/rules.ts';
import { type Actor, actorOf } from '#server/platform/auth/sign-in.ts';
import type { Log } from '#server/platform/calls/log.ts';
import { type Database, isDatabaseAway, type OpenDatabase } from '#server/platform/db/engine.ts';
import { type Storage, storageAway } from '#server/platform/files/storage.ts';
import { receiveUpload, type Upload, type UploadedFile } from '#server/platform/files/upload.ts';
import { type SchoolSettings, schoolSettings } from '#server/school/settings.ts';
import {
  type AnswerOf,
  type AnyCall,
  addressFor,
  type BodyOf,
  isShared,
  type ParamsOf,
  pathFor,
  type QueryOf,
  type Role,
  type Schema,
} from './call.ts';
import { type Envelope, envelopeResponse, refusalResponse, success } from './envelope.ts';
import { hasTooManyValues, Id } from './fields.ts';
import { answerOnce, contentHeader } from './idempotency.ts';
import { fileRefused, forbidden, invalid, isRefusal, missing, Refusal } from './outcome.ts';
import { callMessages } from './rules.ts';

/** What every rule may rely on. */
export interface House {
  database: OpenDatabase;
  /** Where files are kept. */
  storage: Storage;
  /** Unix seconds. */
  now: () => number;
  log: Log;
  /** Answers are checked against their schemas: on in development and tests. */
  checkAnswers: boolean;
}

/**
 * What a handler is given: who asks, for what, when. Inside a changing call `db` is its transaction, save in a call
 * with files: receiving them takes as long as the sender takes, and no transaction waits for that.
 */
export interface Asked<C extends AnyCall> {
  db: Database;
  storage: Storage;
  log: Log;
  actor: Actor;
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  /** Unix seconds. */
  now: number;
  settings: SchoolSettings;
}

/** Data with a sentence of its own or with `extra`, where the declaration's message is not enough. */
export class Answered<Data> {
  readonly data: Data;
  readonly more: { msg?: string; extra?: unknown };

  constructor(data: Data, more: { msg?: string; extra?: unknown }) {
    this.data = data;
    this.more = more;
  }
}

type Outcome<C extends AnyCall> = AnswerOf<C> | Answered<AnswerOf<C>> | Refusal;

export interface Handled {
  call: AnyCall;
  /** Answers a changing call in two steps (handlePrepared). */
  prepares?: boolean;
  answer: (asked: Asked<AnyCall>) => Promise<unknown> | unknown;
}

/** With the files that were received. Those that the handler does not keep are dropped when it has answered. */
export interface AskedWithFiles<C extends AnyCall> extends Asked<C> {
  files: UploadedFile[];
}

/** What remains of a call with files once they are read: runs in one transaction and honours an idempotency key. */
export class Commit<Result> {
  readonly work: (db: Database) => Promise<Result>;

  constructor(work: (db: Database) => Promise<Result>) {
    this.work = work;
  }
}

/** Binds a call declared with `upload`. The handler answers, refuses, or gives the `Commit` that ends the call. */
export function handleUpload<C extends AnyCall>(
  call: C,
  answer: (asked: AskedWithFiles<C>) => Promise<Outcome<C> | Commit<Outcome<C>>>,
): Handled {
  return { call, answer: answer as Handled['answer'] };
}

/**
 * Binds a changing call that has something slow to do first, such as a password's hash or a picture: no transaction
 * waits for that. The handler answers, refuses, or gives the `Commit` that ends the call.
 */
export function handlePrepared<C extends AnyCall>(
  call: C,
  answer: (asked: Asked<C>) => Promise<Outcome<C> | Commit<Outcome<C>>>,
): Handled {
  return { call, prepares: true, answer: answer as Handled['answer'] };
}

/** Binds a call declared with `file`: the handler answers the file's bytes, by range where `request` asks so. */
export function handleFile<C extends AnyCall>(
  call: C,
  answer: (asked: Asked<C> & { request: Request }) => Promise<Response | Refusal>,
): Handled {
  return { call, answer: answer as Handled['answer'] };
}

export function handle<C extends AnyCall>(
  call: C,
  answer: (asked: Asked<C>) => Promise<Outcome<C>> | Outcome<C>,
): Handled {
  return { call, answer: answer as Handled['answer'] };
}

/** What the whole API keeps with a request. */
export interface RequestVariables {
  Variables: { requestId: string };
}
export type ApiRouter = Hono<RequestVariables>;

/** JSON bodies are small; files have their own calls with their own limits. */
const jsonLimit = 1024 * 1024;
const tooMuch = () => new Refusal('too-large', callMessages.tooLarge);
const tooLarge = (): Response => refusalResponse(tooMuch());

/** Mounts the calls under both prefixes. A call that an identity does not have is 403 for it. */
export function mountCalls(api: ApiRouter, house: House, handled: readonly Handled[]): void {
  const usual = bodyLimit({ maxSize: jsonLimit, onError: tooLarge });
  for (const one of handled) {
    const limit = one.call.bodyLimit ? bodyLimit({ maxSize: one.call.bodyLimit, onError: tooLarge }) : usual;
    const methods = one.call.alsoPost ? [one.call.method, 'POST'] : [one.call.method];
    for (const role of isShared(one.call) ? [undefined] : (['teacher', 'assist'] as const)) {
      const path = mountingPath(one.call, role ?? 'teacher');
      const respond = (context: Context) => answerCall(context, house, one, role);
      if (one.call.upload) api.on(methods, path, respond);
      else api.on(methods, path, limit, respond);
    }
  }
}

/** Where an identity does not have a call, the path of the other one's stands, so that it is 403 and not 404. */
function mountingPath(call: AnyCall, role: Role): string {
  const other = role === 'teacher' ? 'assist' : 'teacher';
  const path = addressFor(call, role) ?? addressFor({ ...call, path: pathFor(call, other) }, role);
  if (path === undefined) throw new Error(`${call.title} has no path`);
  return path;
}

/** `role` is the one whose prefix was asked; undefined where either may ask. */
async function answerCall(
  context: Context,
  house: House,
  { call, answer, prepares }: Handled,
  role: Role | undefined,
): Promise<Response> {
  const now = house.now();
  const actor = admit(call, await actorOf(house.database.db, context.req.header('authorization'), now), role);
  if (isRefusal(actor)) return refusalResponse(actor);

  const received = await receive(context, call, house.storage);
  if (isRefusal(received)) return refusalResponse(received);
  try {
    const json = call.body ? await bodyOf(context, received) : undefined;
    if (isRefusal(json)) return refusalResponse(json);
    const read = readAsked(call, { params: context.req.param(), query: context.req.query(), body: json });
    if (isRefusal(read)) return refusalResponse(read);
    const { database, storage, log } = house;
    const settings = await schoolSettings(database.db, now);
    const asked = { actor, now, settings, storage, log, files: received?.files, request: context.req.raw, ...read };
    const ask = async (db: Database) => answer({ ...asked, db } as unknown as Asked<AnyCall>);

    const keyed = {
      key: context.req.header('idempotency-key'),
      request: `${call.method} ${context.req.path}`,
      content: () => context.req.header(contentHeader) ?? contentOf(read, received),
    };
    const once = (work: (db: Database) => Promise<unknown>) =>
      inTransaction(database.db, (db) =>
        answerOnce(db, { actor, now, ...keyed }, async () => {
          const result = await work(db);
          return isRefusal(result) ? result : envelopeOf(house, call, result);
        }),
      );
    if (call.changes && !call.upload && !prepares) return respond(await once(ask));
    const outcome = await ask(database.db);
    if (outcome instanceof Commit) return respond(await once(outcome.work));
    if (outcome instanceof Response) return outcome;
    return respond(isRefusal(outcome) ? outcome : envelopeOf(house, call, outcome));
  } finally {
    await received?.discard();
  }
}

/**
 * What was asked, so that the same key with something else can be told. Files by their names and sizes: they are sent
 * again as they are, or chosen anew.
 */
function contentOf(read: Read, received: Upload | undefined): string {
  const files = received?.files.map(({ field, name, staged: { size } }) => [field, name, size]);
  return JSON.stringify([read, files]);
}

/** The person, where they may make the call; `role` is the one whose prefix was asked. */
export function admit(call: AnyCall, actor: Actor | undefined, role: Role | undefined): Actor | Refusal {
  if (!actor) return new Refusal('signed-out', '请先登录');
  if (role && actor.identity !== role) return forbidden('当前身份无权访问');
  if (pathFor(call, actor.identity) === undefined) return forbidden(callMessages.notOffered);
  if (call.needs === 'dispatch' && !actor.mayDispatch) return forbidden(permissionFaults.dispatch);
  if (call.needs === 'correct' && !actor.mayCorrect) return forbidden(permissionFaults.correct);
  return actor;
}

const respond = (outcome: Envelope | Refusal): Response =>
  isRefusal(outcome) ? refusalResponse(outcome) : envelopeResponse(outcome);

/** The files and fields of a call with files; undefined for any other call. */
async function receive(context: Context, call: AnyCall, storage: Storage): Promise<Upload | Refusal | undefined> {
  if (!call.upload) return undefined;
  const received = await receiveUpload(context.req.raw, storage, call.upload);
  return 'ok' in received ? received.ok : fileRefused(received, call.upload.field);
}

export function envelopeOf(house: House, call: AnyCall, outcome: unknown): Envelope {
  const { data, more } =
    outcome instanceof Answered ? outcome : { data: outcome ?? null, more: {} as Answered<unknown>['more'] };
  if (house.checkAnswers) v.parse(call.answer, data);
  return success(data, more.msg ?? call.message, more.extra);
}

/** A refusal takes back everything that the call did: all or nothing, without a rule having to think of it. */
export async function inTransaction<T>(
  db: Database,
  work: (db: Database) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  class TakeBack {
    readonly refusal: Refusal;
    constructor(refusal: Refusal) {
      this.refusal = refusal;
    }
  }
  try {
    return await db.transaction().execute(async (trx) => {
      const outcome = await work(trx);
      if (isRefusal(outcome)) throw new TakeBack(outcome);
      return outcome;
    });
  } catch (thrown) {
    if (thrown instanceof TakeBack) return thrown.refusal;
    throw thrown;
  }
}

// ---- reading what was sent ---------------------------------------------------------------------

interface Read {
  params: Record<string, unknown>;
  query: unknown;
  body: unknown;
}

/** What was asked, as text and JSON, read by the schemas of the call. */
export function readAsked(
  call: AnyCall,
  asked: { params: Record<string, string>; query: Record<string, string>; body: object | undefined },
): Read | Refusal {
  const params: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(asked.params)) {
    const parsed = v.safeParse(paramSchema(call, name), text);
    if (!parsed.success) return missing();
    params[name] = parsed.output;
  }
  for (const [name, schema] of Object.entries((call.params ?? {}) as Record<string, Schema>)) {
    if (!(name in params)) params[name] = v.parse(schema, undefined);
  }
  let query: unknown;
  if (call.query) {
    const parsed = v.safeParse(call.query as Schema, asked.query);
    if (!parsed.success) return invalid(fieldErrors(parsed.issues));
    query = parsed.output;
  }
  let body: unknown;
  if (call.body) {
    const parsed = v.safeParse(call.body as Schema, asked.body ?? {});
    if (!parsed.success) return invalid(fieldErrors(parsed.issues));
    body = parsed.output;
  }
  return { params, query, body };
}

const bodyOf = (context: Context, received: Upload | undefined): Promise<object | Refusal> | object =>
  received ? Object.fromEntries(received.fields) : readJson(context);

const paramSchema = (call: AnyCall, name: string): Schema =>
  (call.params as Record<string, Schema> | undefined)?.[name] ?? Id;

/** Whose reading, parsing and checking each take some milliseconds: a turn of its own for each. */
const isLong = (text: string): boolean => text.length > jsonLimit / 4;

export async function readJson(context: Context): Promise<object | Refusal> {
  const text = await context.req.text();
  if (isLong(text)) await nextTurn();
  if (text.trim() === '') return {};
  if (hasTooManyValues(text)) return tooMuch();
  try {
    const value: unknown = JSON.parse(text);
    if (isLong(text)) await nextTurn();
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Not JSON: said below.
  }
  return new Refusal('malformed', callMessages.malformed);
}

/** Messages by field, `a.0.b` for nested ones. */
export function fieldErrors(issues: readonly v.BaseIssue<unknown>[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const issue of issues) {
    const field = v.getDotPath(issue) ?? 'form';
    // Valibot's own sentences are English; a field without a sentence of its own asks to be completed.
    const message = /[\u4e00-\u9fff]/.test(issue.message) ? issue.message : '请完善信息';
    const messages = errors[field] ?? [];
    if (!messages.includes(message)) errors[field] = [...messages, message];
  }
  return errors;
}

/** A bug is 500, a database or a storage that is away 503; both keep what was asked, by its id, in the log. */
export function answerError(error: unknown, context: Context<RequestVariables>, log: Log): Response {
  const { method, path } = context.req;
  return respond(failed(error, { method, path, requestId: context.get('requestId') }, log));
}

/** What a thrown error is answered with, noted in the log. */
export function failed(
  error: unknown,
  asked: { method: string; path: string; requestId: string },
  log: Log,
): Envelope | Refusal {
  if (error instanceof TooManyHashes) return new Refusal('away', '操作人数较多，请稍后再试', { retryAfter: 5 });
  const away = isDatabaseAway(error);
  const noStorage = storageAway(error);
  log.error({ err: error, ...asked }, away ? 'database away' : noStorage ? 'storage away' : 'call failed');
  if (away) return new Refusal('away', callMessages.away);
  if (noStorage) return new Refusal('away', noStorage);
  return { code: 500, msg: '服务器出错了，请稍后再试', data: null };
}

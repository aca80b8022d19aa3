/** Binds declared calls to their handlers. The type parameter `Context` is defined by the product. */
import type { Database } from '#server/platform/db/engine.ts';
import type { AnswerOf, AnyCall, BodyOf, IfDeclared, ParamsOf, QueryOf } from './call.ts';
import type { Refusal } from './outcome.ts';

/** A request as parsed by the call's schemas. */
export interface CallRequest<C extends AnyCall> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
}

/**
 * Arguments of a handler. In a call that changes state, `db` is a transaction. In prepared calls and uploads it is not,
 * because a slow upload must not hold a transaction open. Files that the handler does not keep are deleted afterwards.
 * `request`: for range requests of files.
 */
export type CallContext<C extends AnyCall, Context, File> = Context &
  CallRequest<C> & { db: Database } & IfDeclared<C, 'upload', { files: File[] }, unknown> &
  IfDeclared<C, 'file', { request: Request }, unknown>;

/** A result with data and either another message than the declared one, or `extra`. */
export class AnswerWithMessage<Data> {
  readonly data: Data;
  readonly more: { msg?: string; extra?: unknown };

  constructor(data: Data, more: { msg?: string; extra?: unknown }) {
    this.data = data;
    this.more = more;
  }
}

/** Second half of a prepared call: runs in one transaction and honours the idempotency key. */
export class TransactionWork<Result> {
  readonly work: (db: Database) => Promise<Result>;

  constructor(work: (db: Database) => Promise<Result>) {
    this.work = work;
  }
}

type Outcome<C extends AnyCall> = AnswerOf<C> | AnswerWithMessage<AnswerOf<C>> | Refusal;
type PreparedOutcome<C extends AnyCall> = Outcome<C> | TransactionWork<Outcome<C>>;
type MaybePromise<Value> = Promise<Value> | Value;

type Answer<C extends AnyCall, Context, File> = (
  context: CallContext<C, Context, File>,
) => MaybePromise<IfDeclared<C, 'file', Response | Refusal, IfDeclared<C, 'upload', PreparedOutcome<C>, Outcome<C>>>>;

/**
 * A call that changes state, with slow work before its transaction, such as hashing a password or converting a picture.
 * `prepare` returns a result, a refusal, or the `TransactionWork` to run.
 */
interface Prepared<C extends AnyCall, Context, File> {
  prepare: (context: CallContext<C, Context, File>) => Promise<PreparedOutcome<C>>;
}

/** A reading call that clients poll. */
interface PolledAnswer<C extends AnyCall, Context, File> {
  /**
   * Returns a version (ETag) that changes whenever the result does but costs less to compute. A client with the same
   * version (If-None-Match) gets 304. The version is read first, so the result may be newer than its version, but never
   * older.
   */
  version: (context: CallContext<C, Context, File>) => MaybePromise<string | Refusal>;
  answer: (context: CallContext<C, Context, File>) => MaybePromise<Outcome<C>>;
}

/** A parsed request, without the types of its call. */
export interface ReadRequest {
  params: Record<string, unknown>;
  query: unknown;
  body: unknown;
}
export type AnyContext<Context> = Context & ReadRequest & { db: Database; files: unknown[]; request?: Request };

/** A call with its handler. */
export interface BoundCall<Context> {
  readonly call: AnyCall;
  /** True if the handler starts outside a transaction and may return a `TransactionWork`. */
  readonly isPrepared: boolean;
  readonly answer: (context: AnyContext<Context>) => unknown;
  readonly version?: (context: AnyContext<Context>) => MaybePromise<string | Refusal>;
}

/** Creates the function `handle` for a product's context and file type. */
export function createHandle<Context, File = never>() {
  return <C extends AnyCall>(
    call: C,
    handler: Answer<C, Context, File> | Prepared<C, Context, File> | PolledAnswer<C, Context, File>,
  ): BoundCall<Context> => {
    // The cast is safe, because the call's own schemas parsed the request.
    const given = (context: AnyContext<Context>) => context as CallContext<C, Context, File>;
    if (typeof handler === 'object' && 'version' in handler) {
      const { version, answer } = handler;
      const asked = (context: AnyContext<Context>) => version(given(context));
      return { call, isPrepared: false, answer: (context) => answer(given(context)), version: asked };
    }
    const answer = typeof handler === 'function' ? handler : handler.prepare;
    const isPrepared = typeof handler !== 'function' || call.upload !== undefined;
    return { call, isPrepared, answer: (context) => answer(given(context)) };
  };
}

/** Binds declared calls to what answers them. Knows nothing of what the product gives its handlers: `Context`. */
import type { Database } from '#server/platform/db/engine.ts';
import type { AnswerOf, AnyCall, BodyOf, IfDeclared, ParamsOf, QueryOf } from './call.ts';
import type { Refusal } from './outcome.ts';

/** What was asked, read by the schemas of the call. */
export interface CallRequest<C extends AnyCall> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
}

/**
 * What a handler is given. Inside a changing call `db` is its transaction, save where it prepares or takes files:
 * receiving them takes as long as the sender takes, and no transaction waits for that. Files that the handler does not
 * keep are dropped when it has answered. `request` is there for the bytes of a file, which are asked for by range.
 */
export type CallContext<C extends AnyCall, Context, File> = Context &
  CallRequest<C> & { db: Database } & IfDeclared<C, 'upload', { files: File[] }, unknown> &
  IfDeclared<C, 'file', { request: Request }, unknown>;

/** Data with a sentence of its own or with `extra`, where the declaration's message is not enough. */
export class Answered<Data> {
  readonly data: Data;
  readonly more: { msg?: string; extra?: unknown };

  constructor(data: Data, more: { msg?: string; extra?: unknown }) {
    this.data = data;
    this.more = more;
  }
}

/** What remains of a call once it is prepared: runs in one transaction and honours an idempotency key. */
export class Commit<Result> {
  readonly work: (db: Database) => Promise<Result>;

  constructor(work: (db: Database) => Promise<Result>) {
    this.work = work;
  }
}

type Outcome<C extends AnyCall> = AnswerOf<C> | Answered<AnswerOf<C>> | Refusal;
type PreparedOutcome<C extends AnyCall> = Outcome<C> | Commit<Outcome<C>>;
type MaybePromise<Value> = Promise<Value> | Value;

type Answer<C extends AnyCall, Context, File> = (
  context: CallContext<C, Context, File>,
) => MaybePromise<IfDeclared<C, 'file', Response | Refusal, IfDeclared<C, 'upload', PreparedOutcome<C>, Outcome<C>>>>;

/**
 * A changing call that has something slow to do first, such as a password's hash or a picture: no transaction waits
 * for that. It answers, refuses, or gives the `Commit` that ends the call.
 */
interface Prepared<C extends AnyCall, Context, File> {
  prepare: (context: CallContext<C, Context, File>) => Promise<PreparedOutcome<C>>;
}

/** A reading call that is asked again and again. */
interface Polled<C extends AnyCall, Context, File> {
  /**
   * Another text whenever the answer is another one, and cheaper than that: who has the answer already (If-None-Match) is
   * not sent it again. It is asked before the answer is made, which may so be newer, and never older.
   */
  version: (context: CallContext<C, Context, File>) => MaybePromise<string | Refusal>;
  answer: (context: CallContext<C, Context, File>) => MaybePromise<Outcome<C>>;
}

/** What was asked, before the types of one call are known. */
export interface ReadRequest {
  params: Record<string, unknown>;
  query: unknown;
  body: unknown;
}
export type AnyContext<Context> = Context & ReadRequest & { db: Database; files: unknown[]; request?: Request };

/** A call with what answers it. */
export interface BoundCall<Context> {
  readonly call: AnyCall;
  /** Whether it begins outside of a transaction and ends with a `Commit`. */
  readonly isPrepared: boolean;
  readonly answer: (context: AnyContext<Context>) => unknown;
  readonly version?: (context: AnyContext<Context>) => MaybePromise<string | Refusal>;
}

/** `handle` for a product whose handlers are given this context, and files of this shape. */
export function binder<Context, File = never>() {
  return <C extends AnyCall>(
    call: C,
    handler: Answer<C, Context, File> | Prepared<C, Context, File> | Polled<C, Context, File>,
  ): BoundCall<Context> => {
    // The call's own schemas have read what it is given.
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

/** Services that calls run on: database, clock, authentication, permissions, uploads. */

import type { Database } from '#server/platform/db/engine.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import type { AnyCall, Prefixes, UploadDeclaration } from './call.ts';
import type { Refusal } from './outcome.ts';

/** A received form with files. */
export interface ReceivedForm {
  /** Text fields in order. */
  fields: Iterable<readonly [string, string]>;
  files: { field: string; name: string; staged: { size: number } }[];
  /** Deletes every file that was not kept. */
  discard(): Promise<void>;
}

/** The caller; owns the idempotency keys of the call. */
export interface Caller {
  id: number;
}

export interface Backend<Context, Person extends Caller = Caller> {
  db: Database;
  log: Log;
  /** Path prefix of each role's calls. */
  prefixes: Prefixes;
  /** Unix seconds. */
  now: () => number;
  /** Checks answers against their schemas; on in development and tests. */
  checkAnswers: boolean;
  /** True if a repeated idempotency key gets the first answer. */
  honoursKeys: boolean;
  /**
   * Returns the person of an `Authorization` header. `isLook`: the request is a poll (If-None-Match), which may wait a
   * moment to be batched with others.
   */
  personOf(authorization: string | undefined, now: number, how?: { isLook: boolean }): Promise<Person | undefined>;
  /**
   * Returns the person if they may make the call, else the refusal. `role`: the role whose prefix was used, undefined
   * for calls outside the prefixes.
   */
  admit(call: AnyCall, person: Person | undefined, role: string | undefined): Person | Refusal;
  /** Builds the context that every handler gets in addition to the request. */
  contextOf(person: Person, now: number): Promise<Context>;
  receive(request: Request, upload: UploadDeclaration): Promise<ReceivedForm | Refusal>;
  /**
   * Returns a refusal, and a `note` for the log, for an error that is no bug: a service is away, or an id does not fit
   * its column. Undefined for a bug.
   */
  whenAway(error: unknown): { refusal: Refusal; note?: string } | undefined;
}

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

/** The caller. Idempotency keys belong to a caller. */
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
  /** True in development and tests: answers are checked against their schemas. */
  checkAnswers: boolean;
  /** True if a repeated idempotency key gets the first answer again. */
  honoursKeys: boolean;
  /**
   * Returns the person whose token the `Authorization` header has. `isLook`: the request is a poll (If-None-Match),
   * which may wait a moment to be batched with others.
   */
  personOf(authorization: string | undefined, now: number, how?: { isLook: boolean }): Promise<Person | undefined>;
  /**
   * Returns the person if they may make the call; otherwise the refusal. `role`: whose prefix was used; undefined for
   * calls outside the prefixes.
   */
  admit(call: AnyCall, person: Person | undefined, role: string | undefined): Person | Refusal;
  /** Builds what every handler gets besides its request. */
  contextOf(person: Person, now: number): Promise<Context>;
  receive(request: Request, upload: UploadDeclaration): Promise<ReceivedForm | Refusal>;
  /**
   * For an error that is no bug (a service is away, or an id does not fit its column): returns the refusal, and a
   * `note` for the log. Undefined for a bug.
   */
  whenAway(error: unknown): { refusal: Refusal; note?: string } | undefined;
}

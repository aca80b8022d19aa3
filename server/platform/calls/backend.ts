/** What the calls of a product run on: its database and clock, and who may ask for what with which context. */

import type { Database } from '#server/platform/db/engine.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import type { AnyCall, Prefixes, UploadDeclaration } from './call.ts';
import type { Refusal } from './outcome.ts';

/** A form with files, once it has been received. */
export interface ReceivedForm {
  /** Ordinary fields in their order. */
  fields: Iterable<readonly [string, string]>;
  files: { field: string; name: string; staged: { size: number } }[];
  /** Drops every file that has not been kept. */
  discard(): Promise<void>;
}

/** Whoever calls: idempotency keys are theirs. */
export interface Caller {
  id: number;
}

export interface Backend<Context, Person extends Caller = Caller> {
  db: Database;
  log: Log;
  /** The roles of its people, and below which path each has its calls. */
  prefixes: Prefixes;
  /** Unix seconds. */
  now: () => number;
  /** Answers are checked against their schemas: on in development and tests. */
  checkAnswers: boolean;
  /** What is sent again under its idempotency key is answered as the first was. */
  honoursKeys: boolean;
  /** The person behind an `Authorization` header. `isLook`: they only look whether something is new, and are in no hurry. */
  personOf(authorization: string | undefined, now: number, how?: { isLook: boolean }): Promise<Person | undefined>;
  /** The person, where they may make the call; `role` is the one whose prefix was asked, undefined where each may. */
  admit(call: AnyCall, person: Person | undefined, role: string | undefined): Person | Refusal;
  /** What every handler is given beside what was asked. */
  contextOf(person: Person, now: number): Promise<Context>;
  receive(request: Request, upload: UploadDeclaration): Promise<ReceivedForm | Refusal>;
  /** What a thrown error is answered with where it is no bug: something that calls need is away, or nobody has such a number. The log says `note`. */
  whenAway(error: unknown): { refusal: Refusal; note?: string } | undefined;
}

/**
 * The context of handlers, the admission of calls (token, identity, permission), and `handle`, which binds a call to
 * its handler.
 */
import { TooManyHashes } from '#server/platform/auth/hashing.ts';
import { type Actor, actorOf } from '#server/platform/auth/sign-in.ts';
import type { Backend } from '#server/platform/calls/backend.ts';
import { type BoundCall, createHandle } from '#server/platform/calls/bind.ts';
import { type AnyCall, pathFor } from '#server/platform/calls/call.ts';
import { forbidden, missing, Refusal, refuseFile } from '#server/platform/calls/outcome.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import { type Database, isDatabaseAway, isNumberOutOfRange, type OpenDatabase } from '#server/platform/db/engine.ts';
import { type Storage, storageFault } from '#server/platform/files/storage.ts';
import { receiveUpload, type UploadedFile } from '#server/platform/files/upload.ts';
import { recordPerson } from '#server/platform/monitoring/current-request.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import { type Permission, prefixes } from './call.ts';
import { accessMessages, permissionFault } from './rules.ts';
import { type SchoolPolicy, type SchoolSettings, schoolPolicy, schoolSettings } from './settings.ts';

/** Services that a process opens once. */
export interface Services {
  database: OpenDatabase;
  /** File storage. */
  storage: Storage;
  /** Unix seconds. */
  now: () => number;
  log: Log;
  /** True in development and tests: answers are checked against their schemas. */
  checkAnswers: boolean;
}

/** Context of a handler besides its request: user, time, settings, services. */
export interface SchoolContext {
  actor: Actor;
  /** Unix seconds. */
  now: number;
  settings: SchoolSettings;
  policy: SchoolPolicy;
  storage: Storage;
  log: Log;
  /** For work that goes on after the call has ended. */
  database: OpenDatabase;
}

/** The parts of the context that a rule needs, with the database or transaction to use. */
export type RuleContext<Names extends keyof SchoolContext> = Pick<SchoolContext, Names> & { db: Database };

/** Binds a declared call to its handler. */
export const handle = createHandle<SchoolContext, UploadedFile>();
export type SchoolCall = BoundCall<SchoolContext>;

export function schoolBackend({ database, storage, now, log, checkAnswers }: Services): Backend<SchoolContext, Actor> {
  const { db } = database;
  return {
    db,
    log,
    prefixes,
    now,
    checkAnswers,
    honoursKeys: true,
    async personOf(authorization, at) {
      const actor = await actorOf(db, authorization, at, await schoolPolicy(db, at));
      if (actor) recordPerson(actor.id, actor.identity);
      return actor;
    },
    admit,
    contextOf: async (actor, at) => ({
      actor,
      now: at,
      settings: await schoolSettings(db, at),
      policy: await schoolPolicy(db, at),
      storage,
      log,
      database,
    }),
    receive: async (request, upload) => {
      const received = await receiveUpload(request, storage, upload);
      return 'ok' in received ? received.ok : refuseFile(received, upload.field);
    },
    whenAway: refusalOfError,
  };
}

function admit(call: AnyCall, actor: Actor | undefined, role: string | undefined): Actor | Refusal {
  if (!actor) return new Refusal('signed-out', callMessages.signedOut);
  if (role && actor.identity !== role) return forbidden(accessMessages.identity);
  if (pathFor(call, actor.identity) === undefined) return forbidden(callMessages.notOffered);
  if (actor.awaitsCode && call.whileSigningIn !== 'proving') return forbidden(accessMessages.code);
  if (actor.mustChangePassword && !call.whileSigningIn) return forbidden(accessMessages.firstPassword);
  if (actor.mustSetSecondFactor && !call.whileSigningIn) return forbidden(accessMessages.secondFactor);
  const fault = call.needs && permissionFault(call.needs as Permission | readonly Permission[], actor.permissions);
  return fault ? forbidden(fault) : actor;
}

function refusalOfError(error: unknown): { refusal: Refusal; note?: string } | undefined {
  if (error instanceof TooManyHashes) {
    return { refusal: new Refusal('away', accessMessages.crowded, { retryAfter: 5 }) };
  }
  if (isDatabaseAway(error)) {
    return { refusal: new Refusal('away', callMessages.away), note: 'database away' };
  }
  if (isNumberOutOfRange(error)) return { refusal: missing() };
  const noStorage = storageFault(error);
  return noStorage ? { refusal: new Refusal('away', noStorage), note: 'storage away' } : undefined;
}

/**
 * Backend of the learner API. A caller is either an application with a service token, which names a student in each
 * call, or a learner with a token of their own.
 */

import { hash } from 'node:crypto';
import * as v from 'valibot';
import { type Application, applicationOf } from '#server/platform/auth/service-token.ts';
import type { Backend } from '#server/platform/calls/backend.ts';
import { type BoundCall, createHandle } from '#server/platform/calls/bind.ts';
import { bodyId, SearchId } from '#server/platform/calls/fields.ts';
import { forbidden, invalid, isRefusal, missing, Refusal } from '#server/platform/calls/outcome.ts';
import { createLimit } from '#server/platform/calls/rate-limit.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { groupCommit } from '#server/platform/db/group-commit.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import type { UploadedFile } from '#server/platform/files/upload.ts';
import { recordPerson } from '#server/platform/monitoring/current-request.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import { type Services, schoolBackend } from '#server/school/context.ts';
import { accessMessages } from '#server/school/rules.ts';
import { type SchoolSettings, schoolSettings } from '#server/school/settings.ts';
import { schoolsBoundTo } from './application-schools.ts';
import { applicationRateLimit, learnerRateLimit } from './rules.ts';
import { type Learner, learnerOfToken } from './sessions.ts';

/** The application (and the learner) that a token belongs to. */
interface ApplicationCaller {
  id: number;
  application: Application;
  /** The learner, if the token is a learner's own. */
  learner?: Learner;
}

export interface ApplicationContext extends ApplicationCaller {
  /** Unix seconds. */
  now: number;
  storage: Storage;
  settings: SchoolSettings;
  log: Log;
}

/** Binds a call of the learner API to its handler. */
export const handleApplication = createHandle<ApplicationContext, UploadedFile>();
export type ApplicationCall = BoundCall<ApplicationContext>;

/** Maximum bytes of a short body, for calls without text. */
export const shortBodyBytes = 64 * 1024;

/** Id of the student, in the query or the body. A service token requires it; a learner's own token implies it. */
export const QueryUid = SearchId;
export const BodyUid = v.optional(bodyId(accessMessages.student));

export function applicationBackend(services: Services): Backend<ApplicationContext, ApplicationCaller> {
  const { db } = services.database;
  const { storage, log } = services;
  const limits = { application: createLimit(applicationRateLimit), learner: createLimit(learnerRateLimit) };
  return {
    ...schoolBackend(services),
    // Idempotency keys are not needed: all calls of learners are idempotent.
    honoursKeys: false,
    async personOf(authorization, now, { isLook } = { isLook: false }) {
      const learner = await learnerOfToken(db, authorization, now, { isLook });
      if (learner) {
        recordPerson(learner.learner.studentId, 'learner');
        return { id: learner.application.id, ...learner };
      }
      const application = await applicationOf(db, authorization, now);
      if (application) recordPerson(application.id, 'application');
      return application && { id: application.id, application };
    },
    admit(call, caller) {
      if (!caller) return new Refusal('signed-out', accessMessages.token);
      if (caller.learner?.mustChangePassword && !call.whileSigningIn)
        return new Refusal('forbidden', accessMessages.firstPassword, { data: { must_change_password: 1 } });
      const wait = caller.learner
        ? limits.learner(caller.learner.sessionId, performance.now())
        : limits.application(caller.application.id, performance.now());
      return wait === undefined ? caller : new Refusal('too-many', accessMessages.tooMany, { retryAfter: wait });
    },
    contextOf: async (caller, now) => ({ ...caller, now, storage, log, settings: await schoolSettings(db, now) }),
  };
}

type LearnerRequest = Pick<ApplicationContext, 'application' | 'learner'> & { db: Database };

/** Refuses a learner's own token with 403, because the call is for applications only. */
export const applicationOnly = ({ learner }: Pick<ApplicationContext, 'learner'>): Refusal | undefined =>
  learner && forbidden(accessMessages.applicationAlone);

/**
 * Returns the id of the student that a call is about. 404: a student of a school that the application has no access to,
 * or, with a learner's own token, another student.
 */
export async function learnerOf(asking: LearnerRequest, uid: number | undefined): Promise<number | Refusal> {
  const found = await meantLearner(asking, uid);
  return isRefusal(found) ? found : found.uid;
}

async function meantLearner(
  { db, application, learner }: LearnerRequest,
  uid: number | undefined,
): Promise<{ uid: number; isDisabled: boolean } | Refusal> {
  if (learner) {
    const isOwn = uid === undefined || uid === learner.studentId;
    // The learner cannot be disabled, because disabling revokes the tokens.
    return isOwn ? { uid: learner.studentId, isDisabled: false } : missing(accessMessages.student);
  }
  if (uid === undefined) return invalid({ uid: [accessMessages.noStudent] });
  const found = await db
    .selectFrom('student')
    .select('student.disabled_at')
    .where('student.id', '=', uid)
    .where('student.deleted_at', 'is', null)
    // Leaves out students who were erased.
    .where('student.erased_at', 'is', null)
    .$if(!application.everySchool, (query) => query.where('student.school_id', 'in', schoolsBoundTo(db, application)))
    .executeTakeFirst();
  return found ? { uid, isDisabled: found.disabled_at !== null } : missing(accessMessages.student);
}

/**
 * Runs `work` for the student of the call. 404: the token gives no access to the student. 403: the student is disabled.
 */
export async function withLearner<Context extends LearnerRequest, Result>(
  context: Context,
  uid: number | undefined,
  work: (learner: Context & { uid: number }) => Promise<Result>,
): Promise<Result | Refusal> {
  const found = await meantLearner(context, uid);
  if (isRefusal(found)) return found;
  return found.isDisabled ? forbidden(accessMessages.disabled) : work({ ...context, uid: found.uid });
}

/** Returns a version (ETag) of an answer: a hash of all facts that the answer depends on. */
export const versionOf = (...facts: readonly (string | number | null | undefined)[]): string =>
  hash('sha1', JSON.stringify(facts), 'base64url');

/** Maximum students per query. */
const listsAtOnce = 50;
const anywhere = 0;
const hour = 60 * 60;

/**
 * Creates a function that returns the version of a student's list. Concurrent calls share one query (batching).
 * `factsOf` reads the facts of each list and leaves out empty lists. The version also changes hourly, because the
 * passing of time may change a list.
 */
export function batchedVersions(
  factsOf: (
    db: Database,
    uids: readonly number[],
    now: number,
    /** Id of the object that the version describes, such as an exam; 0 for the student's whole list. */
    objectId: number,
  ) => Promise<readonly { uid: number; facts: readonly (string | number | null)[] }[]>,
) {
  const ask = groupCommit(listsAtOnce, async (db, looks: readonly { uid: number; now: number }[], objectId) => {
    const now = Math.max(...looks.map((look) => look.now));
    const found = await factsOf(db, [...new Set(looks.map(({ uid }) => uid))], now, objectId);
    const factsBy = new Map(found.map(({ uid, facts }) => [uid, facts]));
    return looks.map(({ uid }) => versionOf(uid, ...(factsBy.get(uid) ?? []), Math.floor(now / hour)));
  });
  return (db: Database, uid: number, now: number, objectId = anywhere): Promise<string> =>
    ask(db, objectId, { uid, now });
}

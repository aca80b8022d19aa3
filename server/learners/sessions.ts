/**
 * Sign-ins of learners. An application signs a learner in and gets a session token (bearer) for that learner only;
 * `learnerOfToken` checks the token. Writes and lookups are batched (group commit), because a class signs in at the same
 * moment.
 */

import { hash, randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Application } from '#server/platform/auth/service-token.ts';
import { forbidden, invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { withDeadline } from '#server/platform/db/deadline.ts';
import { type Database, isDatabaseAway } from '#server/platform/db/engine.ts';
import { groupCommit } from '#server/platform/db/group-commit.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { accessMessages } from '#server/school/rules.ts';
import { isForSchool } from './application-schools.ts';
import { learnerIdle, passwordMessages } from './rules.ts';

/**
 * Seconds between two updates of a sign-in's last use; precise enough, because a sign-in expires after twelve hours.
 */
const lastUseInterval = 5 * 60;
/** Milliseconds that updating the last use may take. */
const lastUseTimeout = 2_000;

const maxSignInsPerBatch = 32;
const maxLookupsPerBatch = 64;
/** Key of the batches: all calls share one queue. */
const singleQueue = 0;

const hashOf = (token: string) => hash('sha256', token, 'base64url');

interface NewSession {
  application: Application;
  studentId: number;
  /** True: the learner can only choose a new password with this sign-in. */
  mustChangePassword?: boolean;
  /** Hash of the device's identifier; '' if the application sent none. */
  deviceHash?: string;
  /** Hash of the password that was checked; undefined if the learner signs in without one. */
  passwordHash?: string | undefined;
  /** Unix seconds. */
  now: number;
}

/**
 * Signs a student in and returns the token; later only its hash is known. 404: no such student. 403: the student is
 * disabled. 422: the password was replaced after it was checked.
 */
export const openLearnerSession = (
  db: Database,
  opening: NewSession,
): Promise<{ token: string; ends_at: number; must_change_password: 0 | 1 } | Refusal> =>
  openInBatch(db, singleQueue, opening);

/** Signs in several students in one transaction (group commit). */
const openInBatch = groupCommit(maxSignInsPerBatch, (db, openings: readonly NewSession[]) =>
  db.transaction().execute((trx) => openAll(trx, openings)),
);

async function openAll(db: Database, openings: readonly NewSession[]) {
  const students = await db
    .selectFrom('student')
    .select(['id', 'disabled_at'])
    .where('id', 'in', [...new Set(openings.map(({ studentId }) => studentId))])
    .where('deleted_at', 'is', null)
    .execute();
  const findStudent = new Map(students.map((student) => [student.id, student]));
  const hashOfStudent = await lockedPasswords(db, openings);
  const sessions: Insertable<Tables['learner_session']>[] = [];
  const outcomes = openings.map((opening) => {
    const { application, studentId, mustChangePassword = false, deviceHash = '', passwordHash, now } = opening;
    const student = findStudent.get(studentId);
    if (!student) return missing(accessMessages.student);
    if (student.disabled_at !== null) return forbidden(accessMessages.disabledStudent);
    if (passwordHash !== undefined && hashOfStudent.get(studentId) !== passwordHash)
      return invalid({ password: [passwordMessages.wrong] });
    const token = `learner_${randomBytes(32).toString('base64url')}`;
    const opened = { token_id: application.id, student_id: studentId, created_at: now, used_at: now, ended_at: null };
    const must_change_password = mustChangePassword ? (1 as const) : (0 as const);
    sessions.push({
      token_hash: hashOf(token),
      ...opened,
      must_change_password,
      device_hash: deviceHash,
    });
    return { token, ends_at: now + learnerIdle, must_change_password };
  });
  if (sessions.length > 0) await db.insertInto('learner_session').values(sessions).execute();
  return outcomes;
}

/**
 * Reads the present password hashes of the learners who sign in with a password. The rows stay locked: whoever replaces
 * a password at the same moment waits, and then ends this session too.
 */
async function lockedPasswords(db: Database, openings: readonly NewSession[]): Promise<Map<number, string>> {
  const ids = openings.flatMap(({ studentId, passwordHash }) => (passwordHash === undefined ? [] : [studentId]));
  if (ids.length === 0) return new Map();
  const passwords = db
    .selectFrom('learner_password')
    .select(['student_id', 'password_hash'])
    .where('student_id', 'in', [...new Set(ids)])
    .orderBy('student_id');
  const rows = await forUpdate(db)(passwords).execute();
  return new Map(rows.map(({ student_id, password_hash }) => [student_id, password_hash]));
}

/** Does what `openLearnerSession` does, inside a transaction of the caller; also returns the id of the sign-in. */
export async function openLearnerSessionWithin(
  db: Database,
  opening: NewSession,
): Promise<{ id: number; token: string; ends_at: number } | Refusal> {
  const [opened] = await openAll(db, [opening]);
  if (!opened || isRefusal(opened)) return opened ?? missing(accessMessages.student);
  const { id } = await db
    .selectFrom('learner_session')
    .select('id')
    .where('token_hash', '=', hashOf(opened.token))
    .executeTakeFirstOrThrow();
  return { id, token: opened.token, ends_at: opened.ends_at };
}

export async function endLearnerSession(db: Database, sessionId: number, now: number): Promise<void> {
  await db.updateTable('learner_session').set({ ended_at: now }).where('id', '=', sessionId).execute();
}

/** Ends all sign-ins of students, except the one with the id `except`. `now` in unix seconds. */
export async function endLearnerSessionsOf(
  db: Database,
  studentIds: readonly number[],
  { now, except = 0 }: { now: number; except?: number },
): Promise<void> {
  await db
    .updateTable('learner_session')
    .set({ ended_at: now })
    .where('student_id', 'in', studentIds)
    .where('ended_at', 'is', null)
    .where('id', '<>', except)
    .execute();
}

/** Ends those sign-ins with these ids that began no later than `begunBefore` (unix seconds). */
export async function endLearnerSessionsById(
  db: Database,
  ids: readonly number[],
  { now, begunBefore }: { now: number; begunBefore: number },
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('learner_session')
    .set({ ended_at: now })
    .where('id', 'in', inIds(db, ids))
    .where('created_at', '<=', begunBefore)
    .where('ended_at', 'is', null)
    .execute();
}

/**
 * Looks up the tokens of several calls in one query. Polls may wait longer, so that a batch fills. Their later queries
 * are then batched too, because they continue in the same turn of the event loop.
 */
const findSession = async (db: Database, hashes: readonly string[]) => {
  // Pads the list of hashes to one of a few lengths, so that each length is one prepared statement. The last hash is
  // repeated.
  const length = lengths.find((one) => one >= hashes.length) ?? maxLookupsPerBatch;
  const places = Array.from({ length }, (_, place) => [placeOf(place), hashes[place] ?? hashes.at(-1) ?? '']);
  const rows = await sessionsBehind(db, Object.fromEntries(places));
  const sessionOf = new Map(rows.map((row) => [row.token_hash, row]));
  return hashes.map((hash) => sessionOf.get(hash));
};
/** Milliseconds between two batches of lookups in a crowd. */
const batchInterval = 40;
/** Milliseconds that a poll waits for its batch. */
const lookWait = 100;
const findSessionInBatch = groupCommit(maxLookupsPerBatch, findSession, { batchInterval });
const lengths = [1, 4, 12, 32, maxLookupsPerBatch];
const placeOf = (place: number) => `hash${place}`;

const sessionsBehind = prepared((db, hashes: Placeholders<Record<string, string>>) =>
  db
    .selectFrom('learner_session')
    .innerJoin('service_token', 'service_token.id', 'learner_session.token_id')
    .innerJoin('student', 'student.id', 'learner_session.student_id')
    .select(['learner_session.id', 'learner_session.student_id', 'learner_session.used_at'])
    .select(['learner_session.token_hash', 'learner_session.must_change_password'])
    .select(['service_token.id as token_id', 'service_token.name', 'service_token.every_school'])
    .where('learner_session.token_hash', 'in', Object.values(hashes))
    .where('learner_session.ended_at', 'is', null)
    .where('service_token.revoked_at', 'is', null)
    .where('student.disabled_at', 'is', null)
    .where('student.deleted_at', 'is', null)
    // Leaves out a student who has moved to a school that the application has no access to.
    .where((eb) => isForSchool(eb.ref('student.school_id'))),
);

/** A learner who is signed in. */
export interface Learner {
  sessionId: number;
  studentId: number;
  /** True: the learner signed in with a first password and must change it before anything else. */
  mustChangePassword: boolean;
}

/** Returns the learner and application of an `Authorization: Bearer learner_…` header, or undefined. */
export async function learnerOfToken(
  db: Database,
  authorization: string | undefined,
  now: number,
  { isLook = false }: { isLook?: boolean } = {},
): Promise<{ application: Application; learner: Learner } | undefined> {
  const token = /^Bearer\s+(learner_[\w-]{20,100})$/i.exec(authorization ?? '')?.[1];
  if (!token) return undefined;
  const row = await findSessionInBatch(db, singleQueue, hashOf(token), { wait: isLook ? lookWait : 0 });
  if (!row || row.used_at <= now - learnerIdle) return undefined;
  if (now - row.used_at >= lastUseInterval) await noteUse(db, singleQueue, { sessionId: row.id, now });
  return {
    application: { id: row.token_id, name: row.name, everySchool: row.every_school === 1 },
    learner: {
      sessionId: row.id,
      studentId: row.student_id,
      mustChangePassword: row.must_change_password === 1,
    },
  };
}

/**
 * Updates the last use in batches, because the intervals of many learners end together. A failure must not fail the
 * request (read-only or locked database).
 */
const noteUse = groupCommit(maxSignInsPerBatch, async (db, uses: readonly { sessionId: number; now: number }[]) => {
  const ids = [...new Set(uses.map(({ sessionId }) => sessionId))];
  const used_at = Math.max(...uses.map(({ now }) => now));
  const note = () => db.updateTable('learner_session').set({ used_at }).where('id', 'in', ids).execute();
  await withDeadline(lastUseTimeout, note).catch((error: unknown) => {
    if (!isDatabaseAway(error)) throw error;
  });
  return uses;
});

/** Purges at most `most` sign-ins unused since `unusedSince` (unix seconds); returns how many. */
export async function purgeLearnerSessions(
  db: Database,
  { unusedSince, most }: { unusedSince: number; most: number },
): Promise<number> {
  const old = db
    .selectFrom('learner_session')
    .select('id')
    .where('used_at', '<', unusedSince)
    .orderBy('used_at')
    .limit(most);
  const { numDeletedRows } = await db.deleteFrom('learner_session').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}

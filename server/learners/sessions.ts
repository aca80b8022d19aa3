/** Learners who are signed in at the school's application: it says who they are, and gets a token that is theirs alone. */

import { hash, randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Application } from '#server/platform/auth/service-token.ts';
import { forbidden, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { withDeadline } from '#server/platform/db/deadline.ts';
import { type Database, isDatabaseAway } from '#server/platform/db/engine.ts';
import { groupCommit } from '#server/platform/db/group-commit.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { accessMessages } from '#server/school/rules.ts';
import { isForSchool } from './application-schools.ts';
import { learnerIdle } from './rules.ts';

/** Seconds between two notes of use: of a time of twelve hours nobody misses them. */
const noteEvery = 5 * 60;
/** Milliseconds for which a note is tried. */
const notePatience = 2_000;

/** Learners who are let in, or looked up, by one statement, and the lane in which they wait for it. */
const atOnce = 32;
const askedAtOnce = 64;
const nowhere = 0;

const hashOf = (token: string) => hash('sha256', token, 'base64url');

interface Opening {
  application: Application;
  studentId: number;
  /** Unix seconds. */
  now: number;
}

/** A token of this student, shown once, here. Refused: 404 there is none, 403 they were put out of use. */
export const openLearnerSession = (
  db: Database,
  opening: Opening,
): Promise<{ token: string; ends_at: number } | Refusal> => openTogether(db, nowhere, opening);

/** Those who come in at once. */
const openTogether = groupCommit(atOnce, async (db, openings: readonly Opening[]) => {
  const students = await db
    .selectFrom('student')
    .select(['id', 'disabled_at'])
    .where('id', 'in', [...new Set(openings.map(({ studentId }) => studentId))])
    .where('deleted_at', 'is', null)
    .execute();
  const studentOf = new Map(students.map((student) => [student.id, student]));
  const sessions: Insertable<Tables['learner_session']>[] = [];
  const outcomes = openings.map(({ application, studentId, now }) => {
    const student = studentOf.get(studentId);
    if (!student) return missing(accessMessages.student);
    if (student.disabled_at !== null) return forbidden(accessMessages.disabledStudent);
    const token = `learner_${randomBytes(32).toString('base64url')}`;
    const opened = { token_id: application.id, student_id: studentId, created_at: now, used_at: now, ended_at: null };
    sessions.push({ token_hash: hashOf(token), ...opened });
    return { token, ends_at: now + learnerIdle };
  });
  if (sessions.length > 0) await db.insertInto('learner_session').values(sessions).execute();
  return outcomes;
});

export async function endLearnerSession(db: Database, sessionId: number, now: number): Promise<void> {
  await db.updateTable('learner_session').set({ ended_at: now }).where('id', '=', sessionId).execute();
}

/**
 * Asked with every call: those who ask while others are looked up are looked up together. Who only looks for news waits for
 * others who do: all that is asked for them afterwards is asked together, too, as they then come in one turn of the loop.
 */
const findSession = async (db: Database, hashes: readonly string[]) => {
  // Few lengths, so that each has a plan that is kept; the last stands for those that are not there.
  const length = lengths.find((one) => one >= hashes.length) ?? askedAtOnce;
  const places = Array.from({ length }, (_, place) => [placeOf(place), hashes[place] ?? hashes.at(-1) ?? '']);
  const rows = await sessionsBehind(db, Object.fromEntries(places));
  const sessionOf = new Map(rows.map((row) => [row.token_hash, row]));
  return hashes.map((hash) => sessionOf.get(hash));
};
/** Milliseconds between two groups of a crowd, and for which a look for news waits. */
const apart = 40;
const lookWait = 100;
const sessionTogether = groupCommit(askedAtOnce, findSession, { apart });
const lengths = [1, 4, 12, 32, askedAtOnce];
const placeOf = (place: number) => `hash${place}`;

const sessionsBehind = prepared((db, hashes: Placeholders<Record<string, string>>) =>
  db
    .selectFrom('learner_session')
    .innerJoin('service_token', 'service_token.id', 'learner_session.token_id')
    .innerJoin('student', 'student.id', 'learner_session.student_id')
    .select(['learner_session.id', 'learner_session.student_id', 'learner_session.used_at'])
    .select('learner_session.token_hash')
    .select(['service_token.id as token_id', 'service_token.name', 'service_token.every_school'])
    .where('learner_session.token_hash', 'in', Object.values(hashes))
    .where('learner_session.ended_at', 'is', null)
    .where('service_token.revoked_at', 'is', null)
    .where('student.disabled_at', 'is', null)
    .where('student.deleted_at', 'is', null)
    // A student who has moved to a school that the application is not bound to.
    .where((eb) => isForSchool(eb.ref('student.school_id'))),
);

/** The learner behind an `Authorization: Bearer learner_…` header, with the application that let them in. */
export async function learnerBehind(
  db: Database,
  authorization: string | undefined,
  now: number,
  { isLook = false }: { isLook?: boolean } = {},
): Promise<{ application: Application; learner: { sessionId: number; studentId: number } } | undefined> {
  const token = /^Bearer\s+(learner_[\w-]{20,100})$/i.exec(authorization ?? '')?.[1];
  if (!token) return undefined;
  const row = await sessionTogether(db, nowhere, hashOf(token), { wait: isLook ? lookWait : 0 });
  if (!row || row.used_at <= now - learnerIdle) return undefined;
  if (now - row.used_at >= noteEvery) await noteUse(db, nowhere, { sessionId: row.id, now });
  return {
    application: { id: row.token_id, name: row.name, everySchool: row.every_school === 1 },
    learner: { sessionId: row.id, studentId: row.student_id },
  };
}

/** Whole minutes of thousands begin together. A database that only reads, or is locked, stops nobody from reading. */
const noteUse = groupCommit(atOnce, async (db, uses: readonly { sessionId: number; now: number }[]) => {
  const ids = [...new Set(uses.map(({ sessionId }) => sessionId))];
  const used_at = Math.max(...uses.map(({ now }) => now));
  const note = () => db.updateTable('learner_session').set({ used_at }).where('id', 'in', ids).execute();
  await withDeadline(notePatience, note).catch((error: unknown) => {
    if (!isDatabaseAway(error)) throw error;
  });
  return uses;
});

/** Takes so many away that were not used since a moment (unix seconds); answers how many those were. */
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

/**
 * Sign-in of learners without a password: a six-digit code is sent to the mobile number of the student or of a contact.
 * Answers never reveal whether a number exists.
 */

import { createHash, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { queueMessages } from '#server/platform/sms/outbox.ts';
import { learnerCodes } from './rules.ts';
import { type NumberRequest, studentsOfNumber } from './students-of-number.ts';

const day = 24 * 60 * 60;

const hashOf = (studentId: number, code: string) =>
  createHash('sha256').update(`${studentId} ${code}`).digest('base64url');

/** Sends a code to each student with this number. Skips students who got a code just now, or too many today. */
export async function sendLearnerCodes(db: Database, request: NumberRequest): Promise<null> {
  const { number, now } = request;
  if (number === '') return null;
  const students = await forUpdate(db)(
    studentsOfNumber(db, request).select([
      'student.id',
      'student.nickname',
      'student.mobile',
      'student.guardian_mobile',
    ]),
    ['student'],
  ).execute();
  for (const { id, nickname, ...numbers } of students) {
    const mobile = numbers.mobile || numbers.guardian_mobile;
    const before = await db.selectFrom('learner_code').selectAll().where('student_id', '=', id).executeTakeFirst();
    const counted = before && now - before.first_sent_at < day ? before : undefined;
    const isTooSoon = before !== undefined && now - before.sent_at < learnerCodes.every;
    if (mobile === '' || isTooSoon || (counted?.sent ?? 0) >= learnerCodes.eachDay) continue;
    const code = String(randomInt(10 ** learnerCodes.digits)).padStart(learnerCodes.digits, '0');
    const kept = {
      code_hash: hashOf(id, code),
      sent_at: now,
      tries: 0,
      first_sent_at: counted?.first_sent_at ?? now,
      sent: (counted?.sent ?? 0) + 1,
    };
    await db
      .insertInto('learner_code')
      .values({ student_id: id, ...kept })
      .onConflict((known) => known.column('student_id').doUpdateSet(kept))
      .execute();
    const minutes = learnerCodes.valid / 60;
    const content = `${nickname}的登录验证码为${code}，${minutes}分钟内有效，请勿告诉他人。`;
    await queueMessages(db, [{ mobile, content, session_id: null, student_id: id }], now);
  }
  return null;
}

/**
 * Returns the student of a code, which is then used up; null if the code is wrong or was tried too often. Each try
 * counts.
 */
export async function studentOfCode(db: Database, request: NumberRequest & { code: string }): Promise<number | null> {
  const { number, code, now } = request;
  if (number === '') return null;
  const ids = (await studentsOfNumber(db, request).select('student.id').execute()).map(({ id }) => id);
  if (ids.length === 0) return null;
  const tried = await db
    .updateTable('learner_code')
    .set({ tries: sql<number>`tries + 1` })
    .where('student_id', 'in', ids)
    .where('sent_at', '>', now - learnerCodes.valid)
    .where('tries', '<', learnerCodes.tries)
    .returning(['student_id', 'code_hash'])
    .execute();
  const found = tried.find(({ student_id, code_hash }) => code_hash === hashOf(student_id, code));
  if (!found) return null;
  await db.updateTable('learner_code').set({ code_hash: '' }).where('student_id', '=', found.student_id).execute();
  return found.student_id;
}

/** Purges codes that have expired and no longer count for the daily limit; returns how many. */
export async function purgeCodes(db: Database, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('learner_code')
    .where('sent_at', '<', now - 2 * day)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Reopens attempts, and so their reports, after an exam's end was moved to a later time. No person may reopen a
 * report. The server had submitted the attempts at the previous end. A student whose own time limit is not used up may
 * resume with the saved answers. The report keeps its marks until it is submitted again, which rewrites it.
 */
import { type Selectable, sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import type { Exam } from '#server/schema/database.ts';
import { attemptEnd } from './rules.ts';

type Attempt = Selectable<Tables['exam_attempt']>;

/** True for an attempt that the server submitted and whose time limit is not used up. */
export const canResume = (
  last: Pick<Attempt, 'by_server' | 'limit_at' | 'report_id'>,
  exam: Pick<Exam, 'end_at'>,
  now: number,
): boolean => {
  const end = attemptEnd(last, exam);
  return last.by_server === 1 && last.report_id !== null && (end === null || end > now);
};

/** Selects the reports of attempts that were resumed and will be submitted again. */
export const resumedReports = (db: Database, examId: number) =>
  db
    .selectFrom('exam_attempt')
    .select(sql<number>`exam_attempt.report_id`.as('id'))
    .where('exam_attempt.exam_id', '=', examId)
    .where('exam_attempt.handed_in_at', 'is', null)
    .where('exam_attempt.report_id', 'is not', null);

/** Reopens, with the saved answers, the last attempt of each student who may resume. */
export async function reopenAttempts(
  db: Database,
  exam: Exam,
  students: readonly { studentId: number; now: number }[],
): Promise<void> {
  if (students.length === 0) return;
  const nowOf = new Map(students.map(({ studentId, now }) => [studentId, now]));
  const last = db
    .selectFrom('exam_attempt')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('exam_id', '=', exam.id)
    .where('student_id', 'in', [...nowOf.keys()])
    .groupBy('student_id');
  const handedIn = await forUpdate(db)(
    db.selectFrom('exam_attempt').selectAll().where('id', 'in', last).where('by_server', '=', 1).orderBy('id'),
  ).execute();
  const attempts = handedIn.filter((one) => canResume(one, exam, nowOf.get(one.student_id) ?? 0));
  if (attempts.length === 0) return;
  const ids = attempts.map(({ id }) => id);
  await db.updateTable('exam_attempt').set({ handed_in_at: null, by_server: 0 }).where('id', 'in', ids).execute();
  await db
    .insertInto('exam_attempt_answer')
    .columns(['attempt_id', 'question_id', 'user_answer', 'is_sign', 'serial', 'saved_at', 'version'])
    .expression((eb) =>
      eb
        .selectFrom('exam_attempt')
        .innerJoin('exam_answer', 'exam_answer.report_id', 'exam_attempt.report_id')
        .innerJoin('exam_report', 'exam_report.id', 'exam_attempt.report_id')
        .select(['exam_attempt.id', 'exam_answer.question_id', 'exam_answer.user_answer', 'exam_answer.is_sign'])
        .select(sql<number>`0`.as('serial'))
        .select('exam_report.submit_time')
        // Each save raises a version by at most one, so this exceeds any version that devices know. They must read the
        // answers again.
        .select(sql<number>`exam_attempt.saves + 1`.as('version'))
        .where('exam_attempt.id', 'in', ids)
        .where((or) => or.or([or('exam_answer.user_answer', '<>', ''), or('exam_answer.is_sign', '=', 1)])),
    )
    // Rows with superseded answers (`aside`) were kept when the attempt was submitted.
    .onConflict((kept) => kept.columns(['attempt_id', 'question_id']).doNothing())
    .execute();
}

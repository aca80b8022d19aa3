/** Starts or resumes attempts. From then on the server's clock measures the time limit. */
import type { Insertable } from 'kysely';
import { conflict, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { groupCommit } from '#server/platform/db/group-commit.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import type { Exam } from '#server/schema/database.ts';
import { endAttempts } from './attempt-end.ts';
import {
  batchSize,
  isEndReached,
  latestTime,
  lockAttempts,
  lockExam,
  studentIdsJson,
  type Taker,
  visibleStudents,
} from './attempts.ts';
import { reopenAttempts } from './reopening.ts';
import { attemptEnd, examMessages, examSubmitFault, missingExam } from './rules.ts';

export interface StartedAttempt {
  attempt_id: number;
  started_at: number;
  /** Unix seconds; null: the attempt has no end. */
  ends_at: number | null;
  now: number;
}

/**
 * Starts an attempt, or resumes the student's open one. If the exam's end was moved to a later time, it also reopens an
 * attempt that the server submitted at the earlier end. 404: not visible. 409: not open, or no attempts left.
 */
export const startAttempt = (db: Database, taker: Taker): Promise<StartedAttempt | Refusal> =>
  startBatch(db, taker.examId, taker);

const startBatch = groupCommit(batchSize, (db: Database, takers: readonly Taker[], examId) =>
  db.transaction().execute(async (trx): Promise<(StartedAttempt | Refusal)[]> => {
    const exam = await lockExam(trx, examId);
    if (!exam) return takers.map(() => missing(missingExam));
    const reached = await visibleStudents(trx, exam, takers);
    const goingOn = await lockAttempts(trx, examId, takers);
    const over = takers.flatMap(({ studentId, now }) => {
      const attempt = goingOn.get(studentId);
      const end = attempt && attemptEnd(attempt, exam);
      return attempt && isEndReached(end ?? null, now) ? [{ attempt, at: end ?? now, byServer: 1 as const }] : [];
    });
    // Attempts whose time is up but which the server has not submitted yet.
    const ending = new Map(over.map((one) => [one.attempt.id, one]));
    if (ending.size > 0) await endAttempts(trx, exam, [...ending.values()], latestTime(takers));
    for (const { attempt } of ending.values()) goingOn.delete(attempt.student_id);
    const without = takers.filter(({ studentId }) => reached.has(studentId) && !goingOn.has(studentId));
    await reopenAttempts(trx, exam, without);
    const reopened = without.length > 0 ? await lockAttempts(trx, examId, without) : goingOn;
    const beginning = without.filter(({ studentId }) => !reopened.has(studentId));
    const refusals = await beginAttempts(trx, exam, beginning);
    const attempts = without.length > 0 ? await lockAttempts(trx, examId, takers) : goingOn;
    return takers.map(({ studentId, now }) => {
      if (!reached.has(studentId)) return missing(missingExam);
      const attempt = attempts.get(studentId);
      return attempt ? startedOf(attempt, exam, now) : (refusals.get(studentId) ?? conflict(examMessages.handedIn));
    });
  }),
);

/** Starts an attempt for each student; returns the refusals by student id. */
async function beginAttempts(db: Database, exam: Exam, takers: readonly Taker[]): Promise<Map<number, Refusal>> {
  const refusals = new Map<number, Refusal>();
  if (takers.length === 0) return refusals;
  const reports = await earlierReports(db, { examId: exam.id, uids: studentIdsJson(takers) });
  const earlierOf = new Map(reports.map(({ student_id, reports: times }) => [student_id, times]));
  const begun = new Map<number, Insertable<Tables['exam_attempt']>>();
  for (const { studentId, now } of takers) {
    const earlier = earlierOf.get(studentId) ?? 0;
    const refusal = refuseFor('conflict', examSubmitFault(exam, { at: now, earlier }, '作答'));
    if (refusal) refusals.set(studentId, refusal);
    else {
      const limit_at = exam.limit_time > 0 ? now + exam.limit_time : null;
      const open = { started_at: now, limit_at, handed_in_at: null, report_id: null };
      begun.set(studentId, { exam_id: exam.id, student_id: studentId, ...open });
    }
  }
  if (begun.size === 0) return refusals;
  await db
    .insertInto('exam_attempt')
    .values([...begun.values()])
    // If another device of the student has just started an attempt, that one is used.
    .onConflict((known) => known.columns(['exam_id', 'student_id']).where('handed_in_at', 'is', null).doNothing())
    .execute();
  return refusals;
}

const earlierReports = prepared((db, { examId, uids }: Placeholders<{ examId: number; uids: string }>) =>
  db
    .selectFrom('exam_report')
    .select((eb) => ['student_id', eb.fn.countAll<number>().as('reports')])
    .where('exam_id', '=', examId)
    .where('student_id', 'in', inJsonIds(db, uids))
    .groupBy('student_id'),
);

const startedOf = (attempt: { id: number; started_at: number; limit_at: number | null }, exam: Exam, now: number) => ({
  attempt_id: attempt.id,
  started_at: attempt.started_at,
  ends_at: attemptEnd(attempt, exam),
  now,
});

import { sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import type { Exam } from '#server/schema/database.ts';
import { testStatus } from './rules.ts';

/** True if the report is graded and reaches the pass score. */
export const isPassed = (report: { test_status: number; user_score: number }, exam: Pick<Exam, 'pass_score'>) =>
  report.test_status === testStatus.reviewed && report.user_score >= exam.pass_score;

/** Selects the reports that have a rank: each student's effective submission, once it is graded. */
export const rankedReports = (db: Database, examId: number) =>
  db
    .selectFrom('exam_report')
    .where('exam_report.exam_id', '=', examId)
    .where(sql<boolean>`exam_report.is_effective = 1 and exam_report.test_status = 3`);

/**
 * Returns the rank of each score, highest first, with equal ranks for equal scores (1, 1, 3), and the number of ranked
 * students.
 */
export async function examRanks(
  db: Database,
  examId: number,
  scores: readonly number[],
): Promise<{ rankOf: (score: number) => number; ranked: number }> {
  const least = scores.length > 0 ? Math.min(...scores) : 0;
  const [higher, all] = await Promise.all([
    rankedReports(db, examId)
      .select((eb) => ['user_score', eb.fn.countAll<number>().as('students')])
      .where('user_score', '>', least)
      .groupBy('user_score')
      .execute(),
    rankedReports(db, examId)
      .select((eb) => eb.fn.countAll<number>().as('students'))
      .executeTakeFirstOrThrow(),
  ]);
  const rankOf = (score: number) =>
    1 + higher.reduce((before, row) => before + (row.user_score > score ? Number(row.students) : 0), 0);
  return { rankOf, ranked: Number(all.students) };
}

/** False for an exam without scores, which has no ranks and in which nobody passes or fails. */
export const isScored = ({ score }: Pick<Exam, 'score'>): boolean => score > 0;

/** 1: passed. 2: failed. 0: ungraded, or an exam without scores. */
export function passResult(
  report: { test_status: number; user_score: number },
  exam: Pick<Exam, 'score' | 'pass_score'>,
): 0 | 1 | 2 {
  if (report.test_status === testStatus.waiting || !isScored(exam)) return 0;
  return isPassed(report, exam) ? 1 : 2;
}

/** 1: passed. 0: failed. Null: ungraded, or an exam without scores. */
export const passFlag = (...args: Parameters<typeof passResult>): 0 | 1 | null =>
  (({ 0: null, 1: 1, 2: 0 }) as const)[passResult(...args)];

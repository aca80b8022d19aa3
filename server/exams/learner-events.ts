/** Emits events about exams for the school's application. */

import { emitLearnerEvent } from '#server/learners/events.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { reachedStudents } from './exam-classes.ts';

interface GradedReport {
  id: number;
  exam_id: number;
  student_id: number;
}

/** Emits an event for each graded report of an exam. */
export async function emitExamGraded(db: Database, reports: readonly GradedReport[], now: number): Promise<void> {
  const about = reports.map(({ id, student_id }) => ({ studentId: student_id, recordId: id }));
  const details = { of: 'exam', exam_id: reports[0]?.exam_id ?? 0 };
  await emitLearnerEvent(db, { kind: 'report.graded', about, details }, now);
}

/** Emits an event for every student of the query `reached`. */
export async function emitExamPublished(
  db: Database,
  { id, name, start_at, end_at }: { id: number; name: string; start_at: number | null; end_at: number | null },
  reached: ReturnType<typeof reachedStudents>,
  now: number,
): Promise<void> {
  const students = await reached.select('student.id').execute();
  const about = students.map((student) => ({ studentId: student.id, recordId: id }));
  await emitLearnerEvent(db, { kind: 'exam.published', about, details: { name, start_at, end_at } }, now);
}

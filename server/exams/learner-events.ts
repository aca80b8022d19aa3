/** What learners' applications are told of exams. */
import type { Database } from '#server/platform/db/engine.ts';
import { eachOf, tellLearners } from '#server/school/learner-events.ts';

export const tellExamGraded = (
  db: Database,
  { id, exam_id, student_id }: { id: number; exam_id: number; student_id: number },
  now: number,
): Promise<void> =>
  tellLearners(db, { kind: 'report.graded', about: eachOf([student_id], id), details: { of: 'exam', exam_id } }, now);

/** To all students of these schools. */
export async function tellExamPublished(
  db: Database,
  { id, name, start_at, end_at }: { id: number; name: string; start_at: number | null; end_at: number | null },
  schoolIds: readonly number[],
  now: number,
): Promise<void> {
  const students = await db
    .selectFrom('student')
    .select('id')
    .where('school_id', 'in', schoolIds)
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .execute();
  const about = students.map((student) => ({ studentId: student.id, recordId: id }));
  await tellLearners(db, { kind: 'exam.published', about, details: { name, start_at, end_at } }, now);
}

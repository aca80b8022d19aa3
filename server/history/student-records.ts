import type { Expression } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import type { HistoryRecord } from './rules.ts';

/** Returns, by record type, the ids of the records about these students. */
export function recordsOfStudents(
  db: Database,
  students: readonly number[],
): [record: HistoryRecord, ids: Expression<{ id: number }>][] {
  if (students.length === 0) return [];
  const about = [...students];
  const reports = db.selectFrom('report').select('report.id').where('report.student_id', 'in', about);
  const sheets = db.selectFrom('exam_report').select('exam_report.id').where('exam_report.student_id', 'in', about);
  return [
    ['student', db.selectFrom('student').select('id').where('id', 'in', about)],
    ['class_student', db.selectFrom('class_student').select('id').where('student_id', 'in', about)],
    ['report', reports],
    ['answer', db.selectFrom('answer').select('id').where('report_id', 'in', reports)],
    ['exam_report', sheets],
    ['exam_answer', db.selectFrom('exam_answer').select('id').where('report_id', 'in', sheets)],
    ['attendance', db.selectFrom('attendance').select('id').where('student_id', 'in', about)],
    ['session_student', db.selectFrom('session_student').select('id').where('student_id', 'in', about)],
    ['learner_link', db.selectFrom('learner_link').select('id').where('student_id', 'in', about)],
    ['community_post', db.selectFrom('community_post').select('id').where('student_id', 'in', about)],
  ];
}

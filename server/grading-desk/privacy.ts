/**
 * Erases snapshots of answers that exist for undo, because they contain comments. A batch with erased answers can no
 * longer be undone.
 */
import type { Database } from '#server/platform/db/engine.ts';
import { type Person, type PersonalTable, unsharedFileKeys } from '#server/platform/db/privacy.ts';

function answerSnapshots(db: Database, { id }: Person) {
  const batches = (record: 'answer' | 'exam_answer') =>
    db.selectFrom('grading_batch').select('grading_batch.id').where('record', '=', record);
  const homework = db.selectFrom('report').select('report.id').where('student_id', '=', id);
  const exams = db.selectFrom('exam_report').select('exam_report.id').where('student_id', '=', id);
  return db
    .selectFrom('grading_batch_answer')
    .where((eb) =>
      eb.or([
        eb.and([eb('report_id', 'in', homework), eb('batch_id', 'in', batches('answer'))]),
        eb.and([eb('report_id', 'in', exams), eb('batch_id', 'in', batches('exam_answer'))]),
      ]),
    );
}

export const personalGrading: readonly PersonalTable[] = [
  {
    table: 'grading_batch_answer',
    becomes: 'deleted',
    rows: answerSnapshots,
    isOthers: 1,
    async erase(db, who) {
      const rows = await answerSnapshots(db, who).select(['batch_id', 'answer_id', 'before']).execute();
      for (const { batch_id, answer_id } of rows) {
        await db
          .deleteFrom('grading_batch_answer')
          .where('batch_id', '=', batch_id)
          .where('answer_id', '=', answer_id)
          .execute();
      }
      return unsharedFileKeys(rows);
    },
  },
];

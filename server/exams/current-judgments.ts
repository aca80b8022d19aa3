/** Reads graders' judgments of an exam's blanks, except those that were undone. */
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';

/** Ordered from the oldest, so that a later judgment of the same text wins. */
export const currentExamJudgments = prepared((db, { examId }: Placeholders<{ examId: number }>) =>
  db
    .selectFrom('exam_blank_judgment')
    .innerJoin('exam_question', 'exam_question.id', 'exam_blank_judgment.question_id')
    .leftJoin('staff', 'staff.id', 'exam_blank_judgment.staff_id')
    .select(['exam_blank_judgment.id', 'question_id', 'blank', 'answer_hash', 'is_right', 'reason', 'at'])
    .select('staff.real_name as name')
    .where('exam_question.exam_id', '=', examId)
    .where('undone_at', 'is', null)
    .orderBy('exam_blank_judgment.id'),
);

/** Reads graders' judgments of an exam's blanks, except undone ones. */
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';

/** Oldest first, so that later judgments win. */
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

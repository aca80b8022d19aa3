/**
 * Effect of erasing a student on the student's exams: marks stay, and a report that waits for a grader is finished
 * without a mark.
 */
import { emptyReviewColumns, eraseAnswers } from '#server/grading/answer-erasure.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { valuesTable } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { type Person, type PersonalTable, unsharedFileKeys } from '#server/platform/db/privacy.ts';
import { finishUnmarked } from './grading.ts';
import { attemptEnd } from './rules.ts';

const reports = (db: Database, { id }: Person) => db.selectFrom('exam_report').where('student_id', '=', id);
const answers = (db: Database, who: Person) =>
  db.selectFrom('exam_answer').where('exam_answer.report_id', 'in', reports(db, who).select('exam_report.id'));
const attempts = (db: Database, { id }: Pick<Person, 'id'>) =>
  db.selectFrom('exam_attempt').where('student_id', '=', id);
const attemptAnswers = (db: Database, who: Person) =>
  db.selectFrom('exam_attempt_answer').where('attempt_id', 'in', attempts(db, who).select('exam_attempt.id'));

/** Returns the exam that the student is taking now, and locks it; exams without end are ignored. */
export async function examUnderWay(db: Database, id: number): Promise<{ name: string; ends_at: number } | undefined> {
  const open = await forUpdate(db)(
    attempts(db, { id })
      .innerJoin('exam', 'exam.id', 'exam_attempt.exam_id')
      .select(['exam.name', 'exam.end_at', 'exam_attempt.limit_at'])
      .where('exam_attempt.handed_in_at', 'is', null)
      .orderBy('exam_attempt.id'),
    ['exam_attempt'],
  ).execute();
  const [first] = open.flatMap(({ name, ...times }) => {
    const ends_at = attemptEnd(times, times);
    return ends_at === null ? [] : [{ name, ends_at }];
  });
  return first;
}

/** Maximum number of rows per SQL statement. */
const atOnce = 500;

/** Empties the student's answers, as `emptyAnswers` in homework does. */
async function emptyAnswers(db: Database, who: Person): Promise<string[]> {
  const rows = await answers(db, who)
    .innerJoin('exam_question', 'exam_question.id', 'exam_answer.question_id')
    .select(['exam_answer.id', 'exam_answer.user_answer', 'exam_answer.review_attachments'])
    .select(['exam_answer.review_images', 'exam_answer.review_comment', 'exam_answer.answer_key'])
    .select('exam_question.ques_option')
    .execute();
  const emptied = eraseAnswers(rows);
  for (let from = 0; from < emptied.length; from += atOnce) {
    await db
      .updateTable('exam_answer')
      .from(valuesTable(db, { id: 'integer', user_answer: 'text' }, emptied.slice(from, from + atOnce)))
      .set((eb) => ({
        user_answer: eb.ref('given.user_answer'),
        ...emptyReviewColumns,
        version: eb('exam_answer.version', '+', 1),
      }))
      .whereRef('exam_answer.id', '=', 'given.id')
      .execute();
  }
  const questions = await db
    .selectFrom('exam_question')
    .select(['ques_stem', 'ques_option', 'right_answer', 'ques_analysis', 'attachments'])
    .where('exam_id', 'in', reports(db, who).select('exam_report.exam_id'))
    .execute();
  return unsharedFileKeys(
    rows.map(({ ques_option: _, ...answer }) => answer),
    questions,
  );
}

export const personalExams: readonly PersonalTable[] = [
  { table: 'exam_answer', becomes: 'emptied', rows: answers, erase: emptyAnswers },
  {
    table: 'exam_attempt_answer',
    becomes: 'deleted',
    rows: attemptAnswers,
    async erase(db, who) {
      const saved = await attemptAnswers(db, who).select(['user_answer', 'aside']).execute();
      await db
        .deleteFrom('exam_attempt_answer')
        .where('attempt_id', 'in', attempts(db, who).select('exam_attempt.id'))
        .execute();
      return unsharedFileKeys(saved);
    },
  },
  {
    // An attempt at an exam without end is ended, because nobody will resume it.
    table: 'exam_attempt',
    becomes: 'kept',
    rows: attempts,
    async erase(db, { id, now }) {
      await db
        .updateTable('exam_attempt')
        .set({ handed_in_at: now, by_server: 1 })
        .where('student_id', '=', id)
        .where('handed_in_at', 'is', null)
        .execute();
      return [];
    },
  },
  {
    table: 'exam_report',
    becomes: 'emptied',
    rows: reports,
    async erase(db, { id, actor, now }) {
      await finishUnmarked(db, { studentId: id, actor, now });
      await db
        .updateTable('exam_report')
        .set({ comment: '' })
        .where('student_id', '=', id)
        .where('comment', '!=', '')
        .execute();
      return [];
    },
  },
];

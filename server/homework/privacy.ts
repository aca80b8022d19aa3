/** Erases personal data in homework. Scores stay; reports with ungraded answers are closed. */

import { emptyReviewColumns, eraseAnswers } from '#server/grading/answer-erasure.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { valuesTable } from '#server/platform/db/json-rows.ts';
import { containsAnyText, type Person, type PersonalTable, unsharedFileKeys } from '#server/platform/db/privacy.ts';
import { finishUnmarked } from './report-grading.ts';

const reports = (db: Database, { id }: Person) => db.selectFrom('report').where('student_id', '=', id);
const answers = (db: Database, who: Person) =>
  db.selectFrom('answer').where('answer.report_id', 'in', reports(db, who).select('report.id'));
const answerDrafts = (db: Database, who: Person) =>
  db.selectFrom('answer_draft').where('report_id', 'in', reports(db, who).select('report.id'));
const forms = (db: Database, { texts }: Person) =>
  db
    .selectFrom('homework_draft')
    .where((eb) =>
      eb.or([containsAnyText('form', texts), containsAnyText('name', texts), containsAnyText('address', texts)]),
    );

/** Rows per statement. */
const rowsPerStatement = 500;

/**
 * Empties the student's answers and raises their versions, so that a grader who has one on the screen gets a conflict.
 * Returns the files to delete. Pictures of questions are kept, even if an answer names them.
 */
async function emptyAnswers(db: Database, who: Person): Promise<string[]> {
  const rows = await answers(db, who)
    .innerJoin('homework_question', 'homework_question.id', 'answer.question_id')
    .select(['answer.id', 'answer.user_answer', 'answer.review_attachments', 'answer.review_images'])
    .select(['answer.review_comment', 'answer.answer_key', 'homework_question.ques_option'])
    .execute();
  const emptied = eraseAnswers(rows);
  for (let from = 0; from < emptied.length; from += rowsPerStatement) {
    await db
      .updateTable('answer')
      .from(valuesTable(db, { id: 'integer', user_answer: 'text' }, emptied.slice(from, from + rowsPerStatement)))
      .set((eb) => ({
        user_answer: eb.ref('given.user_answer'),
        ...emptyReviewColumns,
        version: eb('answer.version', '+', 1),
      }))
      .whereRef('answer.id', '=', 'given.id')
      .execute();
  }
  const questions = await db
    .selectFrom('homework_question')
    .select(['ques_stem', 'ques_option', 'right_answer', 'ques_analysis'])
    .where('homework_id', 'in', reports(db, who).select('report.homework_id'))
    .execute();
  return unsharedFileKeys(
    rows.map(({ ques_option: _, ...answer }) => answer),
    questions,
  );
}

export const personalHomework: readonly PersonalTable[] = [
  {
    table: 'answer',
    becomes: 'emptied',
    rows: answers,
    erase: emptyAnswers,
  },
  {
    table: 'answer_draft',
    becomes: 'deleted',
    rows: answerDrafts,
    async erase(db, who) {
      const drafts = await answerDrafts(db, who).select('answers').execute();
      await db.deleteFrom('answer_draft').where('report_id', 'in', reports(db, who).select('report.id')).execute();
      return unsharedFileKeys(drafts);
    },
  },
  {
    table: 'report',
    becomes: 'emptied',
    rows: reports,
    async erase(db, { id, actor, now }) {
      await finishUnmarked(db, { studentId: id, actor, now });
      await db
        .updateTable('report')
        .set({ comment: '' })
        .where('student_id', '=', id)
        .where('comment', '!=', '')
        .execute();
      return [];
    },
  },
  {
    table: 'homework_draft',
    becomes: 'deleted',
    rows: forms,
    isOthers: 1,
    async erase(db, who) {
      await db.deleteFrom('homework_draft').where('id', 'in', forms(db, who).select('id')).execute();
      return [];
    },
  },
];

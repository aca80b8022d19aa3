/** The exams of the demo school: every state, and scores that agree with the rules. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillDemoSchool } from '#server/demo/school.ts';
import { isMatching } from '#server/exams/rules.ts';
import { examOptions } from '#server/exams/stored-options.ts';
import { meetsFinishConditions, scoreExamAnswer } from '#server/exams/submission.ts';
import { examsOf } from '#server/exams/visible.ts';
import { answerHtml } from '#server/grading/answer-content.ts';
import { isMaterial, isSubjective, markedStatus } from '#server/grading/rules.ts';
import { reportTotals, type ScoredAnswer, subjectiveAnswer } from '#server/grading/scoring.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { migrate } from '#server/schema/migrate.ts';
import { expectExamSumsToBeRight } from '../support/exams.ts';

const now = 1_795_147_200;

describe('the exams of the demo school', () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = openDatabase(':memory:');
    await migrate(database);
    await fillDemoSchool(database, { size: 'small', now });
  });
  afterAll(() => database.destroy());

  it('have no unclosed formula in a written answer', async () => {
    const answers = await database.db.selectFrom('exam_answer').select('user_answer').execute();
    expect(answers.filter(({ user_answer }) => user_answer.split('$').length % 2 === 0)).toEqual([]);
  });

  it('show every formula of a written answer, as homework does', async () => {
    const wrong: string[] = [];
    for (const table of ['exam_answer', 'answer'] as const) {
      const written = await database.db.selectFrom(table).select('user_answer').distinct().execute();
      for (const { user_answer } of written) {
        const answer = subjectiveAnswer(user_answer);
        if (answer.format !== 'html') continue;
        const formulas = (answer.content.split('$').length - 1) / 2;
        if (answerHtml(answer).split('<annotation').length - 1 !== formulas) wrong.push(answer.content);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('have a history with a comment only where one was written', async () => {
    const told = await database.db
      .selectFrom('history')
      .select(['before', 'after'])
      .where('record', 'in', ['answer', 'exam_answer'])
      .where('action', '=', 'grade')
      .execute();
    const comments = told.map(({ before, after }) => [before, after].map((side) => JSON.parse(side ?? '{}').comment));
    expect(comments.filter(([, after]) => after === '')).toEqual([]);
    expect(comments.filter(([before, after]) => (before === undefined) !== (after === undefined))).toEqual([]);
    expect(new Set(comments.map(([, after]) => after === undefined))).toEqual(new Set([true, false]));
  });

  it('have scores and sums that agree with the rules', async () => {
    const { db } = database;
    const exams = new Map((await db.selectFrom('exam').selectAll().execute()).map((exam) => [exam.id, exam]));
    const questions = new Map((await db.selectFrom('exam_question').selectAll().execute()).map((one) => [one.id, one]));
    const answers = await db.selectFrom('exam_answer').selectAll().execute();
    const wrong: unknown[] = [];
    for (const report of await db.selectFrom('exam_report').selectAll().execute()) {
      const exam = exams.get(report.exam_id);
      const own = answers.filter((answer) => answer.report_id === report.id);
      const scored = own.map((answer) => {
        const question = questions.get(answer.question_id);
        if (!question || !exam) throw new Error('an answer without question');
        const expected = scoreExamAnswer(question, answer.user_answer);
        const isFit =
          answer.reviewed_by === null
            ? answer.status === expected.status && answer.score === expected.score
            : expected.status === 4 && answer.status === markedStatus(question.score, answer.score ?? -1);
        if (!isFit) wrong.push(answer);
        return {
          status: answer.status as ScoredAnswer['status'],
          score: answer.score,
          subjective: isSubjective(question.ques_type),
        };
      });
      const { status, ...totals } = reportTotals(scored);
      const asked = [...questions.values()].filter((one) => one.exam_id === exam?.id && !isMaterial(one.ques_type));
      const isFit =
        report.test_status === status &&
        report.user_score === totals.user_score &&
        report.objective_score === totals.objective_score &&
        report.subjective_score === totals.subjective_score &&
        own.length === asked.length &&
        report.submit_time > (exam?.created_at ?? now) &&
        report.submit_time <= now &&
        (report.graded_at === null) === (report.test_status === 2) &&
        exam !== undefined &&
        report.is_finish_conditions === (meetsFinishConditions(exam, report.answer_time, scored) ? 1 : 0);
      if (!isFit) wrong.push(report);
    }
    for (const exam of exams.values()) {
      const own = [...questions.values()].filter((question) => question.exam_id === exam.id);
      const top = own.filter((question) => question.parent_id === null);
      if (exam.score !== top.reduce((sum, question) => sum + question.score, 0)) wrong.push(exam);
      if (exam.ques_num !== own.filter((question) => !isMaterial(question.ques_type)).length) wrong.push(exam);
    }
    expect(wrong.slice(0, 3), `${wrong.length} wrong`).toEqual([]);
    await expectExamSumsToBeRight(db);
  });

  it.each(['teacher', 'assist'])('show %s an exam of every kind', async (username) => {
    const { db } = database;
    const actor = await db
      .selectFrom('staff')
      .select(['id', 'school_id as schoolId'])
      .where('username', '=', username)
      .executeTakeFirstOrThrow();
    const exams = await db.selectFrom('exam').selectAll().where('id', 'in', examsOf(db, actor)).execute();
    const figures = await db.selectFrom('exam_figures').selectAll().execute();
    const of = (id: number) => figures.filter((one) => one.exam_id === id);
    const reports = await db.selectFrom('exam_report').selectAll().execute();
    const own = exams.filter((exam) => exam.creator_id === actor.id);
    const kinds: Record<string, unknown[]> = {
      'an own draft': own.filter((exam) => exam.status === 2),
      'somebody else’s': exams.filter((exam) => exam.creator_id !== actor.id),
      'of another school': exams.filter((exam) => exam.school_id !== actor.schoolId),
      'an own one taken in several schools': own.filter((exam) => of(exam.id).length > 1),
      'without reports': exams.filter((exam) => exam.status === 1 && of(exam.id).length === 0),
      'without limit': exams.filter((exam) => exam.limit_time === 0),
      'without score': exams.filter((exam) => exam.score === 0),
      'with waiting and reviewed reports': exams.filter((exam) =>
        of(exam.id).some((one) => one.graded_count > 5 && one.submitted_count > one.graded_count),
      ),
      'with failed ones': exams.filter((exam) => of(exam.id).some((one) => one.passed_count < one.graded_count)),
      'with earlier submissions': reports.filter(
        (report) => report.is_effective === 0 && exams.some((exam) => exam.id === report.exam_id),
      ),
      'with a long name': exams.filter((exam) => exam.name.length > 40),
      'of 60 questions and more': exams.filter((exam) => exam.ques_num >= 60),
    };
    expect(Object.keys(kinds).filter((kind) => kinds[kind]?.length === 0)).toEqual([]);
    expect((await db.selectFrom('exam').select('id').execute()).length).toBeGreaterThan(exams.length);
  });

  it('have all seven question types, matching, formulas and pictures', async () => {
    const questions = await database.db.selectFrom('exam_question').selectAll().execute();
    expect([...new Set(questions.map((question) => question.ques_type))].sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(questions.some((question) => isMatching(examOptions(question.ques_option)))).toBe(true);
    expect(questions.some((question) => question.ques_stem.includes('<img'))).toBe(true);
    expect(questions.some((question) => question.ques_stem.includes('$'))).toBe(true);
    const answers = await database.db.selectFrom('exam_answer').select('user_answer').execute();
    expect(answers.some((answer) => answer.user_answer.includes('data:image/png'))).toBe(true);
  });
});

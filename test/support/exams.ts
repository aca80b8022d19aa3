/** Adds exams to the test school. Scores are tenths of a point. */

import { sql } from 'kysely';
import { expect } from 'vitest';
import { adjustMarkCounts, countGraded } from '#server/exams/figures.ts';
import { recountExam } from '#server/exams/recount.ts';
import { submitExam } from '#server/exams/submission.ts';
import { isSubjective, markedStatus } from '#server/grading/rules.ts';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { noon } from './school.ts';

export interface NewQuestion {
  type: number;
  score: number;
  right?: string;
  options?: unknown;
  stem?: string;
  answerScore?: string;
  parts?: NewQuestion[];
}

export interface NewExam {
  creator: number;
  school: number;
  name?: string;
  shared?: number[];
  status?: 1 | 2;
  category?: number;
  limit?: number;
  passScore?: number;
  questions?: NewQuestion[];
  created?: number;
}

const options = (count: number, right: string) =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      content: `选项${index + 1}`,
      is_right: right.split(',').includes(String(index + 1)) ? 1 : 2,
    })),
  );

/**
 * A question of each type: single choice, true/false, multiple choice, matching, fill-in, short answer, and a material
 * with two parts. 100 points in total.
 */
export const everyType: NewQuestion[] = [
  { type: 1, score: 100, right: '2', options: options(4, '2') },
  { type: 2, score: 50, right: '1', options: options(2, '1') },
  { type: 3, score: 150, right: '1,3', options: options(4, '1,3') },
  {
    type: 4,
    score: 100,
    right: '1-3,2-4',
    options: JSON.stringify([
      { id: 1, content: '一', is_right: 2, side: 'left' },
      { id: 2, content: '二', is_right: 2, side: 'left' },
      { id: 3, content: '甲', is_right: 2, side: 'right' },
      { id: 4, content: '乙', is_right: 2, side: 'right' },
    ]),
  },
  { type: 7, score: 100, right: '3@@5', answerScore: '30@@70' },
  { type: 5, score: 200, right: '略' },
  {
    type: 6,
    score: 300,
    parts: [
      { type: 1, score: 100, right: '1', options: options(3, '1') },
      { type: 5, score: 200, right: '略' },
    ],
  },
];

/** Creates an exam. Returns it with the ids of its answerable questions in order. */
export async function addExam(
  db: Database,
  exam: NewExam,
): Promise<{ id: number; questions: number[]; all: number[] }> {
  const asked = exam.questions ?? everyType;
  const { id } = await db
    .insertInto('exam')
    .values({
      name: exam.name ?? '期中考试',
      category_id: exam.category ?? null,
      limit_time: exam.limit ?? 3600,
      score: asked.reduce((sum, question) => sum + question.score, 0),
      pass_score: exam.passScore ?? 600,
      ques_num: asked.reduce((sum, question) => sum + (question.parts?.length ?? 1), 0),
      status: exam.status ?? 1,
      creator_id: exam.creator,
      school_id: exam.school,
      created_at: exam.created ?? noon,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const school_id of exam.shared ?? [])
    await db.insertInto('exam_school').values({ exam_id: id, school_id }).execute();
  const section = await db
    .insertInto('exam_section')
    .values({ exam_id: id, name: '一、全部题目', sort: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const questions: number[] = [];
  const all: number[] = [];
  const add = async (question: NewQuestion, sort: number, parentId: number | null) => {
    const added = await db
      .insertInto('exam_question')
      .values({
        exam_id: id,
        section_id: section.id,
        source_id: null,
        parent_id: parentId,
        sort,
        ques_type: question.type,
        ques_stem: question.stem ?? `<p>第${sort}题</p>`,
        ques_option: typeof question.options === 'string' ? question.options : '[]',
        right_answer: question.right ?? '',
        score: question.score,
        answer_score: question.answerScore ?? '',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    all.push(added.id);
    if (question.type !== 6) questions.push(added.id);
    for (const [index, part] of (question.parts ?? []).entries()) await add(part, index + 1, added.id);
  };
  for (const [index, question] of asked.entries()) await add(question, index + 1, null);
  return { id, questions, all };
}

/** Hands in a report of the exam. `answers` are in the order of the questions; missing ones stay unanswered. */
export async function submitExamReport(
  db: Database,
  exam: { id: number; questions: number[] },
  studentId: number,
  answers: string[],
  { at = noon, seconds = 600 }: { at?: number; seconds?: number } = {},
): Promise<number> {
  const submitted = await submitExam(db, {
    examId: exam.id,
    studentId,
    answers: answers.flatMap((userAnswer, index) => {
      const questionId = exam.questions[index];
      return questionId === undefined ? [] : [{ questionId, userAnswer }];
    }),
    answerTime: seconds,
    submitTime: at,
  });
  if (isRefusal(submitted)) throw new Error(submitted.msg);
  return submitted.reportId;
}

/** Gives the waiting answers of a report these scores, in order, and finishes the report. */
export async function review(db: Database, reportId: number, scores: number[]): Promise<void> {
  const report = await db.selectFrom('exam_report').selectAll().where('id', '=', reportId).executeTakeFirstOrThrow();
  const exam = await db.selectFrom('exam').selectAll().where('id', '=', report.exam_id).executeTakeFirstOrThrow();
  const waiting = await db
    .selectFrom('exam_answer')
    .innerJoin('exam_question', 'exam_question.id', 'exam_answer.question_id')
    .select(['exam_answer.id', 'question_id', 'exam_question.score as full', 'ques_type'])
    .where('report_id', '=', reportId)
    .where('status', '=', 4)
    .orderBy('question_id')
    .execute();
  let gained = 0;
  for (const [index, answer] of waiting.entries()) {
    if (!isSubjective(answer.ques_type)) throw new Error('only subjective answers wait');
    const score = scores[index] ?? 0;
    const status = markedStatus(answer.full, score);
    gained += score;
    await db.updateTable('exam_answer').set({ status, score }).where('id', '=', answer.id).execute();
    await adjustMarkCounts(db, {
      questionId: answer.question_id,
      schoolId: report.school_id,
      before: { status: 4 },
      after: { status },
    });
  }
  const user_score = report.user_score + gained;
  await db
    .updateTable('exam_report')
    .set({ test_status: 3, user_score, subjective_score: report.subjective_score + gained, graded_at: noon })
    .where('id', '=', reportId)
    .execute();
  await countGraded(db, exam, { ...report, user_score });
}

const sums = ['exam_figures', 'exam_score', 'exam_question_figures', 'exam_wrong_option'] as const;

/** Checks that every stored sum of the exams equals a recount. */
export async function expectExamSumsToBeRight(db: Database): Promise<void> {
  const readSums = async () => {
    const kept: Record<string, string[]> = {};
    for (const table of sums) {
      const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(db);
      kept[table] = rows.map((row) => JSON.stringify(row)).sort();
    }
    const effective = await db.selectFrom('exam_report').select(['id', 'is_effective']).orderBy('id').execute();
    return { kept, effective };
  };
  const before = await readSums();
  for (const { id } of await db.selectFrom('exam').select('id').execute()) await recountExam(db, id);
  expect(before).toEqual(await readSums());
}

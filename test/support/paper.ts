/** A homework with every kind of question, and submissions to grade. */

import { submitReport } from '#server/homework/submission.ts';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { noon, type TestSchool } from './school.ts';

export interface Paper {
  homeworkId: number;
  /**
   * Ids of the questions: a choice (5 points), an essay (10), and a material with a true/false part (5) and an essay
   * part (5.5).
   */
  questions: { choice: number; essay: number; material: number; part: number; partEssay: number };
}

type NewHomework = Parameters<TestSchool['addHomework']>[0];

/** Creates the homework. With `mode` 2 it has scores, with 1 rates. */
export async function addPaper(school: TestSchool, homework: NewHomework, mode: 1 | 2 = 2): Promise<Paper> {
  const { db } = school.database;
  const homeworkId = await school.addHomework(homework);
  await db
    .updateTable('homework')
    .set({ is_set_score: mode, total_score: mode === 1 ? 400 : 255 })
    .where('id', '=', homeworkId)
    .execute();
  const add = async (
    sort: number,
    ques_type: number,
    ques_stem: string,
    right_answer: string,
    score: number,
    parent_id: number | null = null,
  ) => {
    const { id } = await db
      .insertInto('homework_question')
      .values({
        homework_id: homeworkId,
        source_id: null,
        parent_id,
        sort,
        ques_type,
        ques_stem,
        ques_option: JSON.stringify(
          ques_type > 4
            ? []
            : ['甲', '乙'].map((content, index) => ({
                id: index + 1,
                content,
                is_right: String(index + 1) === right_answer ? 1 : 2,
              })),
        ),
        right_answer,
        ques_analysis: '<p>见课本</p>',
        score: mode === 1 ? 100 : score,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const choice = await add(1, 1, '<p>选择题干</p>', '2', 50);
  const essay = await add(2, 5, '<p>简答题干</p>', '<p>参考答案</p>', 100);
  const material = await add(3, 6, '<p>一段材料</p>', '', 105);
  return {
    homeworkId,
    questions: {
      choice,
      essay,
      material,
      part: await add(1, 2, '<p>判断题干</p>', '1', 50, material),
      partEssay: await add(2, 5, '<p>材料简答</p>', '<p>略</p>', 55, material),
    },
  };
}

export const essayOf = (content: string, images: string[] = []) => JSON.stringify({ content, images });

/** Hands in a report. By default both essays wait for grading. Returns the id of the report. */
export async function submitHomeworkReport(
  school: TestSchool,
  { homeworkId, questions }: Paper,
  studentId: number,
  answers: { [name in keyof Paper['questions']]?: string } = {},
  submitTime = noon - 3600,
): Promise<number> {
  const { db } = school.database;
  const { id } = await db
    .selectFrom('report')
    .select('id')
    .where('homework_id', '=', homeworkId)
    .where('student_id', '=', studentId)
    .executeTakeFirstOrThrow();
  const given = { choice: '2', essay: essayOf('甲的答案'), part: '1', partEssay: essayOf('材料答案'), ...answers };
  const outcome = await db.transaction().execute((trx: Database) =>
    submitReport(trx, {
      reportId: id,
      answers: Object.entries(given)
        .filter(([, userAnswer]) => userAnswer !== '')
        .map(([name, userAnswer]) => ({ questionId: questions[name as 'choice'], userAnswer })),
      answerTime: 600,
      submitTime,
    }),
  );
  if (isRefusal(outcome)) throw new Error(outcome.msg);
  return id;
}

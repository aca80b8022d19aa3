/** Cost of exam statistics with few reports and with a hundred times more. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { recountExam } from '#server/exams/recount.ts';
import { goal, judgesGoals } from '../support/budget.ts';
import { addExam } from '../support/exams.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';

const sizes = judgesGoals ? { few: 500, many: 50_000 } : { few: 50, many: 5_000 };

onBothEngines('statistics of a large exam', (school) => {
  const exams: Record<keyof typeof sizes, number> = { few: 0, many: 0 };

  beforeAll(async () => {
    const { database, people } = school();
    const { db } = database;
    await db.transaction().execute(async (trx) => {
      await sql`insert into student (nickname, school_id, created_at)
        select '学生', 1, ${noon} from (
          with recursive counted (number) as (select 1 union all select number + 1 from counted where number < ${sql.lit(sizes.many)})
          select number from counted) as numbered`.execute(trx);
      const { first } = await trx
        .selectFrom('student')
        .select(sql<number>`max(id) - ${sql.lit(sizes.many)}`.as('first'))
        .executeTakeFirstOrThrow();
      for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) {
        const exam = await addExam(trx, { creator: people.teacher.id, school: 1 });
        exams[size] = exam.id;
        await sql`insert into exam_report (exam_id, student_id, school_id, test_status, submit_time, answer_time,
            user_score, objective_score, subjective_score)
          select ${exam.id}, id, 1, case when id % 10 = 0 then 2 else 3 end, ${noon} - id, 600, (id * 7919) % 1000,
            (id * 7919) % 1000, 0
          from student where id > ${first} and id <= ${Number(first) + sizes[size]}`.execute(trx);
        await sql`insert into exam_answer (report_id, question_id, status, user_answer, score)
          select exam_report.id, exam_question.id, 1 + (exam_report.id + exam_question.id) % 3,
            case when ques_type = 5 then '答' else '4' end, 10
          from exam_report join exam_question on exam_question.exam_id = exam_report.exam_id
          where exam_report.exam_id = ${exam.id} and ques_type <> 6`.execute(trx);
        await recountExam(trx, exam.id);
      }
    });
    if (database.engine === 'postgres') await sql`analyze`.execute(db);
  });

  /** Milliseconds per call and exam, the best of many alternating rounds. */
  async function costs(ask: (examId: number) => Promise<{ status: number }>): Promise<typeof sizes> {
    const best = { few: Number.POSITIVE_INFINITY, many: Number.POSITIVE_INFINITY };
    for (let round = 0; round < 60; round += 1) {
      for (const size of ['few', 'many'] as const) {
        const start = performance.now();
        const { status } = await ask(exams[size]);
        best[size] = Math.min(best[size], performance.now() - start);
        expect(status).toBe(200);
      }
    }
    return best;
  }

  const calls = [
    ['test/getInfo', (id: number) => school().as('teacher').get(`test/getInfo/${id}`)],
    ['test/questionStatistics', (id: number) => school().as('teacher').get(`test/questionStatistics/${id}`)],
    ['test/studentStatistics', (id: number) => school().as('teacher').post('test/studentStatistics', { test_id: id })],
    ['testDetail/list', (id: number) => school().as('teacher').get(`testDetail/list/${id}`)],
  ] as const;

  it.each(calls)('run as many queries for many reports as for few: %s', async (_, ask) => {
    const [few, many] = [await school().costOf(() => ask(exams.few)), await school().costOf(() => ask(exams.many))];
    expect(many.queries).toBe(few.queries);
    expect(many.rows).toBeLessThanOrEqual(few.rows);
  });

  if (!judgesGoals) return;

  it.each(calls)('cost at most 50 % more: %s', async (name, ask) => {
    const { few, many } = await costs(ask);
    console.info(`${name}: ${few.toFixed(2)} ms with ${sizes.few} reports, ${many.toFixed(2)} ms with ${sizes.many}`);
    goal(`${name} of many against few, ${school().engine}`, many / few, 1.5, '×');
  });
});

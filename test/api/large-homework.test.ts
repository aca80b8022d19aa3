/** Cost of an analysis with many answers: it grows with the page, not with the school. */
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { goal, judgesGoals } from '../support/budget.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import type { QueryCost } from '../support/query-cost.ts';
import { day, noon } from '../support/school.ts';
import { longestTurn } from '../support/turns.ts';

/** Number of submissions. The benchmark's school takes minutes to fill. */
const students = judgesGoals ? { few: 50, many: 5_000, all: 100_000 } : { few: 50, many: 2_000, all: 5_000 };

onBothEngines('analysis of a large homework', (school) => {
  const homework: Record<keyof typeof students, number> = { few: 0, many: 0, all: 0 };

  beforeAll(async () => {
    const { database, people, classes } = school();
    const { db } = database;
    await db.transaction().execute(async (trx) => {
      const everybody = Object.values(students).reduce((sum, count) => sum + count, 0);
      const numbers = sql<{ number: number }>`
        with recursive counted (number) as (select 1 union all select number + 1 from counted where number < ${sql.lit(everybody)})
        select number from counted`;
      await sql`insert into student (nickname, school_id, created_at)
        select '学生', 1, ${noon} from (${numbers}) as numbered`.execute(trx);
      const { first } = await trx
        .selectFrom('student')
        .select(sql<number>`max(id) - ${sql.lit(everybody)}`.as('first'))
        .executeTakeFirstOrThrow();
      const course = await trx.selectFrom('course').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow();
      // Each size has students of its own, because the earlier homework of a student is read too.
      let before = Number(first);
      for (const size of Object.keys(students) as (keyof typeof students)[]) {
        const count = students[size];
        const { id } = await trx
          .insertInto('homework')
          .values({
            name: '大作业',
            type: 1,
            course_id: course.id,
            period_id: null,
            creator_id: people.teacher.id,
            publish_time: noon - 3 * day,
            ending_time: noon - day,
            is_set_score: 2,
            publish_scope: 3,
            publish_type: 1,
            arrange_id: null,
            arrange_type: null,
            total_score: 1000,
            class_count: 1,
            published_class_count: 1,
            homework_count: count,
            submitted_homework_count: count,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        homework[size] = id;
        await trx
          .insertInto('homework_class')
          .values({
            homework_id: id,
            class_id: classes.k1,
            published_at: noon - 3 * day,
            homework_count: count,
            submitted_homework_count: count,
          })
          .execute();
        await sql`insert into report
            (homework_id, class_id, student_id, status, submit_time, answer_time, user_score, objective_score, subjective_score, graded_at)
          select ${id}, ${classes.k1}, id, 3, ${noon - 2 * day}, 600, (id * 7919) % 40, (id * 7919) % 40, 0, ${noon - 2 * day}
          from student where id > ${before} and id <= ${before + count}`.execute(trx);
        before += count;
      }
    });
    if (database.engine === 'postgres') await sql`analyze`.execute(db);
  });

  it.each(['homework/transcripts', 'homework/transcripts/detail'])(
    'runs as many queries for many answers as for few: %s',
    async (path) => {
      const client = school().as('teacher');
      const costs: QueryCost[] = [];
      for (const id of [homework.few, homework.many]) {
        expect((await client.get(`${path}/${id}`)).status).toBe(200);
        costs.push(await school().costOf(() => client.get(`${path}/${id}`)));
      }
      const [few, many] = costs as [QueryCost, QueryCost];
      expect([many.queries, many.rows]).toEqual([few.queries, few.rows]);
    },
  );

  it('shows a page of a transcript of many within 30 ms of CPU', async () => {
    const client = school().as('teacher');
    expect((await client.get(`homework/transcripts/${homework.many}`)).body.data.total).toBe(students.many);
    if (!judgesGoals) return;
    for (const path of [`homework/transcripts/${homework.many}`, `homework/transcripts/detail/${homework.many}`]) {
      const rounds: number[] = [];
      for (let round = 0; round < 4; round += 1) {
        const before = process.cpuUsage();
        for (let number = 0; number < 10; number += 1) expect((await client.get(path)).status).toBe(200);
        const { user, system } = process.cpuUsage(before);
        rounds.push((user + system) / 10_000);
      }
      goal(`${path}, ${school().engine}`, Math.min(...rounds), 30);
    }
  });

  it('exports all rows in little memory without blocking others', async () => {
    const client = school().as('teacher');
    let status = 202;
    const before = process.memoryUsage.rss();
    let most = 0;
    const longest = await longestTurn(async () => {
      const { url } = (await client.get(`homework/export/transcripts/${homework.all}`)).body.data;
      while (status === 202) {
        await wait(100);
        most = Math.max(most, process.memoryUsage.rss());
        ({ status } = await client.get(url));
      }
    });
    expect(status).toBe(200);
    goal(`longest turn during an export of ${students.all} rows, ${school().engine}`, longest, 50);
    expect((most - before) / 1024 ** 2).toBeLessThan(200);
  });
});

/** What an analysis costs where many have answered: figures that grow with the page, never with the school. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

/**
 * Milliseconds of processor time of the longest turn of the request loop, from now until `longest` is asked: how long
 * others wait, whatever else the machine is doing.
 */
function loopTurns(): { longest(): number } {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [isRunning, longest, last] = [true, 0, used()];
  const turn = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    longest() {
      isRunning = false;
      return longest;
    },
  };
}

const students = { few: 50, many: 5_000, all: 100_000 };

onBothEngines('analysis of a large homework', (school) => {
  const homework: Record<keyof typeof students, number> = { few: 0, many: 0, all: 0 };

  beforeAll(async () => {
    const { database, people, classes } = school();
    const { db } = database;
    await db.transaction().execute(async (trx) => {
      const numbers = sql<{ number: number }>`
        with recursive counted (number) as (select 1 union all select number + 1 from counted where number < ${sql.lit(students.all)})
        select number from counted`;
      await sql`insert into student (nickname, school_id, created_at)
        select '学生', 1, ${noon} from (${numbers}) as numbered`.execute(trx);
      const { first } = await trx
        .selectFrom('student')
        .select(sql<number>`max(id) - ${sql.lit(students.all)}`.as('first'))
        .executeTakeFirstOrThrow();
      const course = await trx.selectFrom('course').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow();
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
          select ${id}, ${classes.k1}, id, 3, ${noon - 2 * day}, 600, (id * 7919) % 1000, (id * 7919) % 1000, 0, ${noon - 2 * day}
          from student where id > ${first} and id <= ${Number(first) + count}`.execute(trx);
      }
    });
    if (database.engine === 'postgres') await sql`analyze`.execute(db);
  });

  /** Milliseconds of this process's CPU that one call takes, the best of three rounds. */
  async function cost(path: string): Promise<number> {
    const client = school().as('teacher');
    const rounds: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const before = process.cpuUsage();
      for (let number = 0; number < 10; number += 1) expect((await client.get(path)).status).toBe(200);
      const { user, system } = process.cpuUsage(before);
      rounds.push((user + system) / 10_000);
    }
    return Math.min(...rounds);
  }

  it('shows a page of a transcript of 5,000 within 30 ms of CPU', async () => {
    expect((await school().as('teacher').get(`homework/transcripts/${homework.many}`)).body.data.total).toBe(5_000);
    expect(await cost(`homework/transcripts/${homework.many}`)).toBeLessThan(30);
    expect(await cost(`homework/transcripts/detail/${homework.many}`)).toBeLessThan(30);
  });

  it('exports 100,000 rows without holding up others, in little memory', async () => {
    const client = school().as('teacher');
    const turns = loopTurns();
    const { url } = (await client.get(`homework/export/transcripts/${homework.all}`)).body.data;
    let status = 202;
    const before = process.memoryUsage.rss();
    let most = 0;
    while (status === 202) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      most = Math.max(most, process.memoryUsage.rss());
      ({ status } = await client.get(url));
    }
    expect(status).toBe(200);
    expect(turns.longest()).toBeLessThan(50);
    expect((most - before) / 1024 ** 2).toBeLessThan(200);
  });
});

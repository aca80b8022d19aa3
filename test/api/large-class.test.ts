/** The cost of a page of study statistics: a class of 500 over 200 lessons (measured on SQLite, in this process). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { goal, judgesGoals } from '../support/budget.ts';
import { addLessons, hour } from '../support/lessons.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';

let school: TestSchool;
let classId: number;
let small: number;
let course: number;
beforeAll(async () => {
  school = await openTestSchool('SQLite');
  const { db } = school.database;
  await db.deleteFrom('class_course').execute();
  classId = school.classes.k1;
  small = school.classes.k2;
  const starts = Array.from({ length: 100 }, (_, index) => noon - (100 - index) * day);
  const made = await addLessons(school, { type: 2, classes: [classId, small], starts, title: '直播课' });
  course = made.course;
  const other = await addLessons(school, { type: 7, classes: [classId, small], starts, title: '面授课' });
  const { id: schoolId } = await db.selectFrom('school').select('id').executeTakeFirstOrThrow();
  for (const [theClass, size] of [
    [classId, 500],
    [small, 25],
  ] as const) {
    await db.deleteFrom('class_student').where('class_id', '=', theClass).execute();
    const created = await db
      .insertInto('student')
      .values(Array.from({ length: size }, (_, n) => ({ nickname: `学生${n}`, school_id: schoolId, created_at: noon })))
      .returning('id')
      .execute();
    await db
      .insertInto('class_student')
      .values(
        created.map(({ id }) => ({ class_id: theClass, student_id: id, joined_at: noon - 300 * day, left_at: null })),
      )
      .execute();
    for (const { id: student_id } of created) {
      await db
        .insertInto('study_record')
        .values(made.periods.map((period_id, n) => ({ student_id, period_id, live_seconds: n % 4 ? hour : 0 })))
        .execute();
      const marked = other.periods.filter((_, n) => n % 3 > 0);
      await db
        .insertInto('attendance')
        .values(
          marked.map((period_id, n) => ({
            class_id: theClass,
            student_id,
            period_id,
            op_status: n % 10 ? (0 as const) : (2 as const),
            requested_at: null,
            requested_by: null,
            decided_at: null,
            decided_by: null,
            changed_at: noon,
          })),
        )
        .execute();
    }
  }
});
afterAll(() => school?.close());

/** Milliseconds of CPU time of one request, median of many. */
async function cost(path: string): Promise<number> {
  const client = school.as('assist');
  const measured: number[] = [];
  for (let round = 0; round < 25; round += 1) {
    const before = process.cpuUsage();
    expect((await client.get(path)).status).toBe(200);
    const { user, system } = process.cpuUsage(before);
    if (round >= 5) measured.push((user + system) / 1000);
  }
  return measured.sort((a, b) => a - b)[measured.length / 2] as number;
}

it('study statistics run as many queries for 500 students as for 25', async () => {
  const client = school.as('assist');
  const ask = (id: number) => client.get(`stateschoolclass/studyanalysis/${id}`);
  expect([(await ask(classId)).status, (await ask(small)).status]).toEqual([200, 200]);
  const [large, usual] = [await school.costOf(() => ask(classId)), await school.costOf(() => ask(small))];
  expect(large).toEqual(usual);
});

it('lessons and leave of a class of 500 read one page of rows', async () => {
  const client = school.as('assist');
  for (const path of [`stateschoolcourse/studyperiods/${course}/${classId}`, `leave/getLeaveList/${classId}`]) {
    expect((await client.get(path)).status).toBe(200);
    const { queries, rows } = await school.costOf(() => client.get(path));
    expect([queries <= 6, rows <= 50]).toEqual([true, true]);
  }
});

if (judgesGoals) {
  it('study statistics of 500 students over 200 lessons stay small, and close to a class of 25', async () => {
    const large = await cost(`stateschoolclass/studyanalysis/${classId}`);
    const usual = await cost(`stateschoolclass/studyanalysis/${small}`);
    goal('study statistics of 500 students', large, 30);
    goal('study statistics of 500 students against 25', large / usual, 2, '×');
  });

  it('lessons list of 500 students meets its goal', async () => {
    goal('lessons of 500 students', await cost(`stateschoolcourse/studyperiods/${course}/${classId}`), 120);
    goal('leave list of 500 students', await cost(`leave/getLeaveList/${classId}`), 30);
  });
}

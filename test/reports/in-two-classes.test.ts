/**
 * A student is in two classes that take one course: leave applies to the lesson, in both classes (mod_attendance PR
 * #30).
 */
import { expect, it } from 'vitest';
import { learnerOf } from '../support/learner.ts';
import { addLessons, hour, record } from '../support/lessons.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';

onBothEngines('a student in two classes with one course', (school) => {
  const setUp = async (type: number) => {
    const { k2, k3 } = school().classes;
    const [uid] = school().students.k2 as [number];
    const { db } = school().database;
    await db
      .insertInto('class_student')
      .values({ class_id: k3, student_id: uid, joined_at: noon, left_at: null })
      .onConflict((known) => known.columns(['class_id', 'student_id']).doNothing())
      .execute();
    const { course, periods } = await addLessons(school(), { type, classes: [k2, k3], starts: [noon + hour] });
    const [periodId = 0] = periods;
    const states = async () => {
      const rows = await db
        .selectFrom('attendance')
        .select(['class_id', 'op_status'])
        .where('student_id', '=', uid)
        .where('period_id', '=', periodId)
        .orderBy('class_id')
        .execute();
      return rows.map(({ class_id, op_status }) => [class_id, op_status]);
    };
    const learner = await learnerOf(school(), uid);
    const ask = (class_id: number) =>
      learner.post('leave', { class_id, course_id: course, course_periods_id: periodId, leave_cause: '生病' });
    return { uid, k2, k3, periodId, states, learner, ask };
  };

  it.each([2, 7])('requests and withdraws leave in both classes, for a course of type %i', async (type) => {
    const { k2, k3, states, learner, ask } = await setUp(type);
    expect((await ask(k2)).status).toBe(200);
    expect(await states()).toEqual([
      [k2, 1],
      [k3, 1],
    ]);
    // Repeats the request, as after a lost response.
    expect((await ask(k2)).status).toBe(200);
    const { list } = (await learner.get('leave')).body.data;
    const [mine] = list.filter(({ op_status }: { op_status: number }) => op_status === 1);
    expect((await learner.post(`leave/${mine.id}/cancel`)).status).toBe(200);
    expect(await states()).toEqual([
      [k2, 4],
      [k3, 4],
    ]);
  });

  it('has leave approved in both classes by one decision, and undone in both', async () => {
    const { k2, k3, states, learner, ask } = await setUp(2);
    expect((await ask(k2)).status).toBe(200);
    const { list } = (await learner.get('leave')).body.data;
    const mine = list.find(
      (one: { op_status: number; class: { id: number } }) => one.op_status === 1 && one.class.id === k2,
    );
    const assist = school().as('assist');
    const decided = await assist.put(`leave/setOpStatus/${mine.id}`, { op_status: 2 });
    expect(decided.status).toBe(200);
    expect(await states()).toEqual([
      [k2, 2],
      [k3, 2],
    ]);
    expect((await assist.post(`leave/undo/${decided.body.data.batch_id}`)).status).toBe(200);
    expect(await states()).toEqual([
      [k2, 1],
      [k3, 1],
    ]);
  });

  it('keeps an existing attendance record of the other class', async () => {
    const { uid, k2, k3, periodId, states, ask } = await setUp(2);
    await record(school(), { classId: k3, studentId: uid, periodId }, 2);
    expect((await ask(k2)).status).toBe(200);
    expect(await states()).toEqual([
      [k2, 1],
      [k3, 2],
    ]);
  });
});

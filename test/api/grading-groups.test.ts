import { expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';

onBothEngines('grading list by homework', (school) => {
  it('counts what each person sees, the earliest deadline first, with the first students', async () => {
    const { as, addHomework, submit, classes, students } = school();
    const { k1, k2, k3 } = classes;
    const late = await addHomework({ name: '后截止', creator: 'teacher', classes: [k2], ending: noon + 7200 });
    const wide = await addHomework({ name: '先截止', creator: 'teacher', classes: [k1, k3], ending: noon + 3600 });
    const idle = await addHomework({ name: '无待批改', creator: 'teacher', classes: [k2] });
    await submit(late, students.k2[0] as number, true, noon - 10);
    await submit(late, students.k2[1] as number, false);
    await submit(idle, students.k2[0] as number, false);
    const mine = await submit(wide, students.k1[0] as number, true, noon - 20);
    const theirs = await submit(wide, students.k3[1] as number, true, noon - 30);
    const groups = async (who: 'teacher' | 'assist' | 'otherAssist', body: object = {}) => {
      const answer = await as(who).post('hw/correct/groups', body);
      expect(answer.status, answer.body.msg).toBe(200);
      return answer.body.data;
    };
    const inShort = (data: { list: { name: string; waiting: number; submitted: number; students: object[] }[] }) =>
      data.list.map(({ name, waiting, submitted, students: named }) => [name, waiting, submitted, named.length]);
    const whole = await groups('teacher');
    expect(inShort(whole)).toEqual([
      ['先截止', 2, 2, 2],
      ['后截止', 1, 2, 1],
    ]);
    expect(whole.list[0].students.map(({ report_id }: { report_id: number }) => report_id)).toEqual([theirs, mine]);
    expect(whole.list[0]).toMatchObject({ hw_id: wide, ending_time: noon + 3600, course_title: expect.any(String) });
    expect(inShort(await groups('assist'))).toEqual([
      ['先截止', 1, 1, 1],
      ['后截止', 1, 2, 1],
    ]);
    expect(inShort(await groups('otherAssist'))).toEqual([['先截止', 1, 1, 1]]);
    expect(inShort(await groups('teacher', { name: '后' }))).toEqual([['后截止', 1, 2, 1]]);
    expect(inShort(await groups('teacher', { nickname: '一班1' }))).toEqual([['先截止', 2, 2, 1]]);
    expect(inShort(await groups('otherAssist', { nickname: '一班1' }))).toEqual([]);
    expect(inShort(await groups('teacher', { limit: 1, page: 2 }))).toEqual([['后截止', 1, 2, 1]]);
    // Lists the same reports one by one, for one homework.
    const { list } = (await as('teacher').post('hw/correct', { hw_id: wide })).body.data;
    expect(list.map(({ report_id }: { report_id: number }) => report_id)).toEqual([theirs, mine]);
    expect((await as('plainTeacher').post('hw/correct/groups', {})).status).toBe(403);
    await school().database.db.updateTable('homework').set({ status: 2 }).where('id', '=', wide).execute();
    expect(inShort(await groups('teacher'))).toEqual([['后截止', 1, 2, 1]]);
  });
});

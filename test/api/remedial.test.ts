/** Remedial homework, and a student's comparison with earlier homework. */
import { readSheet } from 'read-excel-file/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { chance, type MadeHomework, makeHomework } from '../support/random-homework.ts';
import { noon } from '../support/school.ts';
import { waitForFile } from '../support/wait-for-file.ts';

onBothEngines('follow-up of the homework analysis', (school) => {
  let made: MadeHomework;

  beforeAll(async () => {
    made = await makeHomework(school(), chance(11), { mode: 2, students: 24, questions: 5, types: [1, 3, 5, 6] });
  });

  /** Counts by class the students with a wrong answer; ungraded is not wrong. */
  const notRight = (questionIds: readonly number[], classIds: readonly number[]) =>
    classIds.flatMap((id) => {
      const students = made.reports.filter(
        ({ status, classId, answers }) =>
          status !== 1 &&
          classId === id &&
          questionIds.some((question) => {
            const answer = answers.find(({ questionId }) => questionId === question);
            return answer === undefined || (answer.status !== 1 && answer.status !== 4);
          }),
      ).length;
      return students > 0 ? [{ id, students }] : [];
    });
  const everyClass = () => Object.values(made.classes).sort((a, b) => a - b);

  describe('remedial homework', () => {
    it('has the questions somebody missed, for their classes', async () => {
      const { body } = await school().as('teacher').get(`hw/remedial/${made.id}`);
      const wrong = made.questions.filter(({ id }) => notRight([id], everyClass()).length > 0).map(({ id }) => id);
      expect(body.data.hw_info).toMatchObject({ name: '订正：随机作业', remark: '订正“随机作业”', is_set_score: 2 });
      expect(body.data.classes).toMatchObject(notRight(wrong, everyClass()));
      const given = body.data.question.flatMap((one: { id: number; ques_item: { id: number }[] }) =>
        one.ques_item.length > 0 ? one.ques_item.map(({ id }) => id) : one.id,
      );
      for (const id of wrong) expect(given).toContain(id);
    });

    it("can be one question with its material, for one assistant's classes or one class", async () => {
      const question = made.questions.find(
        ({ id }) =>
          notRight([id], [made.classes.assist]).length > 0 && notRight([id], [made.classes.nobody]).length > 0,
      );
      const id = question?.id ?? 0;
      const asked = `hw/remedial/${made.id}?ques_ids=${id}`;
      const whole = (await school().as('teacher').get(asked)).body.data;
      expect(whole.question).toHaveLength(1);
      expect(whole.classes).toMatchObject(notRight([id], everyClass()));
      const assisted = (await school().as('assist').get(asked)).body.data;
      expect(assisted.classes).toMatchObject(notRight([id], [made.classes.assist]));
      const one = (await school().as('teacher').get(`${asked}&class_id=${made.classes.nobody}`)).body.data;
      expect(one.classes).toMatchObject(notRight([id], [made.classes.nobody]));
    });

    it('is refused without wrong answers, and without the publish permission', async () => {
      const { as, classes, addHomework, courses } = school();
      const outcomeOfGet = async (who: 'teacher' | 'plainTeacher', path: string) => {
        const { status, body } = await as(who).get(path);
        return [status, body.msg];
      };
      const empty = await addHomework({ creator: 'teacher', classes: [classes.k1] });
      expect(await outcomeOfGet('teacher', `hw/remedial/${empty}`)).toEqual([409, '没有学员答错，无需订正']);
      expect(await outcomeOfGet('teacher', `hw/remedial/${made.id}?ques_ids=999999`)).toEqual([404, '题目不存在']);
      const recalled = await addHomework({ creator: 'teacher', classes: [classes.k1], status: 2 });
      expect(await outcomeOfGet('teacher', `hw/remedial/${recalled}`)).toEqual([409, '该作业已撤回，作业记录已消失']);
      const theirs = await addHomework({ creator: 'otherTeacher', course: courses.theirs, classes: [classes.k4] });
      expect(await outcomeOfGet('teacher', `hw/remedial/${theirs}`)).toEqual([404, '作业不存在']);
      expect((await outcomeOfGet('plainTeacher', `hw/remedial/${made.id}`))[0]).toBe(403);
    });
  });

  it('compares a student with the five graded homeworks before, ranked among visible students', async () => {
    const { as, addHomework, submit, classes, students, database } = school();
    const [me, other] = students.k2 as [number, number];
    const reports: number[] = [];
    let last = 0;
    for (let number = 1; number <= 7; number += 1) {
      const id = await addHomework({
        name: `第${number}次`,
        creator: 'teacher',
        classes: [classes.k2],
        publishTime: noon - (20 - number) * 3600,
      });
      await database.db
        .insertInto('homework_question')
        .values({
          homework_id: id,
          source_id: null,
          parent_id: null,
          sort: 1,
          ques_type: 5,
          ques_stem: '题',
          ques_option: '[]',
          right_answer: '',
          score: 100,
        })
        .execute();
      for (const [student, score] of [
        [me, number * 10],
        [other, 45],
      ] as const) {
        const report = await submit(id, student, false);
        await database.db.updateTable('report').set({ user_score: score }).where('id', '=', report).execute();
        if (student === me) reports.push(report);
      }
      last = id;
    }
    const { data } = (await as('assist').get(`student/homework/progress/${reports[6]}`)).body;
    expect(data.current).toMatchObject({ report_id: reports[6], homework_name: '第7次', rate: 70, rank: 1, of: 2 });
    expect(data.earlier.map(({ rate, rank }: { rate: number; rank: number }) => [rate, rank])).toEqual([
      [20, 2],
      [30, 2],
      [40, 2],
      [50, 1],
      [60, 1],
    ]);
    // Equal on every screen: student, transcript, all classes, one class, file.
    const same = { earlier_count: 5, earlier_rate: 40, change: 30 };
    expect(data).toMatchObject(same);
    for (const who of ['teacher', 'assist'] as const) {
      for (const scope of [last, `${last}/${classes.k2}`]) {
        const { list } = (await as(who).get(`homework/transcripts/${scope}`)).body.data;
        const of = (student: number) => list.find((row: { student_id: number }) => row.student_id === student);
        expect(of(me), `${who} ${scope}`).toMatchObject(same);
        expect(of(other)).toMatchObject({ earlier_count: 5, earlier_rate: 45, change: 0 });
        expect(of(students.k2[2] as number)).toMatchObject({ earlier_count: 0, earlier_rate: null, change: null });
      }
    }
    const { url } = (await as('teacher').get(`homework/export/transcripts/${last}`)).body.data;
    const headers = { authorization: `Bearer ${school().people.teacher.token}` };
    const file = await waitForFile(() => school().api.fetch(new Request(`http://school.test${url}`, { headers })));
    const rows = await readSheet(Buffer.from(await file.arrayBuffer()));
    expect(rows.map((row) => row.slice(-2)).slice(0, 4)).toEqual([
      ['较此前作业（百分点）', '进步情况'],
      [30, '明显进步'],
      [0, '持平'],
      [null, null],
    ]);
    // Later and ungraded homework does not count.
    await database.db
      .updateTable('report')
      .set({ status: 2 })
      .where('id', '=', reports[2] as number)
      .execute();
    const third = (await as('teacher').get(`student/homework/progress/${reports[2]}`)).body.data;
    expect([third.current, third.earlier_count, third.change]).toEqual([null, 2, null]);
    expect(third.earlier.map(({ rate }: { rate: number }) => rate)).toEqual([10, 20]);
    expect((await as('otherAssist').get(`student/homework/progress/${reports[6]}`)).status).toBe(404);
  });
});

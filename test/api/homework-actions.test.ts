import { describe, expect, it } from 'vitest';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

onBothEnginesAlways('homework actions', (school) => {
  const history = (homeworkId: number) =>
    school()
      .database.db.selectFrom('history')
      .selectAll()
      .where('record', '=', 'homework')
      .where('record_id', '=', homeworkId)
      .execute();
  const storedHomework = (homeworkId: number) =>
    school().database.db.selectFrom('homework').selectAll().where('id', '=', homeworkId).executeTakeFirstOrThrow();

  describe('recalling homework', () => {
    it('removes the homework and its reports from every list, and erases nothing', async () => {
      const { addHomework, submit, as, classes, students } = school();
      const hw = await addHomework({ creator: 'teacher', classes: [classes.k1] });
      const report = await submit(hw, students.k1[0] as number);
      const other = await addHomework({ creator: 'teacher', classes: [classes.k1] });
      const before = (await as('teacher').get('hw/correct/quantity')).body.data.quantity;

      const recalled = await as('teacher').post(`hw/withdraw/${hw}`);
      expect(recalled.body).toEqual({ code: 200, msg: '作业撤回成功', data: null });
      expect((await as('teacher').get('hw/correct/quantity')).body.data.quantity).toBe(before - 1);
      expect((await as('teacher').post('hw/correct')).body.data.list).not.toContainEqual(
        expect.objectContaining({ report_id: report }),
      );
      expect((await as('teacher').get('hw/index')).body.data.list).toContainEqual(
        expect.objectContaining({ id: hw, status: 2 }),
      );
      expect(
        await school().database.db.selectFrom('report').selectAll().where('id', '=', report).execute(),
      ).toHaveLength(1);

      const again = await as('teacher').get(`hw/withdraw/${hw}`);
      expect(again.status).toBe(409);
      expect(again.body.msg).toBe('该作业已撤回，不能重复撤回');
      expect((await as('teacher').post('hw/review/id', { hw_id: hw })).status).toBe(409);
      expect(await history(hw)).toMatchObject([
        { action: 'recall', staff_id: school().people.teacher.id, before: '{"status":1}', after: '{"status":2}' },
      ]);
      expect((await storedHomework(other)).status).toBe(1);
    });

    it('also accepts GET, for older applications', async () => {
      const hw = await school().addHomework({ creator: 'assist', classes: [school().classes.k1] });
      expect((await school().as('assist').get(`hw/withdraw/${hw}`)).status).toBe(200);
    });

    it('requires ownership and the permission, and answers 404 for unseen homework', async () => {
      const { addHomework, as, classes, courses } = school();
      const hw = await addHomework({ creator: 'otherTeacher', classes: [classes.k1] });
      const hidden = await addHomework({ creator: 'otherTeacher', course: courses.theirs, classes: [classes.k4] });
      expect((await as('assist').post(`hw/withdraw/${hw}`)).status).toBe(403);
      expect((await as('teacher').post(`hw/withdraw/${hidden}`)).status).toBe(404);
      expect((await as('plainTeacher').post(`hw/withdraw/${hw}`)).status).toBe(403);
      for (const id of ['abc', '0', '-1', '1.5', '99999999999', '2147483648', "1'", '%00']) {
        expect((await as('teacher').post(`hw/withdraw/${id}`)).status, id).toBe(404);
      }
      expect((await storedHomework(hw)).status).toBe(1);
    });

    it('happens once for a repeated form', async () => {
      const { addHomework, as, classes } = school();
      const hw = await addHomework({ creator: 'teacher', classes: [classes.k1] });
      const key = { 'idempotency-key': `recall-${hw}` };
      const both = await Promise.all([
        as('teacher').post(`hw/withdraw/${hw}`, {}, key),
        as('teacher').post(`hw/withdraw/${hw}`, {}, key),
      ]);
      expect(both.map(({ status, body }) => [status, body.msg])).toEqual([
        [200, '作业撤回成功'],
        [200, '作业撤回成功'],
      ]);
      expect(await history(hw)).toHaveLength(1);
      const elsewhere = await addHomework({ creator: 'teacher', classes: [classes.k1] });
      expect((await as('teacher').post(`hw/withdraw/${elsewhere}`, {}, key)).status).toBe(409);
      expect((await storedHomework(elsewhere)).status).toBe(1);
    });
  });

  describe('publishing to more classes', () => {
    const partly = () => {
      const { k1, k2, k3 } = school().classes;
      return school().addHomework({ creator: 'teacher', classes: [k1, k2, k3], published: [k1], ending: noon + 3600 });
    };

    it('adds classes and expects their students', async () => {
      const { as, classes, students } = school();
      const hw = await partly();
      const listed = (await as('teacher').get(`hw/class/published/${hw}`)).body.data;
      expect(listed.published).toEqual([{ id: classes.k1, name: '一班', students_count: 2 }]);
      expect(listed.unpublished.map(({ id }: { id: number }) => id)).toEqual([classes.k2, classes.k3]);
      const { body } = await as('teacher').post(`hw/class/publish/${hw}/${classes.k2},${classes.k3}`);
      expect(body).toEqual({ code: 200, msg: '继续发布成功', data: null });
      // A student of both k1 and k3 is expected once.
      expect(await storedHomework(hw)).toMatchObject({
        published_class_count: 3,
        homework_count: 2 + students.k2.length + students.k3.length,
      });
      expect((await as('otherAssist').get('hw/index')).body.data.list.map(({ id }: { id: number }) => id)).toContain(
        hw,
      );
      expect((await as('teacher').post(`hw/class/publish/${hw}/${classes.k2}`)).status).toBe(409);
      expect(await history(hw)).toMatchObject([
        { action: 'publish', after: JSON.stringify({ class_ids: [classes.k2, classes.k3] }) },
      ]);
    });

    it("lists the homework's current classes, including empty ones", async () => {
      const { addHomework, as, classes, database, courses } = school();
      const empty = await database.db
        .insertInto('class')
        .values({
          name: '空班',
          school_id: 1,
          grade_id: null,
          classify_id: null,
          large_class_id: null,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await addHomework({ creator: 'teacher', classes: [classes.k2] });
      const hw = await addHomework({ creator: 'teacher', classes: [empty.id, classes.k1] });
      expect((await as('teacher').get(`hw/class/published/${hw}`)).body.data).toEqual({
        published: [
          { id: classes.k1, name: '一班', students_count: 2 },
          { id: empty.id, name: '空班', students_count: 0 },
        ],
        unpublished: [],
      });
      const hidden = await addHomework({ creator: 'otherTeacher', course: courses.theirs, classes: [classes.k4] });
      for (const path of [`hw/class/published/${hidden}`, `hw/publish/button/${hidden}`])
        expect((await as('teacher').get(path)).status, path).toBe(404);
      for (const path of [`hw/class/publish/${hidden}/${classes.k1}`, `hw/class/publish/999999/${classes.k1}`])
        expect((await as('teacher').post(path)).status, path).toBe(404);
    });

    it('adds all classes or none', async () => {
      const { as, classes } = school();
      const hw = await partly();
      const already = await as('teacher').post(`hw/class/publish/${hw}/${classes.k2},${classes.k1}`);
      expect([already.status, already.body.msg]).toEqual([409, '一班已发布过该作业，请勿重复发布']);
      expect((await as('teacher').post(`hw/class/publish/${hw}/${classes.k2},${classes.k4}`)).status).toBe(404);
      expect(await storedHomework(hw)).toMatchObject({ published_class_count: 1, homework_count: 2 });
    });

    it.each(['', '/', '/,'])('requires a class (%j)', async (none) => {
      const hw = await partly();
      const { status, body } = await school().as('teacher').get(`hw/class/publish/${hw}${none}`);
      expect([status, body.msg, body.errors]).toEqual([422, '请选择班级', { class_ids: ['请选择班级'] }]);
    });

    it('is refused after the deadline, when recalled, when in all classes, and to others', async () => {
      const { addHomework, as, classes, setNow } = school();
      const hw = await partly();
      const everywhere = await addHomework({ creator: 'teacher', classes: [classes.k1] });
      expect((await as('teacher').post(`hw/class/publish/${everywhere}/${classes.k1}`)).status).toBe(409);
      expect((await as('assist').post(`hw/class/publish/${hw}/${classes.k2}`)).status).toBe(403);
      setNow(noon + 3600);
      const late = await as('teacher').post(`hw/class/publish/${hw}/${classes.k2}`);
      expect([late.status, late.body.msg]).toEqual([409, '该作业已截止，不能继续发布']);
      setNow(noon);
      await as('teacher').post(`hw/withdraw/${hw}`);
      expect((await as('teacher').post(`hw/class/publish/${hw}/${classes.k2}`)).status).toBe(409);
    });

    it('publishes once for two simultaneous requests', async () => {
      const { as, classes } = school();
      const hw = await partly();
      const both = await Promise.all([1, 2].map(() => as('teacher').post(`hw/class/publish/${hw}/${classes.k2}`)));
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
  });

  describe('moving the deadline', () => {
    const moveDeadline = (hw: number, seconds: number | string, body = {}) =>
      school().as('teacher').put(`hw/update/ending_time/${hw}/${seconds}`, body);

    it('stores the new one, with the old one in the history', async () => {
      const add = () => school().addHomework({ creator: 'teacher', classes: [school().classes.k1] });
      const [hw, other] = [await add(), await add()];
      const { body } = await moveDeadline(hw, noon + 5 * day);
      expect(body.msg).toBe('调整成功');
      expect((await storedHomework(hw)).ending_time).toBe(noon + 5 * day);
      expect((await storedHomework(other)).ending_time).toBe(noon + day);
      expect(await history(hw)).toMatchObject([
        { before: JSON.stringify({ ending_time: noon + day }), after: JSON.stringify({ ending_time: noon + 5 * day }) },
      ]);
    });

    it("requires a time that is not before yesterday in the school's zone", async () => {
      const hw = await school().addHomework({ creator: 'teacher', classes: [school().classes.k1] });
      for (const none of ['', 'NaN', '0', 'soon']) {
        const { status, body } = await moveDeadline(hw, none);
        expect([status, body.msg], none).toEqual([422, '请选择截止时间']);
      }
      // Yesterday begins at 00:00 in Shanghai: 36 hours before noon.
      const yesterday = noon - 36 * 60 * 60;
      const early = await moveDeadline(hw, yesterday - 1);
      expect([early.status, early.body.errors]).toEqual([422, { ending_time: ['截止时间不能早于昨天'] }]);
      const over = await moveDeadline(hw, yesterday);
      expect([over.status, over.body.msg, over.body.errors]).toEqual([
        422,
        '截止时间已过，学员将不能提交',
        { confirm_past: ['截止时间已过，学员将不能提交'] },
      ]);
      expect((await storedHomework(hw)).ending_time).toBe(noon + day);
      expect((await moveDeadline(hw, yesterday - 1, { confirm_past: 1 })).status).toBe(422);
      expect((await moveDeadline(hw, yesterday, { confirm_past: 1 })).status).toBe(200);
    });

    it('is refused once the old deadline has passed, when recalled, and to others', async () => {
      const { addHomework, as, classes, courses } = school();
      const ended = await addHomework({ creator: 'teacher', classes: [classes.k1], ending: noon });
      expect([
        (await moveDeadline(ended, noon + day)).status,
        (await moveDeadline(ended, noon + day)).body.msg,
      ]).toEqual([409, '该作业已截止，不能调整截止时间']);
      const recalled = await addHomework({ creator: 'teacher', classes: [classes.k1], status: 2 });
      expect((await moveDeadline(recalled, noon + day)).body.msg).toBe('该作业已撤回，不能调整截止时间');
      const theirs = await addHomework({ creator: 'otherTeacher', classes: [classes.k1] });
      expect((await as('assist').put(`hw/update/ending_time/${theirs}/${noon + day}`)).status).toBe(403);
      const hidden = await addHomework({ creator: 'otherTeacher', course: courses.theirs, classes: [classes.k4] });
      expect((await moveDeadline(hidden, noon + day)).status).toBe(404);
    });
  });

  describe('buttons of a homework', () => {
    it('are enabled for each person, or name the reason why not', async () => {
      const { addHomework, as, classes, setNow } = school();
      const { k1, k2 } = classes;
      const ending = noon + 3600;
      const hw = await addHomework({ creator: 'teacher', classes: [k1, k2], published: [k1], ending });
      const facts = async (who: 'teacher' | 'otherTeacher' | 'plainTeacher' | 'assist') =>
        (await as(who).get(`hw/publish/button/${hw}`)).body.data;
      expect(await facts('teacher')).toMatchObject({
        id: hw,
        status: 1,
        publish_type: 2,
        published_class_count: 1,
        class_count: 2,
        is_owner: 1,
        refusals: { recall: null, deadline: null, continue: null },
      });
      expect(await facts('assist')).toMatchObject({ is_owner: 0, refusals: { recall: { code: 403 } } });
      setNow(ending);
      expect((await facts('teacher')).refusals).toEqual({
        recall: null,
        deadline: { code: 409, msg: '该作业已截止，不能调整截止时间' },
        continue: { code: 409, msg: '该作业已截止，不能继续发布' },
      });
      setNow(noon);
      const { database, people } = school();
      const permit = (can_dispatch: 0 | 1) =>
        database.db.updateTable('staff').set({ can_dispatch }).where('id', '=', people.teacher.id).execute();
      await permit(0);
      const { refusals } = await facts('teacher');
      await permit(1);
      const none = { code: 403, msg: '您没有布置作业的权限' };
      expect(refusals).toEqual({ recall: none, deadline: none, continue: none });
    });
  });

  describe('start of grading', () => {
    it('returns the earliest submission of the classes that the person may grade', async () => {
      const { addHomework, submit, as, classes, students } = school();
      const hw = await addHomework({ creator: 'teacher', classes: [classes.k1, classes.k3] });
      const start = async (person: 'teacher' | 'assist' | 'otherAssist', body = {}) =>
        (await as(person).post('hw/review/id', { hw_id: hw, ...body })).body.data.report_id;
      expect(await start('teacher')).toBeNull();
      const other = await addHomework({ creator: 'teacher', classes: [classes.k1, classes.k3] });
      await submit(other, students.k1[0] as number, true, noon);
      await submit(other, students.k3[0] as number, true, noon);
      expect(await start('teacher')).toBeNull();
      const second = await submit(hw, students.k1[0] as number, true, noon + 20);
      const first = await submit(hw, students.k3[0] as number, true, noon + 10);
      expect(await start('teacher')).toBe(first);
      expect(await start('teacher', { class_id: classes.k1 })).toBe(second);
      expect(await start('teacher', { uid: students.k1[0] })).toBe(second);
      expect(await start('assist')).toBe(second);
      expect(await start('otherAssist')).toBe(first);
    });

    it('answers 作业不存在 for missing and foreign homework', async () => {
      const { addHomework, as, classes, courses } = school();
      const theirs = await addHomework({ creator: 'otherTeacher', course: courses.theirs, classes: [classes.k3] });
      for (const hw_id of [theirs, 0, 'abc', undefined, 999_999]) {
        const { status, body } = await as('teacher').post('hw/review/id', { hw_id });
        expect([status, body.msg]).toEqual([404, '作业不存在']);
      }
      expect((await as('plainTeacher').post('hw/review/id', { hw_id: theirs })).status).toBe(403);
    });
  });
});

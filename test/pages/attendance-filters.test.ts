/** Attendance without client JS: filters in the address, and leave of live courses. */
import { describe, expect } from 'vitest';
import { formOf, ownScripts, type Page, type Visitor } from '../support/app.ts';
import { addLessons, record } from '../support/lessons.ts';
import { day, noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

const rows = (page: Page) =>
  [...page.document.querySelectorAll(page.document.querySelector('dialog') ? 'dialog tbody tr' : 'main tbody tr')].map(
    (row) => row.textContent?.replace(/\s+/g, ' ').trim() ?? '',
  );
const link = (page: Page, text: string) =>
  [...page.document.querySelectorAll('a')].find((one) => one.textContent === text)?.getAttribute('href') as string;
async function press(person: Visitor, page: Page, button: string, address: string) {
  const { action, fields } = formOf(page, button);
  return person.follow(await person.post(action || address, fields));
}

describe('考勤详情', () => {
  it('searches, filters and sorts by address, keeps that after a mark, and exports', async ({
    school,
    teacher,
    assist,
  }) => {
    const { k2 } = school.classes;
    const [one, two] = school.students.k2 as [number, number];
    const { course, periods } = await addLessons(school, { type: 7, classes: [k2], starts: [noon] });
    const [periodId = 0] = periods;
    await record(school, { classId: k2, studentId: one, periodId }, 0);
    await record(school, { classId: k2, studentId: two, periodId }, 3);
    const lesson = `/classes/attendance/lesson?id=${course}&class_id=${k2}&period_id=${periodId}`;
    for (const person of [teacher, assist]) {
      const page = await person.get(`${lesson}&counted=truant`);
      expect(page.status).toBe(200);
      expect(ownScripts(page)).toEqual([]);
      expect(rows(page)).toHaveLength(3);
      expect(rows(page)[0]).toMatch(/请假被拒绝.*计为旷课/);
      expect(rows(await person.get(`${lesson}&op_status=0`))).toHaveLength(1);
      expect(rows(await person.get(`${lesson}&op_status=5`))).toHaveLength(2);
      expect(rows(await person.get(`${lesson}&nickname=${encodeURIComponent('学生二班3')}`))).toHaveLength(1);
      expect(rows(await person.get(`${lesson}&sort_field=op_status&sort=desc`))[3]).toContain('学生二班1');
      const nobody = await person.get(`${lesson}&nickname=${encodeURIComponent('没有这个人')}`);
      expect(nobody.text).toContain('没有符合条件的学员');
      const { action, fields } = formOf(page, '导出');
      expect((await person.post(action, fields)).location).toMatch(/^\/exports\//);
    }
    const narrowed = await assist.get(`${lesson}&op_status=5`);
    const asked = await assist.get(link(narrowed, '确认出勤'));
    const done = await press(assist, asked, '确定', link(narrowed, '确认出勤'));
    expect(rows(done)).toHaveLength(1);
    expect(done.text).toContain('已修改1人的考勤');
  });
});

describe('请假管理', () => {
  it('searches, filters and sorts by address', async ({ school, teacher, assist }) => {
    const { k2 } = school.classes;
    const [one, two, three] = school.students.k2 as [number, number, number];
    const { periods } = await addLessons(school, { type: 2, classes: [k2], starts: [noon + day] });
    const [periodId = 0] = periods;
    await record(school, { classId: k2, studentId: one, periodId }, 1);
    await record(school, { classId: k2, studentId: two, periodId }, 1);
    await record(school, { classId: k2, studentId: three, periodId }, 2);
    const leave = `/classes/detail?id=${k2}&tab=leave`;
    for (const person of [teacher, assist]) {
      const page = await person.get(`${leave}&op_status=2`);
      expect(rows(page)).toHaveLength(1);
      expect(page.text).not.toContain('全选待审批');
      const waiting = await person.get(`${leave}&op_status=1`);
      expect(rows(waiting)).toHaveLength(2);
      const chosen = await person.get(link(waiting, '全选待审批（2）'));
      expect(chosen.document.querySelectorAll('input[type=checkbox][name=ids][checked]')).toHaveLength(2);
      const named = await person.get(`${leave}&op_status=1&nickname=${encodeURIComponent('学生二班2')}`);
      expect([rows(named).length, named.text.includes('全选待审批')]).toEqual([1, true]);
      expect(rows(await person.get(`${leave}&sort_field=op_status`)).at(-1)).not.toContain('待审批');
      expect((await person.get(`${leave}&op_status=4`)).text).toContain('没有符合条件的请假申请');
    }
  });
});

describe('学习详情', () => {
  it.for([1, 4, 16, 2] as const)(
    'requests leave of a live course of type %i, and cancels it',
    async (type, { school, teacher, assist }) => {
      const { k2 } = school.classes;
      const [uid] = school.students.k2 as [number];
      const { course, periods } = await addLessons(school, { type, classes: [k2], starts: [noon + day] });
      const { id } = await school.database.db
        .selectFrom('class_student')
        .select('id')
        .where('class_id', '=', k2)
        .where('student_id', '=', uid)
        .executeTakeFirstOrThrow();
      const address = `/classes/student/periods?id=${id}&uid=${uid}&class_id=${k2}&course_id=${course}`;
      const stateOf = async (person: Visitor) => rows(await person.get(address)).at(-1);
      const mark = async (person: Visitor, action: string) => {
        const question = link(await person.get(address), action);
        return press(person, await person.get(question), '确定', question);
      };
      const asked = await mark(assist, '请假');
      expect([asked.text.includes('请假成功'), await stateOf(teacher)]).toEqual([
        true,
        expect.stringContaining('已请假'),
      ]);
      await mark(teacher, '取消请假');
      expect(await stateOf(assist)).toContain('已取消请假');
      const again = `/classes/student/periods/mark?id=${id}&course_id=${course}&period_id=${periods[0]}`;
      expect((await assist.get(`${again}&action=cancelLeave`)).text).toContain('当前状态为“已取消请假”，不能取消请假');
      expect((await assist.get(again.replace(`=${periods[0]}`, '=999999'))).status).toBe(404);
    },
  );
});

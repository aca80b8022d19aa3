import { describe, expect } from 'vitest';
import { formOf, ownScripts, type Page, type Visitor } from '../support/app.ts';
import { addLessons } from '../support/lessons.ts';
import { day, noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';
import { addLesson, addTeam, lessonTimes } from '../support/team-lessons.ts';

const chosenLabels = (page: Page) =>
  [...page.document.querySelectorAll('input[type=radio][checked]')].map((radio) => radio.parentElement?.textContent);
const linkNamed = (page: Page, name: string | RegExp) =>
  [...page.document.querySelectorAll('a')]
    .find((a) => (a.getAttribute('aria-label') ?? '').match(name))
    ?.getAttribute('href') as string;
/** Presses a button like a browser; returns the answer. */
async function press(person: Visitor, page: Page, address: string, button: string, changes: [string, string][] = []) {
  const { action, fields } = formOf(page, button);
  const changed = new Set(changes.map(([name]) => name));
  const sent = [...fields.filter(([name]) => !changed.has(name)), ...changes];
  return person.follow(await person.post(action || address, sent));
}

describe('roll call', () => {
  it('of a lesson with 36 students takes three clicks from the workbench', async ({ school, assist, teacher }) => {
    const team = await addTeam(school, { name: '大团课', size: 36 });
    const lesson = await addLesson(school, { team, start: lessonTimes.now });
    const home = await assist.get('/');
    // First click.
    const address = linkNamed(home, /^点名/);
    const page = await assist.get(address);
    expect(ownScripts(page)).toEqual([]);
    expect(chosenLabels(page)).toEqual(Array(36).fill('未标记'));
    // Second click.
    const [late] = team.students as [number];
    const preset = await press(assist, page, address, '全部出勤');
    expect([preset.status, preset.text.includes('已选好36人')]).toEqual([200, true]);
    expect(chosenLabels(preset)).toEqual(Array(36).fill('出勤'));
    // One student is absent; third click.
    const saved = await press(assist, preset, address, '保存', [[`mark-${late}`, 'none']]);
    expect(saved.text).toContain('点名已保存');
    expect(saved.text).toMatch(/已保存35人的考勤，\d\d:\d\d 前可以撤销/);
    expect(chosenLabels(saved)).toEqual(['未标记', ...Array(35).fill('出勤')]);

    const undone = await press(assist, saved, address, '撤销');
    expect(chosenLabels(undone)).toEqual(Array(36).fill('未标记'));

    // Lesson and class lead to the roll call too. Lecturers can only read it.
    expect(linkNamed(await assist.get(`/sessions/class?id=${lesson}`), /^点名/)).toContain('/sessions/roll-call');
    expect(linkNamed(await assist.get(`/curriculum/detail?id=${team.id}&tab=2`), /^点名/)).toContain(`id=${lesson}`);
    expect(linkNamed(await teacher.get(`/sessions/class?id=${lesson}`), /^点名/)).toBeUndefined();
    const refused = await teacher.get(`/sessions/roll-call?id=${lesson}`);
    expect([refused.status, refused.text.includes('仅助教可修改考勤')]).toEqual([403, true]);
    expect((await assist.get('/sessions/roll-call?id=999999')).status).toBe(404);
  });

  it('of a face-to-face lesson is preset to 出勤, and waits on the workbench until saved', async ({
    school,
    assist,
    teacher,
  }) => {
    const team = await addTeam(school, { name: '线下团课', size: 4 });
    const lesson = await addLesson(school, { team, start: lessonTimes.held, mode: 2 });
    const part = async (person: Visitor) =>
      (await person.get('/')).document.querySelector('section[aria-label="待点名"]');
    expect((await part(assist))?.textContent).toContain('线下团课');
    expect((await part(teacher))?.querySelector('a[href^="/sessions/class"]')?.textContent).toBe('由助教点名');
    const address = (await part(assist))
      ?.querySelector('a[href^="/sessions/roll-call"]')
      ?.getAttribute('href') as string;
    const page = await assist.get(address);
    expect(chosenLabels(page)).toEqual(Array(4).fill('出勤'));
    const detail = await assist.get(`/sessions/class?id=${lesson}`);
    expect(detail.text).toMatch(/旷课0人未点名4人/);
    expect(detail.text).toContain('标记旷课');
    const grid = await assist.get(`/curriculum/detail?id=${team.id}&tab=2`);
    expect([...grid.document.querySelectorAll('tbody td')].map((cell) => cell.textContent)).toEqual(
      Array(4).fill('未点名'),
    );
    const saved = await press(assist, page, address, '保存', [[`mark-${team.students[1]}`, '3']]);
    expect(chosenLabels(saved)).toEqual(['出勤', '旷课', '出勤', '出勤']);
    expect(await part(assist)).toBe(null);
  });

  it('undoes a single mark, on the lesson and the class grid', async ({ school, assist, teacher }) => {
    const team = await addTeam(school, { name: '单个', size: 2 });
    const lesson = await addLesson(school, { team, start: lessonTimes.held, mode: 2 });
    const [one] = team.students as [number, number];
    const marks = [
      [`/sessions/class/attendance?id=${lesson}&student=${one}&type=4`, `/sessions/class?id=${lesson}`],
      [`/curriculum/detail/attendance?id=${team.id}&tab=2&cell=${lesson},${one}&type=4`, undefined],
    ] as const;
    for (const [dialog, place] of marks) {
      const marked = await press(assist, await assist.get(dialog), dialog, '确定');
      expect(marked.text).toContain('已修改1人的考勤');
      if (place) expect((await teacher.get(place)).text).not.toContain('已修改1人的考勤');
      const undone = await press(assist, marked, place ?? '', '撤销');
      expect(undone.text).toContain('已撤销，考勤恢复为点名前');
      expect(undone.text).not.toContain('已修改1人的考勤');
      expect(undone.text).toContain('未点名');
    }
  });

  it('of an ended live lesson shows 旷课 for a removed mark', async ({ school, assist }) => {
    const team = await addTeam(school, { name: '直播团课', size: 2 });
    const lesson = await addLesson(school, { team, start: lessonTimes.held });
    const [one] = team.students as [number, number];
    const set = { class_id: `${team.id}`, times_id: `${lesson}`, clue_id: `${one}`, type: '4', remark: '在' };
    await school.as('assist').post(`teamClass/classTime/student/setAttendance?${new URLSearchParams(set)}`);
    const address = `/sessions/roll-call?id=${lesson}`;
    const page = await assist.get(address);
    const offered = [...page.document.querySelectorAll(`input[name="mark-${one}"]`)];
    expect(offered.map((radio) => radio.parentElement?.textContent)).toEqual(['出勤', '旷课']);
    const saved = await press(assist, page, address, '保存', [[`mark-${one}`, '3']]);
    expect(chosenLabels(saved)).toEqual(['旷课', '旷课']);
  });

  it('keeps choices when a reason is missing or a colleague was first', async ({ school, assist }) => {
    const team = await addTeam(school, { name: '小团课' });
    const lesson = await addLesson(school, { team, start: lessonTimes.held });
    const [one, two] = team.students as [number, number];
    const address = `/sessions/roll-call?id=${lesson}`;
    const page = await assist.get(address);
    const changes: [string, string][] = [
      [`mark-${one}`, '1'],
      [`mark-${two}`, '2'],
    ];
    const without = await press(assist, page, address, '保存', changes);
    expect([without.status, chosenLabels(without)]).toEqual([422, ['出勤', '请假', '旷课']]);
    expect(without.text).toContain('请输入出勤原因');

    const change = {
      class_id: String(team.id),
      times_id: String(lesson),
      clue_id: String(two),
      type: '4',
      remark: '补',
    };
    await school.as('assist').post(`teamClass/classTime/student/setAttendance?${new URLSearchParams(change)}`);
    const moved = await press(assist, without, address, '保存', [['remark', '忘记点名']]);
    expect([moved.status, chosenLabels(moved)]).toEqual([409, ['出勤', '出勤', '旷课']]);
    expect(moved.text).toContain('小团课学员2现为“出勤”');
    expect(moved.text).toContain('已有人改为“出勤”，请重新选择');
    expect(moved.document.querySelector('[name=remark]')?.getAttribute('value')).toBe('忘记点名');
    const saved = await press(assist, moved, address, '保存');
    expect(saved.text).toContain('已保存1人的考勤');
  });

  it('of a face-to-face period is taken by both roles, class by class', async ({ school, assist, teacher }) => {
    const { k1, k2 } = school.classes;
    await school.database.db
      .updateTable('class_student')
      .set({ joined_at: noon - 30 * day })
      .execute();
    const { course, periods } = await addLessons(school, {
      type: 7,
      classes: [k1, k2],
      starts: [noon - 2 * 3600],
      title: '面授课',
    });
    for (const person of [teacher, assist]) {
      expect(linkNamed(await person.get('/calendar?view=day'), /^点名：第1讲/)).toContain(`period_id=${periods[0]}`);
      const lessons = await person.get(`/classes/attendance?course_id=${course}&class_id=${k2}`);
      const address = linkNamed(lessons, /^点名/);
      const page = await person.get(address);
      expect(page.document.querySelector('main h1')?.textContent).toBe('点名：第1讲');
      expect(page.text).toContain('其他班级');
      const preset = await press(person, page, address, '全部出勤');
      const saved = await press(person, preset, address, '保存');
      expect(new Set(chosenLabels(saved))).toEqual(new Set(['出勤']));
      await press(person, saved, address, '撤销');
    }
    const live = await addLessons(school, { type: 2, classes: [k1], starts: [noon - day] });
    expect((await assist.get(`/classes/roll-call?period_id=${live.periods[0]}&class_id=${k1}`)).status).toBe(409);
  });

  it('is one click away for each waiting lesson, also earlier ones', async ({ school, assist }) => {
    const team = await addTeam(school, { name: '很多线下课', size: 2 });
    const lessons: number[] = [];
    for (let at = 1; at <= 8; at += 1)
      lessons.push(await addLesson(school, { team, start: lessonTimes.held - at * day, mode: 2 }));
    const part = (await assist.get('/')).document.querySelector('section[aria-label="待点名"]');
    const links = [...(part?.querySelectorAll('a[href^="/sessions/roll-call"]') ?? [])];
    expect(links.map((a) => Number(/id=(\d+)/.exec(a.getAttribute('href') ?? '')?.[1]))).toEqual(
      expect.arrayContaining(lessons),
    );
    expect(part?.querySelector('details:not([open]) summary')?.textContent).toMatch(/^还有更早的\d+节$/);
  });
});

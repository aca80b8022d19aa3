/** The browser tab's title names each tab of a screen. */
import { expect } from 'vitest';
import type { Visitor } from '../support/app.ts';
import { addMeeting } from '../support/calendar-school.ts';
import { addExam } from '../support/exams.ts';
import { day, noon, type TestSchool } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';
import { addLesson, addTeam } from '../support/team-lessons.ts';

/** Screens with tabs, each over a record. */
async function screensOf(school: TestSchool): Promise<string[]> {
  const { classes, people } = school;
  const hw = await school.addHomework({ name: '函数', creator: 'teacher', classes: [classes.k1], ending: noon - day });
  const exam = await addExam(school.database.db, { creator: people.teacher.id, school: 1 });
  const lesson = await addLesson(school, { team: await addTeam(school, { name: '数学团课' }) });
  const meeting = await addMeeting(school, { classId: classes.k1, holder: 'teacher' });
  return [
    '/homework?tab=main',
    '/calendar?view=month',
    `/homework/detail?hw_id=${hw}&class_id=0`,
    `/homework/statistics?hw_id=${hw}&class_id=0`,
    `/classes/detail?id=${classes.k1}`,
    `/classes/meeting/statistics?id=${meeting}`,
    `/exams/detail?id=${exam.id}`,
    `/sessions/class?id=${lesson}`,
    '/account',
    '/community',
  ];
}

async function expectOwnTitles(person: Visitor, screens: readonly string[]) {
  for (const address of screens) {
    const page = await person.get(address);
    expect(page.status, address).toBe(200);
    const titles: string[] = [];
    const tabs = [...page.document.querySelectorAll('#screen nav')]
      .filter((nav) => nav.querySelector('[aria-current=page]') && nav.getAttribute('aria-label') !== '面包屑')
      .flatMap((nav) => [...nav.querySelectorAll('a')]);
    for (const tab of tabs) {
      const isShown = tab.hasAttribute('aria-current');
      titles.push((isShown ? page : await person.get(tab.getAttribute('href') ?? '')).document.title);
    }
    expect(new Set(titles).size, `${address}: ${titles}`).toBe(titles.length);
  }
}

let addresses: string[];

it.beforeAll(async ({ school }) => {
  addresses = await screensOf(school);
});

it('each tab of a screen has its own title for a lecturer', ({ teacher }) => expectOwnTitles(teacher, addresses));

it('each tab of a screen has its own title for an assistant', ({ assist }) => expectOwnTitles(assist, addresses));

/** A tab of the browser says what its page shows: each tab of a screen has a title of its own. */
import { expect } from 'vitest';
import { addMeeting } from '../support/calendar-school.ts';
import { addExam } from '../support/exams.ts';
import { day, noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';
import { addLesson, addTeam } from '../support/team-lessons.ts';

it('each tab of a screen has a title of its own', async ({ school, teacher, assist }) => {
  const { classes, people } = school;
  const hw = await school.addHomework({ name: '函数', creator: 'teacher', classes: [classes.k1], ending: noon - day });
  const exam = await addExam(school.database.db, { creator: people.teacher.id, school: 1 });
  const team = await addTeam(school, { name: '数学团课' });
  const lesson = await addLesson(school, { team });
  const meeting = await addMeeting(school, { classId: classes.k1, holder: 'teacher' });
  const screens = [
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
  for (const person of [teacher, assist]) {
    for (const address of screens) {
      const page = await person.get(address);
      expect(page.status, address).toBe(200);
      const tabs = [...page.document.querySelectorAll('#screen nav')]
        .filter((nav) => nav.querySelector('[aria-current=page]') && nav.getAttribute('aria-label') !== '面包屑')
        .flatMap((nav) => [...nav.querySelectorAll('a')].map((a) => a.getAttribute('href') ?? ''));
      const titles: string[] = [];
      for (const tab of tabs) titles.push((await person.get(tab)).document.title);
      expect(new Set(titles).size, `${address}: ${titles}`).toBe(tabs.length);
    }
  }
});

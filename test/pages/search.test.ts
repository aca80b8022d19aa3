import { describe, expect } from 'vitest';
import type { Page } from '../support/app.ts';
import { ownScripts } from '../support/app.ts';
import { day, noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

const part = (page: Page, name: string) => page.document.querySelector(`section[aria-label="${name}"]`);
const links = (page: Page, name: string) =>
  [...(part(page, name)?.querySelectorAll('li > a') ?? [])].map((a) => [a.textContent, a.getAttribute('href')]);

describe('search', () => {
  it('is a plain form on every page', async ({ teacher, assist }) => {
    for (const person of [teacher, assist]) {
      for (const address of ['/', '/homework', '/account', '/search', '/shortcuts', '/nowhere']) {
        const page = await person.get(address);
        const form = page.document.querySelector('header form[role=search]');
        expect([form?.getAttribute('action'), form?.querySelector('[name=q]') !== null], address).toEqual([
          '/search',
          true,
        ]);
        expect(page.text, address).toContain('快捷键');
      }
      expect(ownScripts(await person.get('/search'))).toEqual([]);
      expect(ownScripts(await person.get('/shortcuts'))).toEqual([]);
    }
  });

  it('links to results with the search text marked', async ({ school, teacher, assist }) => {
    const { students, classes } = school;
    const uid = students.k2[0] as number;
    await school.database.db
      .updateTable('student')
      .set({ nickname: '钱霖', mobile: '13800007788' })
      .where('id', '=', uid)
      .execute();
    const hw = await school.addHomework({
      name: '钱霖的错题 <b>&"',
      creator: 'teacher',
      classes: [classes.k2],
      ending: noon + day,
    });
    for (const person of [teacher, assist]) {
      for (const q of ['钱霖', 'ql', 'qianl']) {
        const page = await person.get(`/search?q=${encodeURIComponent(q)}`);
        const [[name, href] = []] = links(page, '学员');
        expect([name, part(page, '学员')?.querySelector('mark')?.textContent]).toEqual(['钱霖', '钱霖']);
        expect(part(page, '学员')?.textContent).toContain(`二班 · 13800007788 · 编号${uid}`);
        const student = await person.get(href as string);
        expect([student.status, student.text.includes('钱霖')]).toEqual([200, true]);
        expect(page.document.querySelector('header [name=q]')?.getAttribute('value')).toBe(q);
      }
      const page = await person.get(`/search?q=${encodeURIComponent('霖的错题 <b>&"')}`);
      expect(page.text).toContain('找到 1 条结果');
      expect(links(page, '作业')).toEqual([['钱霖的错题 <b>&"', `/homework/detail?hw_id=${hw}&class_id=0`]]);
      expect(part(page, '作业')?.querySelector('mark')?.textContent).toBe('霖的错题 <b>&"');
    }
  });

  it('marks pinyin matches of other kinds, and links to all', async ({ school, teacher }) => {
    for (let number = 1; number <= 6; number += 1) {
      await school.addHomework({ name: `晚自习${number}`, creator: 'teacher', classes: [school.classes.k1] });
    }
    const page = await teacher.get('/search?q=wzx');
    expect(links(page, '作业').map(([name]) => name)).toContain('晚自习6');
    expect(part(page, '作业')?.querySelector('mark')?.textContent).toBe('晚自习');
    const all = [...page.document.querySelectorAll('main a')].find((a) => a.textContent === '全部6份作业');
    expect(all?.getAttribute('href')).toBe('/search?q=wzx&kind=homework');
    expect(links(await teacher.get(all?.getAttribute('href') as string), '作业')).toHaveLength(6);
  });

  it('links to all of a kind, and says when nothing matches', async ({ school, teacher }) => {
    for (let number = 1; number <= 7; number += 1) {
      await school.addHomework({
        name: `周末卷${number}`,
        creator: 'teacher',
        classes: [school.classes.k1],
        ending: noon + day,
      });
    }
    const page = await teacher.get(`/search?q=${encodeURIComponent('周末卷')}`);
    expect(links(page, '作业')).toHaveLength(5);
    const all = [...page.document.querySelectorAll('main a')].find((a) => a.textContent === '全部7份作业');
    const list = await teacher.get(all?.getAttribute('href') as string);
    expect(list.text.match(/周末卷\d/g)?.length).toBeGreaterThanOrEqual(7);

    const students = await teacher.get(`/search?q=${encodeURIComponent('学生')}`);
    const further = [...students.document.querySelectorAll('main a')].find((a) =>
      /^全部\d+名学员$/.test(a.textContent),
    );
    const second = await teacher.get(`${further?.getAttribute('href')}&limit=5&page=2`);
    expect(links(second, '学员')).toHaveLength(5);
    expect(second.text).toContain('全部结果');

    for (const q of ['没有这个', '%', '_', "'", '😀', '长'.repeat(100)]) {
      const none = await teacher.get(`/search?q=${encodeURIComponent(q)}`);
      expect([none.status, none.text.includes(`没有找到与“${q}”有关的内容`)], q).toEqual([200, true]);
    }
    const empty = await teacher.get('/search?q=');
    expect([empty.status, empty.text.includes('学员可按姓名')]).toEqual([200, true]);
    expect((await teacher.get(`/search?q=${'x'.repeat(3000)}&kind=nonsense&page=-1`)).status).toBe(200);
  });
});

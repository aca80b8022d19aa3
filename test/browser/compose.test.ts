/** Questions are chosen by a rule, one is exchanged, and the homework with them is published. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { untilPublishFormIsLive } from '../support/publish-form.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';
import { serveSchool } from '../support/school-server.ts';

const ways = [
  { person: 'teacher', javaScriptEnabled: true, width: 1366 },
  { person: 'assist', javaScriptEnabled: true, width: 390 },
  { person: 'assist', javaScriptEnabled: false, width: 390 },
] as const;

type Person = (typeof ways)[number]['person'];

/** Adds eight questions below a chapter, and a homework to copy. Returns the id of the homework. */
async function fillBank(school: TestSchool, person: Person): Promise<number> {
  const { db } = school.database;
  const point = async (name: string, parent_id: number | null = null) =>
    (
      await db
        .insertInto('knowledge_point')
        .values({ name, parent_id, sort: 0 })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  await point('函数的单调性与最大（小）值及其在实际问题中的应用', await point('第3章'));
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
    await school.as(person).post('ques/add', {
      ques_type: 1,
      ques_stem: `<p>函数题${number}：已知函数 f(x) 在区间上单调递增，求参数的取值范围</p>`,
      ques_option: [1, 2, 3].map((id) => ({ id, content: `选项${id}`, is_right: id === 2 ? 1 : 2 })),
      right_answer: '2',
      facility_value: 2 + (number % 2),
      point: '函数的单调性与最大（小）值及其在实际问题中的应用',
    });
  }
  const { body } = await school.as(person).post('hw/publish', {
    course_basis_id: school.courses.shared,
    type: 1,
    name: '旧作业',
    ending_time: noon + 2 * day,
    publish_scope: 3,
    is_set_score: 2,
    question: [{ ques_type: 5, ques_stem: '题干', right_answer: '略', facility_value: 2, ques_score: 10 }],
  });
  return body.data.id;
}

const stems = (page: Page) =>
  page
    .locator('dialog ol[start] > li')
    .evaluateAll((all) => all.map((one) => /函数题\d/.exec(one.textContent ?? '')?.[0]));
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
};

it.for(ways)(
  'a $person publishes questions chosen by a rule, client JS: $javaScriptEnabled, $width px',
  async (way, { browser }) => {
    const { person, javaScriptEnabled, width } = way;
    const name = `${person}-${javaScriptEnabled}-${width}`;
    const school = await openTestSchool('SQLite');
    const server = await serveSchool(school);
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width, height: 800 }, locale: 'zh-CN' });
    try {
      const id = await fillBank(school, person);
      await server.signIn(context, person);
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      await page.goto(`${server.base}/homework/publish?type=copy&id=${id}`);
      if (javaScriptEnabled) await untilPublishFormIsLive(page);
      await page.getByLabel('作业名称').fill('按规则布置');
      await press(page, '按规则选题');
      await page.getByLabel('章节或知识点').fill('第3章');
      await shot(page, `${name}-1`);
      await page.getByLabel('题型').selectOption('1');
      await page.getByLabel('难度从').selectOption('2');
      await page.getByLabel('难度到').selectOption('3');
      await page.getByLabel('每题分值').fill('2');
      await press(page, '添加一行');
      await page.locator('#count-1').fill('0');
      await press(page, /^选题$/);
      await page.locator('#count-1-error', { hasText: '题数为1到100的整数' }).waitFor();
      await shot(page, `${name}-2`);
      await page.locator('#count-1').fill('4');
      await press(page, /^选题$/);
      await page.getByText('符合 8 道，取 3 道，还缺 1 道').waitFor();
      await shot(page, `${name}-3`);
      await press(page, '删除第2行');
      await page.locator('#count-1').waitFor({ state: 'detached' });
      await page.getByText('符合 8 道，取 5 道').waitFor();
      const before = await stems(page);
      expect(new Set(before).size).toBe(5);
      await press(page, '换一道：第2题');
      await expect.poll(() => stems(page)).not.toEqual(before);
      const after = await stems(page);
      expect(after.filter((_, index) => index !== 1)).toEqual(before.filter((_, index) => index !== 1));
      await page.reload();
      expect(await stems(page)).toEqual(after);
      await shot(page, `${name}-4`);
      await press(page, '加入作业');
      await page.waitForSelector('dialog', { state: 'detached' });
      await page.getByText('共 6 题').waitFor();
      const drafted = () =>
        page
          .locator('tr[data-key]')
          .evaluateAll((all) => all.map((row) => /函数题\d|题干/.exec(row.textContent ?? '')?.[0]));
      const inOrder = ['题干', ...after];
      expect(await drafted()).toEqual(inOrder);
      await page.getByLabel('第6题分数').fill('7');
      await press(page, '换一道：第2题');
      await page.getByText('已换一道，可以撤销').waitFor();
      expect(inOrder).not.toContain((await drafted())[1]);
      await shot(page, `${name}-5`);
      await press(page, '撤销换题：第2题');
      await expect.poll(drafted).toEqual(inOrder);
      await page.locator('summary[aria-label="移到：第1题"]').click();
      await page.getByLabel('第1题移到第几题').fill('6');
      await shot(page, `${name}-6`);
      await press(page, '移动第1题到所填的位置');
      const moved = [...after, '题干'];
      await expect.poll(drafted).toEqual(moved);
      expect(await page.getByLabel('第5题分数').inputValue()).toBe('7');
      await press(page, /^提交$/);
      if (await page.getByRole('button', { name: '确定' }).isVisible()) await press(page, '确定');
      await page.waitForURL(({ pathname }) => pathname === '/homework');
      const published = await school.database.db
        .selectFrom('homework_question')
        .innerJoin('homework', 'homework.id', 'homework_question.homework_id')
        .select(['homework_question.ques_stem', 'homework_question.score'])
        .where('homework.name', '=', '按规则布置')
        .orderBy('homework_question.sort')
        .execute();
      expect(published.map(({ ques_stem }) => /函数题\d|题干/.exec(ques_stem)?.[0])).toEqual(moved);
      expect(published.map(({ score }) => score)).toEqual([20, 20, 20, 20, 70, 100]);
    } finally {
      await context.close();
      await server.close();
      await school.close();
    }
  },
);

it.for([1366, 390])('an administrator composes a paper by a rule, %i px', async (width, { browser }) => {
  const school = await openTestSchool('SQLite');
  const server = await serveSchool(school);
  const context = await browser.newContext({ viewport: { width, height: 800 }, locale: 'zh-CN' });
  try {
    await fillBank(school, 'teacher');
    const admin = school.as('admin');
    const { school_id } = await school.database.db.selectFrom('staff').select('school_id').executeTakeFirstOrThrow();
    const fields = { introduce: '', pass_score: '3', limit_minutes: '60', attempts: '2', start_at: null, end_at: null };
    const id = (await admin.post('exams', { ...fields, name: '期中', school_ids: [school_id] })).body.data.id;
    await admin.post(`exams/${id}/sections`, { name: '一', introduce: '' });
    await server.signIn(context, 'admin');
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(`${server.base}/admin/exams/paper?id=${id}`);
    await press(page, '按规则选题：一');
    await page.locator('#bank-0').selectOption({ label: '姓名teacher的题库' });
    await page.locator('#count-0').fill('3');
    await page.locator('#score-0').fill('2.5');
    await press(page, /^选题$/);
    await page.getByText('符合 8 道，取 3 道').waitFor();
    const chosen = await stems(page);
    await shot(page, `admin-${width}-1`);
    await press(page, '加入试卷');
    await page.waitForSelector('dialog', { state: 'detached' });
    const onPaper = async () =>
      [...(await page.locator('main').innerText()).matchAll(/函数题\d/g)].map(([stem]) => stem);
    expect(await onPaper()).toEqual(chosen);
    await page.getByText('总分 7.5').waitFor();
    await press(page, '换一道：第1题');
    await page.getByText('已换一道').waitFor();
    expect((await onPaper()).slice(1)).toEqual(chosen.slice(1));
    expect(await onPaper()).not.toEqual(chosen);
    await shot(page, `admin-${width}-2`);
    await press(page, '撤销换题：第1题');
    await page.getByText('已撤销换题').waitFor();
    expect(await onPaper()).toEqual(chosen);
    await page.getByLabel('第3题分值').fill('4');
    await page.locator('summary[aria-label="移到：第3题"]').click();
    await page.getByLabel('第3题移到第几题').fill('9');
    await press(page, '移动第3题到所填的位置');
    await page.getByText('题号为1到3的整数').first().waitFor();
    await shot(page, `admin-${width}-3`);
    await page.getByLabel('第3题移到第几题').fill('1');
    await press(page, '移动第3题到所填的位置');
    await expect.poll(onPaper).toEqual([chosen[2], chosen[0], chosen[1]]);
    await page.getByText('总分 9.0').waitFor();
  } finally {
    await context.close();
    await server.close();
    await school.close();
  }
});

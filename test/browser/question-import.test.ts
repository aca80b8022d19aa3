/** From a paper in Word, through its corrections, to a published homework. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Demo, it, type Person } from '../support/fixtures.ts';
import { paragraphs, wordFile } from '../support/office-files.ts';
import { untilPublishFormIsLive } from '../support/publish-form.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

/** A paper that nobody wrote for a template. The section says 单选题, but its second question has two answers. */
const paper = `
一、单选题（每题2分）
1. 下列属于可再生能源的是（　　）
A. 煤炭  B. 石油  C. 太阳能  D. 天然气
答案：C
2. 下列城市中，属于省会的是（　　）
A. 南京  B. 苏州  C. 杭州  D. 宁波
答案：A
二、简答题（每题6分）
3. 简述节约用水的意义。
`.trim();

const file = () => ({
  name: '期中试卷.docx',
  mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  buffer: Buffer.from(wordFile({ body: paragraphs(paper) })),
});

async function open(person: Person, width: number): Promise<Page> {
  const isPhone = width < 700;
  const context = await demo.browser.newContext({
    viewport: { width, height: 900 },
    isMobile: isPhone,
    hasTouch: isPhone,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
  });
  return demo.signIn(context, person);
}

const rowOf = (page: Page, place: number) => page.locator('[data-row]').nth(place - 1);

it.each([
  ['teacher', 1366],
  ['assist', 390],
] as const)('publishes a paper in Word in at most 12 clicks as %s at %i px', async (person, width) => {
  const page = await open(person, width);
  let clicks = 0;
  const click = async (target: string | ReturnType<Page['locator']>) => {
    clicks += 1;
    await (typeof target === 'string' ? page.locator(target).first() : target).click();
  };
  await page.goto(`${demo.base}/homework/publish`);
  await untilPublishFormIsLive(page);
  await page.fill('#name', `导入的作业 ${width}`);
  await page.fill('#ending_time', `${new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)}T22:00`);
  await click('button[value="course"]:visible');
  await click('dialog li[data-child] input');
  await click('dialog button:has-text("确定")');
  await page.waitForURL(({ pathname }) => pathname === '/homework/publish');
  await untilPublishFormIsLive(page);

  await click('button[value="import"]:visible');
  clicks += 1;
  await page.setInputFiles('#file', file());
  await click('button:has-text("上传并预览")');
  await page.locator('[data-import]').waitFor();
  expect(await page.locator('[data-row]').count()).toBe(3);
  expect(await page.locator('[data-import]').innerText()).toContain('1 道有问题');
  // Each correction is saved as it is made.
  await rowOf(page, 3).locator('[name=answer]').fill('水资源有限。');
  await click('h1');
  await page.locator('[data-import]:has-text("3 道可以导入")').waitFor();
  await click('button:has-text("全部导入，选入作业")');
  await click('dialog button:has-text("确定")');
  await page.waitForURL(({ pathname }) => pathname === '/homework/publish');
  await untilPublishFormIsLive(page);
  const scores = page.locator('input[name^="score."]');
  expect(await scores.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))).toEqual(['2', '2', '6']);
  await click('button[value="publish"]:visible');
  await page.waitForURL('**/homework?tab=main');
  expect(await page.locator('text=作业发布成功').count()).toBe(1);
  expect(clicks).toBeLessThanOrEqual(12);
  await page.context().close();
});

it('corrects with keys, keeps what is typed meanwhile, and undoes', async () => {
  const page = await open('teacher', 1366);
  await page.goto(`${demo.base}/homework/question/import`);
  await page.setInputFiles('#file', file());
  await page.click('button:has-text("上传并预览")');
  await page.locator('[data-import]').waitFor();
  // Shown by the script.
  await page.locator('[data-keys]:not([hidden])').waitFor();
  const saved = () => page.waitForResponse((response) => response.request().method() === 'POST');

  await page.keyboard.press('n');
  expect(await rowOf(page, 3).getAttribute('aria-current')).toBe('true');
  await page.keyboard.press('k');
  expect(await rowOf(page, 2).getAttribute('aria-current')).toBe('true');
  // The lines of the question are marked on the paper.
  expect(await page.locator('[data-line][data-current]').first().innerText()).toContain('下列城市中');

  await page.keyboard.press('a');
  const answering = saved();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('AC');
  await page.selectOption('[data-row]:nth-child(2) [name=ques_type]', '3');
  await answering;
  await expect.poll(() => rowOf(page, 2).innerText()).not.toContain('有问题');
  expect(await rowOf(page, 2).locator('[name=answer]').inputValue()).toBe('AC');
  await expect.poll(() => page.locator('[role=status]').first().innerText()).toContain('第2题：题型改为多选题');

  await rowOf(page, 1).focus();
  await page.keyboard.press('z');
  await expect.poll(() => rowOf(page, 2).locator('[name=ques_type]').inputValue()).toBe('1');

  await rowOf(page, 2).focus();
  await page.keyboard.press('x');
  await expect.poll(() => rowOf(page, 2).innerText()).toContain('已排除');
  await page.keyboard.press('x');
  await expect.poll(() => rowOf(page, 2).innerText()).not.toContain('已排除');

  // A refused answer stays with its reason while another question is saved.
  await rowOf(page, 1).locator('[name=answer]').fill('Z');
  await page.keyboard.press('Tab');
  await expect.poll(() => rowOf(page, 1).innerText()).toContain('答案Z没有对应的选项');
  await rowOf(page, 3).locator('[name=score]').fill('8');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.locator('[role=status]').first().innerText()).toContain('分值改为8');
  expect(await rowOf(page, 1).locator('[name=answer]').inputValue()).toBe('Z');
  expect(await rowOf(page, 1).innerText()).toContain('答案Z没有对应的选项');
  await rowOf(page, 1).locator('[name=answer]').fill('C');
  await page.keyboard.press('Tab');
  await expect.poll(() => rowOf(page, 1).innerText()).not.toContain('没有对应的选项');

  const typed = rowOf(page, 1).locator('[name=score]');
  await typed.fill('3');
  await page.keyboard.press('Tab');
  await page.reload();
  expect(await typed.inputValue()).toBe('3');
  await page.keyboard.press('?');
  expect(await page.locator('[data-keys]').getAttribute('open')).not.toBeNull();
  await page.context().close();
});

it('says which question of a paper a homework contains already', async () => {
  const page = await open('teacher', 1366);
  await page.goto(`${demo.base}/homework/publish`);
  await untilPublishFormIsLive(page);
  await page.click('button[value="import"]:visible');
  const question = (number: number) => `${number}. 可再生的是（　　）\nA. 石油  B. 风能\n答案：B\n`;
  const body = paragraphs(question(1) + question(2));
  await page.setInputFiles('#file', { ...file(), buffer: Buffer.from(wordFile({ body })) });
  await page.click('button:has-text("上传并预览")');
  await page.click('button:has-text("全部导入，选入作业")');
  await page.click('dialog button:has-text("确定")');
  await page.waitForURL(({ pathname }) => pathname === '/homework/publish');
  await page.locator('[data-flash][role=alert]:has-text("未重复添加：第1题")').waitFor();
});

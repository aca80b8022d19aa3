import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { readPdf } from '../pdf/read.ts';
import { accessibilityFaults } from '../support/axe.ts';
import { type Demo, it, openPersonMenu, type Person } from '../support/fixtures.ts';
import { describeWays, thorough } from '../support/thorough.ts';
import { bytesOf } from '../support/wait-for-file.ts';

let demo: Demo;

it.beforeAll(({ demo: started }) => {
  demo = started;
});

async function open(person: Person, javaScriptEnabled: boolean, width = 1280): Promise<BrowserContext> {
  const context = await demo.browser.newContext({
    javaScriptEnabled,
    viewport: { width, height: 800 },
    locale: 'zh-CN',
  });
  await demo.authenticate(context, person);
  return context;
}

/** An exam with a matching question: the preview, and the report ids of a repeated and of an ungraded submission. */
async function places(person: Person) {
  const { list } = await demo.ask(person, 'testDetail/list/1?limit=200');
  const times = new Map<string, number>();
  for (const { nickname } of list) times.set(nickname, (times.get(nickname) ?? 0) + 1);
  const several = list.find((row: { nickname: string }) => (times.get(row.nickname) ?? 0) > 1);
  const waiting = list.find((row: { test_status: number }) => row.test_status === 2);
  return { preview: '/exams/preview?id=1', several: several.report_id, waiting: waiting.report_id };
}

const sheetOf = (id: number) => `/exams/approve/view?report_id=${id}`;

describeWays(['teacher', 'assist'] as const)('papers and answer sheets: %s', (person) => {
  let context: BrowserContext;
  let page: Page;
  let at: Awaited<ReturnType<typeof places>>;

  beforeAll(async () => {
    [context, at] = await Promise.all([open(person, true), places(person)]);
    page = await context.newPage();
  });
  afterAll(async () => context?.close());

  it('have no accessibility faults, light and dark', thorough, async () => {
    const faultsOf = async (path: string) => {
      await page.goto(demo.base + path);
      return accessibilityFaults(page);
    };
    expect(await faultsOf(`${at.preview}&answers=1`)).toEqual([]);
    expect(await faultsOf(sheetOf(at.several))).toEqual([]);
    if (person === 'teacher') return;
    // Checks that are the same for both identities.
    expect(await faultsOf(at.preview)).toEqual([]);
    expect(await faultsOf(`${sheetOf(at.waiting)}&wrong=1`)).toEqual([]);
    await openPersonMenu(page);
    await page.click('form[action="/appearance"] button');
    expect(await faultsOf(`${at.preview}&answers=1`)).toEqual([]);
    await openPersonMenu(page);
    await page.click('form[action="/appearance"] button');
  });

  it('render questions on scrolling, fold each analysis and switch the answers on', async () => {
    await page.goto(demo.base + at.preview);
    const articles = page.locator('main > section > div > article');
    const isDrawn = (index: number) =>
      articles.nth(index).evaluate((article) => article.checkVisibility({ contentVisibilityAuto: true }));
    const last = (await articles.count()) - 1;
    expect([await isDrawn(0), await isDrawn(last)]).toEqual([true, false]);
    await articles.nth(last).scrollIntoViewIfNeeded();
    await expect.poll(() => isDrawn(last)).toBe(true);
    const folds = page.locator('main article details');
    await folds.nth(1).locator('summary').click();
    expect(await folds.evaluateAll((all) => all.filter((one) => (one as HTMLDetailsElement).open).length)).toBe(1);
    await page.click('role=switch');
    expect(page.url()).toContain('answers=1');
    expect(await page.locator('main').innerText()).toContain('正确答案');
  });

  it('keep the answer card in view, which jumps to a question', async () => {
    await page.goto(demo.base + sheetOf(at.several));
    const card = page.locator('aside');
    const places = card.locator('ol a');
    await places.last().click();
    expect(page.url()).toMatch(/#q\d+$/);
    const target = page.locator(':target');
    const box = await target.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(800);
    expect((await card.boundingBox())?.y).toBeLessThan(100);
    // Each state has its own colour, and shapes differ, as in the card's key.
    const looks = await places.first().evaluate((place) =>
      ['1', '2', '3', '4', '5'].map((status) => {
        place.setAttribute('data-status', status);
        const { color, borderRadius } = getComputedStyle(place);
        return { color, borderRadius };
      }),
    );
    const [right, , , , reviewed] = looks;
    expect(new Set(looks.map(({ color }) => color)).size).toBe(5);
    expect(reviewed?.borderRadius).not.toBe(right?.borderRadius);
    const select = page.locator('select[name=report_id]');
    const other = (
      await select.locator('option').evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))
    ).find((value) => value !== String(at.several));
    // Choosing navigates; the button is for pages without client JS.
    expect(await page.isVisible('button:has-text("查看")')).toBe(false);
    await select.selectOption(other ?? '');
    await page.waitForURL(`**/*report_id=${other}*`);
  });
});

it('a paper without client JS shows every question, and is downloaded as PDF and printed', thorough, async () => {
  const context = await open('teacher', false, 1024);
  const page = await context.newPage();
  await page.goto(`${demo.base}/exams/preview?id=1&answers=1`);
  const articles = page.locator('main > section > div > article');
  for (const index of [0, (await articles.count()) - 1]) {
    expect(await articles.nth(index).isVisible()).toBe(true);
  }
  // The lines of a matching question end at the middle of their rows.
  const matching = page.locator('article:has-text("连线题")').first();
  const svg = await matching.locator('svg').boundingBox();
  const rows = await matching
    .locator('ol')
    .first()
    .locator('li')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ y, height }) => ({ y, height })));
  expect(new Set(rows.map(({ height }) => Math.round(height))).size).toBe(1);
  expect(svg?.height).toBeCloseTo(
    rows.reduce((sum, { height }) => sum + height, 0),
    0,
  );
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1024);

  const posted = context.waitForEvent('response', (response) => response.url().includes('/exports/'));
  await page.click('summary:has-text("下载试卷")');
  await page.click('button:has-text("含答案与解析")');
  const path = new URL((await posted).url()).pathname;
  const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const asked = { headers: { cookie: cookies }, redirect: 'manual' } as const;
  // Until the PDF is ready, the address shows a waiting page.
  await expect.poll(async () => (await fetch(demo.base + path, asked)).status).toBe(200);
  const pdf = await readPdf(await bytesOf(await fetch(demo.base + path, asked)));
  const stems = await articles.evaluateAll((all) => all.map((one) => one.querySelector('h2')?.textContent ?? ''));
  for (const stem of stems) expect(pdf.text()).toContain(`${stem.split('.')[0]}.`);

  // The printed page has page numbers.
  await page.goto(`${demo.base}/exams/preview?id=1&answers=1`);
  const printed = await readPdf(new Uint8Array(await page.pdf({ preferCSSPageSize: true })));
  // The browser's PDF has radicals in place of some characters.
  const text = (number?: number) =>
    printed.text(number).normalize('NFKC').replaceAll('⻚', '页').replaceAll('⻓', '长');
  for (let number = 1; number <= printed.pages; number += 1) {
    expect(text(number)).toContain(`第${number}页,共${printed.pages}页`);
  }
  expect(text()).not.toContain('下载试卷');
  expect(text()).toContain('考试时长120分钟');
  expect(text()).toMatch(/连线题6.0分.*1.B、2.C、3.A/);
  await context.close();
});

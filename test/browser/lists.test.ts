/** @module-tag thorough */
/** List layout: first row high up, menus move nothing, messages cover nothing for long. */
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it, openPersonMenu, type Person } from '../support/fixtures.ts';

/** A school's PC. */
const viewport = { width: 1366, height: 768 };

/** Screens with lists, and records reached from them. */
async function listsOf(page: Page, base: string, person: Person): Promise<string[]> {
  const first = async (list: string, record: string) => {
    await page.goto(base + list);
    return (await page.locator(`tbody a[href*="${record}"]`).first().getAttribute('href')) as string;
  };
  const theClass = await first('/classes', '/classes/detail');
  const exam = await first('/exams', '/exams/detail');
  const homework = await first('/homework?tab=main&state=ended', '/homework/detail');
  const team = person === 'assist' ? await first('/curriculum', '/curriculum/detail') : undefined;
  return [
    ...['main', 'approve', 'ques'].map((tab) => `/homework?tab=${tab}`),
    homework,
    `${homework}&status=2`,
    `${homework}&tab=2`,
    '/exams',
    `${exam}&tab=paper`,
    `${exam}&tab=paper&test_status=3`,
    `${exam}&tab=student`,
    '/classes',
    ...['students', 'homework', 'study', 'courseware', 'leave', 'notice', 'meeting'].map(
      (tab) => `${theClass}&tab=${tab}`,
    ),
    '/leave',
    '/sessions?view=list',
    '/courseware',
    ...(team ? ['/curriculum', team, `${team}&tab=3`] : []),
  ];
}

describe.for(['teacher', 'assist'] as const)('lists of %s', (person) => {
  it('begin above 300 px, and ten of their rows show', async ({ signedIn, demo }) => {
    const page = await signedIn(person, '/classes', { viewport });
    const low: unknown[] = [];
    for (const address of await listsOf(page, demo.base, person)) {
      await page.goto(demo.base + address);
      const rows = await page
        .locator('main table')
        .first()
        .locator('tbody tr')
        .evaluateAll((all) =>
          all.map((row) => row.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })),
        );
      const shown = rows.filter(({ bottom }) => bottom <= 768).length;
      if ((rows[0]?.top ?? 0) >= 300 || shown < Math.min(10, rows.length)) low.push([address, rows[0]?.top, shown]);
    }
    expect(low).toEqual([]);
  });

  it('begin above 300 px where a row is higher, and in a lesson', async ({ signedIn, demo }) => {
    const page = await signedIn(person, '/homework?tab=main&state=ended', { viewport });
    const homework = await page.locator('tbody a[href*="/homework/detail"]').first().getAttribute('href');
    await page.goto(`${demo.base}/sessions?view=list`);
    const lesson = await page.locator('tbody a[href*="/sessions/"]').first().getAttribute('href');
    for (const address of [`${homework}&tab=1`, lesson]) {
      await page.goto(demo.base + address);
      const row = await page.locator('main tbody tr').first().boundingBox();
      expect([address, (row?.y ?? 0) < 300]).toEqual([address, true]);
    }
  });

  it('have one edge with the title, the tabs and the filters of their page', async ({ signedIn, demo }) => {
    const page = await signedIn(person, '/homework?tab=main&state=ended', { viewport });
    const homework = await page.locator('tbody a[href*="/homework/detail"]').first().getAttribute('href');
    for (const width of [1366, 1920]) {
      await page.setViewportSize({ width, height: 768 });
      for (const addresses of [
        ['/homework?tab=main', '/homework?tab=approve'],
        ['/classes'],
        ['/leave'],
        [`${homework}`, `${homework}&tab=1`, `${homework}&tab=2`],
      ]) {
        const edges = new Set<number>();
        for (const address of addresses) {
          await page.goto(demo.base + address);
          const found = await page
            .locator('main h1, main nav[aria-label="作业"], main form[role=search], main section:has(> table)')
            .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
          for (const left of found) edges.add(left);
        }
        expect([width, addresses[0], edges.size]).toEqual([width, addresses[0], 1]);
      }
    }
  });

  it('are short cards on a phone with filters behind a button', async ({ signedIn }) => {
    const page = await signedIn(person, '/homework?tab=main', { viewport: { width: 390, height: 844 } });
    const rows = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect()).map(({ top, height }) => ({ top, height })));
    expect(rows[0]?.top).toBeLessThan(360);
    const middle = rows.map(({ height }) => height).sort((one, other) => one - other)[Math.floor(rows.length / 2)];
    expect(middle).toBeLessThan(160);
    expect(await page.getByLabel('作业名称').isVisible()).toBe(false);
    await page.locator('form[role=search] summary:visible').first().click();
    await page.getByLabel('作业名称').fill('没有这份作业');
    await page.getByRole('button', { name: '查询' }).click();
    await page.getByText('没有符合条件的作业').waitFor();
    expect(await page.getByText('筛选（1）').isVisible()).toBe(true);
    expect(await page.getByRole('list', { name: '已选条件' }).getByRole('link').isVisible()).toBe(true);
  });

  it('show facts in two columns of cards on a phone, with wide buttons', async ({ signedIn }) => {
    const page = await signedIn(person, '/homework?tab=main&state=ended', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    const lefts = await page.locator('tbody tr').evaluateAll((rows) =>
      rows.flatMap((row) =>
        [...row.querySelectorAll('td')]
          .slice(1)
          .filter((cell) => cell.offsetParent !== null && !cell.matches('[data-actions]'))
          .map((cell) => Math.round(cell.getBoundingClientRect().left)),
      ),
    );
    expect(lefts.length).toBeGreaterThan(20);
    expect(new Set(lefts).size).toBe(2);
    const button = await page.locator('tbody td[data-actions] a').first().boundingBox();
    expect(button?.width).toBeGreaterThan(button?.height ?? 0);
  });

  it('shade content under the sticky column', async ({ signedIn }) => {
    const page = await signedIn(person, '/homework?tab=main', { viewport: { width: 820, height: 768 } });
    const shade = await page
      .locator('tbody td[data-actions]')
      .first()
      .evaluate((cell) => {
        const { width, backgroundImage } = getComputedStyle(cell, '::before');
        return [width, backgroundImage.startsWith('linear-gradient')];
      });
    expect(shade).toEqual(['8px', true]);
  });

  it('print facts without buttons and other tabs; a transcript prints whole', async ({ signedIn }) => {
    const page = await signedIn(person, '/homework?tab=main&state=ended', { viewport });
    const homework = await page.locator('tbody a[href*="/homework/detail"]').first().getAttribute('href');
    await page.goto(new URL(`${homework}&tab=2`, page.url()).href);
    const all = page.getByRole('link', { name: '全部显示' });
    if ((await all.count()) > 0) {
      await all.click();
      await page.waitForURL(/limit=/);
    }
    const total = Number(/共 (\d+) 条/.exec(await page.innerText('main'))?.[1]);
    expect(await page.locator('tbody tr').count()).toBe(total);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('td[data-actions]').first().isVisible()).toBe(false);
    const tabs = page.locator('main nav[aria-label="作业分析"] a:visible');
    expect(await tabs.allInnerTexts()).toEqual(['成绩单']);
    expect(await page.getByText('更多信息').isVisible()).toBe(false);
  });

  it('show whole state tags at 1366 and 820 px', async ({ signedIn, demo }) => {
    const page = await signedIn(person, '/leave', { viewport });
    for (const width of [1366, 820]) {
      await page.setViewportSize({ width, height: 768 });
      await page.goto(`${demo.base}/leave`);
      const words = page.locator('tbody').getByText('待审批', { exact: true });
      const cut = await words.evaluateAll((all) => all.map((one) => one.scrollWidth > one.clientWidth));
      expect(cut.length).toBeGreaterThan(0);
      expect([width, cut.filter(Boolean).length]).toEqual([width, 0]);
    }
  });

  it('have checkbox labels beside their boxes, as high as a finger, on a phone', async ({ signedIn }) => {
    const page = await signedIn(person, '/leave', { viewport: { width: 390, height: 844 }, hasTouch: true });
    await page.locator('form[role=search] summary:visible').first().click();
    const box = await page.getByLabel('只看待审批').boundingBox();
    const words = await page.locator('label', { hasText: '只看待审批' }).boundingBox();
    if (!box || !words) throw new Error('the box is not shown');
    expect(words.x - box.x - box.width).toBeLessThan(24);
    expect(words.height).toBeGreaterThanOrEqual(44);
  });

  it("show the address's filters after going back", async ({ signedIn }) => {
    const page = await signedIn(person, '/leave');
    await page.getByLabel('只看待审批').uncheck();
    await page.getByLabel('学员', { exact: true }).fill('没有这个人');
    await page.getByRole('button', { name: '查询' }).click();
    await page.getByText('没有符合条件的请假申请').waitFor();
    await page.goBack();
    expect(await page.getByLabel('只看待审批').isChecked()).toBe(true);
    expect(await page.getByLabel('学员', { exact: true }).inputValue()).toBe('');
  });

  it("begin above 400 px on a phone, with the homework's header", async ({ signedIn, demo }) => {
    const page = await signedIn(person, '/homework?tab=main&state=ended', {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    });
    const homework = await page.locator('tbody a[href*="/homework/detail"]').first().getAttribute('href');
    for (const address of [`${homework}`, `${homework}&tab=2`]) {
      await page.goto(demo.base + address);
      const row = await page.locator('main tbody tr').first().boundingBox();
      expect([address, (row?.y ?? 400) < 400]).toEqual([address, true]);
    }
  });

  it('name each active filter, with a link to remove it', async ({ signedIn, demo }) => {
    const page = await signedIn(person, '/homework?tab=main&course_title=数学&type=2&publish_start=2026-01-01', {
      viewport,
    });
    const chips = page.getByRole('list', { name: '已选条件' }).getByRole('link');
    expect(await chips.allInnerTexts()).toEqual([
      expect.stringContaining('课程：数学'),
      expect.stringContaining('类型：课时作业'),
      expect.stringContaining('发布时间：2026-01-01 起'),
    ]);
    await chips.nth(1).click();
    expect(new URL(page.url()).search).toBe('?tab=main&publish_start=2026-01-01&course_title=%E6%95%B0%E5%AD%A6');
    // Quick filters keep the other filters.
    await page.getByRole('navigation', { name: '常用筛选' }).getByRole('link', { name: '进行中' }).click();
    expect(new URL(page.url()).searchParams.get('state')).toBe('open');
    expect(new URL(page.url()).searchParams.get('course_title')).toBe('数学');
    expect(await page.locator('tbody tr').filter({ hasText: '已截止' }).count()).toBe(0);
    expect(demo.base).toContain('http');
  });

  it('keep parameters without a field when searching', async ({ signedIn }) => {
    const page = await signedIn(person, '/homework?tab=main&state=ended&publish_start=2026-01-01', { viewport });
    const lit = page.getByRole('navigation', { name: '常用筛选' }).locator('[aria-current]');
    const chips = page.getByRole('list', { name: '已选条件' }).getByRole('link');
    expect(await lit.allInnerTexts()).toEqual(['已截止']);
    expect(await chips.allInnerTexts()).toEqual([expect.stringContaining('发布时间：2026-01-01 起')]);
    await page.getByLabel('类型').selectOption('课时作业');
    await page.getByRole('button', { name: '查询' }).click();
    await page.waitForURL(/type=2/);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      state: 'ended',
      publish_start: '2026-01-01',
      type: '2',
    });
    // A second click removes it alone.
    await lit.click();
    await page.waitForURL((url) => !url.searchParams.has('state'));
    expect(await chips.count()).toBe(2);
    expect(await lit.count()).toBe(0);
    await page.goto(new URL('/exams?waiting=1', page.url()).href);
    await page.getByLabel('发布状态').selectOption({ index: 1 });
    await page.getByRole('button', { name: '查询' }).click();
    await page.waitForURL(/status=/);
    expect(new URL(page.url()).searchParams.get('waiting')).toBe('1');
  });

  it('expand more filters over the rows, and close by an outside click, without a script', async ({ signedIn }) => {
    const page = await signedIn(person, '/homework?tab=main', { viewport, javaScriptEnabled: false });
    const top = () =>
      page
        .locator('tbody tr')
        .first()
        .evaluate((row) => row.getBoundingClientRect().top);
    const before = await top();
    await page.getByText('更多筛选').click();
    await page.getByLabel('发布人').fill('没有这个人');
    expect(await top()).toBe(before);
    await page.mouse.click(20, 600);
    expect(await page.getByLabel('发布人').isVisible()).toBe(false);
    await openPersonMenu(page);
    expect(await page.getByRole('link', { name: '我的账号' }).isVisible()).toBe(true);
    await page.mouse.click(20, 600);
    expect(await page.getByRole('link', { name: '我的账号' }).isVisible()).toBe(false);
    await page.getByText('更多筛选').click();
    await page.getByRole('button', { name: '查询' }).click();
    expect(await page.getByText('更多筛选（1）').count()).toBe(1);
    expect(await page.getByText('没有符合条件的作业').count()).toBe(1);
  });

  it('have menus that move no row, are not clipped, and close outside', async ({ signedIn }) => {
    const page = await signedIn(person, '/homework?tab=ques', { viewport });
    const menus = page.locator('tbody details');
    const last = menus.last();
    const heights = () =>
      page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    const before = await heights();
    await last.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await heights()).toEqual(before);
    const remove = last.getByRole('link', { name: /^删除/ });
    await remove.scrollIntoViewIfNeeded();
    // The topmost element at its position is itself.
    expect(
      await remove.evaluate((link) => {
        const { left, top, width, height } = link.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) === link;
      }),
    ).toBe(true);
    await page.mouse.click(20, 400);
    expect(await remove.isVisible()).toBe(false);
  });
});

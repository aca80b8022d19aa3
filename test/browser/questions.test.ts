import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { excelTemplate, wordTemplate } from '#server/questions/import/template.ts';
import { accessibilityFaults, faultsInLightAndDark } from '../support/axe.ts';
import { hasPackagedChromium, isOldest, launchChromium109 } from '../support/chromium.ts';
import { type Demo, fillSignIn, it, openPersonMenu, type Person } from '../support/fixtures.ts';
import { sizeOf } from '../support/pictures.ts';
import { describeWays, thorough } from '../support/thorough.ts';

let demo: Demo;
/** The list of questions, to which a saved form leads. */
const listed = /\/homework\?tab=ques/;
const folder = mkdtempSync(path.join(tmpdir(), 'questions-'));
const file = (name: string) => path.join(folder, name);

it.beforeAll(async ({ demo: started }) => {
  demo = started;
  writeFileSync(file('题目.docx'), await wordTemplate());
  writeFileSync(file('题目.xlsx'), await excelTemplate());
  const picture = sharp({ create: { width: 40, height: 20, channels: 3, background: '#1864ab' } });
  writeFileSync(file('图.png'), await picture.png().toBuffer());
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** A lecturer without client JS is tried in pages/questions.test.ts. */
const ways = (
  [
    { person: 'teacher', javaScriptEnabled: true },
    { person: 'assist', javaScriptEnabled: true },
    { person: 'assist', javaScriptEnabled: false },
  ] as const
).filter(({ javaScriptEnabled }) => javaScriptEnabled || !isOldest);

const signIn = (context: BrowserContext, person: Person) => demo.signIn(context, person);

const open = (javaScriptEnabled: boolean, width = 1280) =>
  demo.browser.newContext({
    javaScriptEnabled,
    viewport: { width, height: 900 },
    locale: 'zh-CN',
    reducedMotion: 'reduce',
  });

/** Stores a stem in the database without sanitizing it. */
function changeStem(id: string | null | undefined, stem: string): void {
  const school = new DatabaseSync(path.join(demo.server.varDir, 'school.db'), { timeout: 5000 });
  school.prepare('update question set ques_stem = ? where id = ?').run(stem, Number(id));
  school.close();
}

describeWays(ways)('questions: $person, client JS $javaScriptEnabled', ({ person, javaScriptEnabled }) => {
  let context: BrowserContext;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    context = await open(javaScriptEnabled);
    page = await signIn(context, person);
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('dialog', (dialog) => {
      // Only leaving unsaved work opens a prompt.
      if (dialog.type() !== 'beforeunload') faults.push(`dialog: ${dialog.message()}`);
      dialog.accept();
    });
  });
  afterAll(async () => context?.close());

  const field = (name: string) => page.locator(`[id="${name}"]`);
  const write = async (name: string, text: string) => {
    if (!javaScriptEnabled) return field(name).fill(text);
    await field(name).click();
    await page.locator(`[id="${name}"].ProseMirror`).waitFor();
    // Inserts the text at once, like an input method; typing by keys is tested with the editor.
    await page.keyboard.insertText(text);
  };
  const chooseType = async (type: number, at = '') => {
    await field(`${at}ques_type`).selectOption(String(type));
    if (!javaScriptEnabled)
      await page
        .locator('button:has-text("切换题型")')
        .nth(at ? 1 : 0)
        .click();
  };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click();
  const begin = async () => {
    await page.goto(`${demo.base}/homework/question/add`);
    if (javaScriptEnabled) await page.locator('button:has-text("切换题型")').waitFor({ state: 'detached' });
  };
  const stem = (type: string) => `${type} ${person} ${javaScriptEnabled}`;
  const saveQuestion = async (text: string) => {
    await press('保存');
    await page.waitForURL(listed);
    expect(await page.locator('[role=status]').first().innerText()).toBe('添加成功');
    expect(await page.locator('tbody tr').first().innerText()).toContain(text);
  };

  it.each([
    ['单选题', 1, ['0']],
    ['多选题', 3, ['0', '2']],
    ['不定项选择题', 4, ['1']],
  ])('writes a %s', async (name, type, right) => {
    await begin();
    await chooseType(type);
    await write('ques_stem', stem(name));
    for (const [index, text] of ['甲', '乙', '丙', '丁'].entries()) await write(`ques_option.${index}.content`, text);
    for (const index of right) await page.check(`[name=right_option][value="${index}"]`);
    await page.selectOption('#facility_value', '2');
    await saveQuestion(stem(name));
  });

  it('writes a 判断题, a 简答题 and a 填空题', async () => {
    await begin();
    await chooseType(2);
    await write('ques_stem', stem('判断题'));
    await page.check('[name=right_option][value="1"]');
    await page.selectOption('#facility_value', '1');
    await saveQuestion(stem('判断题'));

    await begin();
    await chooseType(5);
    await write('ques_stem', stem('简答题'));
    await write('right_answer', '参考答案');
    await page.selectOption('#facility_value', '3');
    await saveQuestion(stem('简答题'));

    await begin();
    await chooseType(7);
    await write('ques_stem', stem('填空题____和____'));
    await press('添加空');
    await page.fill('[name="right_answer.0"]', '北京');
    await page.fill('[name="right_answer.1"]', '长江');
    await page.selectOption('#facility_value', '3');
    await saveQuestion(stem('填空题____和____'));
  });

  it('writes a 材料题 with sub-questions that are added, moved and removed', async () => {
    await begin();
    await chooseType(6);
    await write('ques_stem', stem('材料题'));
    await chooseType(5, 'ques_item.0.');
    await write('ques_item.0.ques_stem', '第一问');
    await write('ques_item.0.right_answer', '答一');
    await press('添加小题');
    await write('ques_item.1.ques_stem', '第二问');
    await page.click('[aria-label="上移第 1 小题"]');
    expect(await page.locator('main [role=alert]').innerText()).toBe('已经是第一题');
    await page.click('[aria-label="上移第 2 小题"]');
    await page.click('[aria-label="删除第 1 小题"]');
    await press('确定');
    await page.click('[aria-label="删除第 1 小题"]');
    expect(await page.locator('main [role=alert]').innerText()).toBe('至少保留一道小题');
    await page.selectOption('#facility_value', '5');
    await saveQuestion(stem('材料题'));
    await page.locator('tbody tr').first().locator('summary').click();
    await page.locator('tbody tr').first().locator('a:has-text("查看")').click();
    const detail = await page.locator('main').innerText();
    expect(detail).toContain('第一问');
    expect(detail).not.toContain('第二问');
  });

  it('removes an option after confirmation, and reports missing values at their fields', async () => {
    await begin();
    await write('ques_option.0.content', '甲');
    await page.click('[aria-label="删除选项B"]');
    expect(await page.locator('main').innerText()).toContain('确定删除该选项吗？');
    await press('确定');
    await page.locator('[aria-label="删除选项D"]').waitFor({ state: 'detached' });
    await press('保存');
    const alert = page.locator('main [role=alert]');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('请完善信息');
    expect(await page.locator('[id="ques_option.1.content-error"]').innerText()).toBe('选项B内容不能为空');
    expect(await alert.innerText()).not.toContain('难度');
    await alert.locator('a', { hasText: '选项B' }).click();
    expect(page.url()).toContain('#ques_option.1.content');
    const kept = javaScriptEnabled
      ? field('ques_option.0.content').innerText()
      : field('ques_option.0.content').inputValue();
    expect(await kept).toBe('甲');
  });

  it('edits a question and keeps the other fields', async () => {
    await page.goto(`${demo.base}/homework?tab=ques&ques_stem=${encodeURIComponent(stem('简答题'))}`);
    await page.locator('tbody tr').first().locator('a:has-text("编辑")').click();
    await page.fill('#remark', '改过');
    await press('保存');
    await page.waitForURL(listed);
    expect(await page.locator('[role=status]').first().innerText()).toBe('编辑成功');
    const row = page.locator('tbody tr').first();
    expect(await row.innerText()).toContain('改过');
    await row.locator('summary').click();
    await row.locator('a:has-text("查看")').click();
    expect(await page.locator('main').innerText()).toContain('参考答案');
  });

  it.each(['题目.docx', '题目.xlsx'])('imports %s after a preview', async (name) => {
    await page.goto(`${demo.base}/homework?tab=ques`);
    await page.click('a:has-text("导入题目")');
    await page.setInputFiles('#file', file(name));
    await press('上传并预览');
    await page.locator('button:has-text("全部导入")').waitFor();
    expect(await page.locator('main').innerText()).toContain('可以导入');
    await press('全部导入');
    await page.waitForURL(listed);
    expect(await page.locator('[role=status]').first().innerText()).toBe('导入成功用这些题目布置作业✕');
  });

  it('shows a preview beside a stem, on hover and on focus', async () => {
    await page.goto(`${demo.base}/homework?tab=ques&ques_stem=${encodeURIComponent(stem('单选题'))}`);
    const preview = page.locator('tbody ol').first();
    expect(await preview.isVisible()).toBe(false);
    await page.locator('tbody a').first().hover();
    await preview.waitFor();
    await page.mouse.move(1, 1);
    await preview.waitFor({ state: 'hidden' });
    await page.locator('tbody a').first().focus();
    await preview.waitFor();
    expect(await preview.innerText()).toContain('甲');
  });

  it('deletes the selected questions after confirmation', async () => {
    await page.goto(`${demo.base}/homework?tab=ques&ques_stem=${encodeURIComponent(`${person} ${javaScriptEnabled}`)}`);
    const before = await page.locator('tbody tr').count();
    await page.locator('tbody input').nth(0).check();
    await page.locator('tbody input').nth(1).check();
    await press('删除选中');
    expect(await page.locator('dialog').innerText()).toContain('是否移除选中题目？');
    await press('确定删除');
    await page.waitForSelector('[role=status]');
    expect(await page.locator('tbody tr').count()).toBe(before - 2);
  });

  it('never runs scripts in a question, and no script of the page fails', async () => {
    const text = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    await begin();
    await chooseType(5);
    await write('ques_stem', text);
    await write('right_answer', text);
    await page.selectOption('#facility_value', '1');
    await press('预览');
    await page.locator('#preview').waitFor();
    expect(await page.locator('#preview').innerText()).toContain('onerror');
    await press('保存');
    await page.waitForURL(listed);
    await page.locator('tbody tr').first().locator('summary').click();
    await page.locator('tbody tr').first().locator('a:has-text("查看")').click();
    expect(await page.locator('main').innerText()).toContain('<img src=x onerror="alert(1)">');
    if (javaScriptEnabled && person === 'teacher') {
      // Unsanitised database content, such as an old import.
      const id = new URL(page.url()).searchParams.get('id');
      const runs = 'globalThis.hasRun = true';
      const stored = `<p>存下的</p><img src="x" onerror="${runs}"><script>${runs}</script><svg onload="${runs}"></svg>`;
      changeStem(id, stored);
      await page.reload();
      expect(await page.locator('main').innerText()).toContain('存下的');
      expect(await page.evaluate('globalThis.hasRun')).toBeUndefined();
      await page.goto(`${demo.base}/homework?tab=ques`);
      await page.locator('tbody a').first().hover();
      expect(await page.evaluate('globalThis.hasRun')).toBeUndefined();
      await page.goto(`${demo.base}/homework/question/edit?id=${id}`);
      await field('ques_stem').focus();
      await page.locator('#ques_stem.ProseMirror', { hasText: '存下的' }).waitFor();
      expect(await page.evaluate('globalThis.hasRun')).toBeUndefined();
      // The next tests check this bank: a picture without a description would count as a fault of its screens.
      changeStem(id, '<p>存下的</p>');
    }
    expect(faults).toEqual([]);
  });
});

describe('the question editor', () => {
  it('keeps formats, pictures and formulas, and shows formulas while they are typed', async ({ signedIn }) => {
    const page = await signedIn('teacher', '/homework/question/add');
    await page.selectOption('#ques_type', '5');
    await page.click('#ques_stem');
    await page.locator('#ques_stem.ProseMirror').waitFor();
    await page.keyboard.type('排版 ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('粗');
    await page.keyboard.press('Control+b');
    await page.click('[aria-label="公式"]');
    await page.keyboard.type('\\frac{1}{2}');
    await page.locator('main math').first().waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type(' 后');
    await page.setInputFiles('main input[type=file]', file('图.png'));
    await page.locator('#ques_stem img[src]').waitFor();
    await page.click('#right_answer');
    await page.locator('#right_answer.ProseMirror').waitFor();
    await page.keyboard.type('答');
    await page.selectOption('#facility_value', '2');
    await page.getByRole('button', { name: '保存', exact: true }).last().click();
    await page.waitForURL(listed);
    await page.locator('tbody tr').first().locator('a:has-text("编辑")').click();
    // The text is the same before and after the editor loads.
    for (const enter of [false, true]) {
      if (enter) await page.locator('#ques_stem').focus();
      if (enter) await page.locator('#ques_stem.ProseMirror').waitFor();
      expect(await page.locator('#ques_stem strong').innerText()).toBe('粗');
      await page.locator('#ques_stem math').waitFor();
      const picture = page.locator('#ques_stem img[src]');
      expect((await sizeOf(picture)).width).toBe(40);
      expect(await page.locator('#ques_stem').innerText()).toMatch(/^排版 粗[\s\S]* 后/);
    }
  });

  it.each([1280, 390])('keeps the label of its field and its toolbar in sight at %i px', async (width) => {
    const context = await open(true, width);
    await signIn(context, 'teacher');
    const page = await context.newPage();
    await page.goto(`${demo.base}/homework/question/add`);
    const label = page.locator('label', { hasText: '题干' }).first();
    await page.locator('#ques_stem').click();
    const bold = page.locator('[aria-label=加粗]:visible');
    await bold.waitFor();
    const [words, bar] = [await label.boundingBox(), await bold.locator('xpath=../..').boundingBox()];
    if (!words || !bar) throw new Error('the label or the bar is not shown');
    const isApart = bar.x >= words.x + words.width || bar.y >= words.y + words.height || bar.y + bar.height <= words.y;
    // The words of the label, not its whole line.
    const text = await label.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().right;
    });
    expect(isApart || bar.x >= text).toBe(true);
    expect(bar.x + bar.width).toBeLessThanOrEqual(width);
    await context.close();
  });

  it('says why a picture was refused', async ({ signedIn }) => {
    const page = await signedIn('assist', '/homework/question/add');
    await page.click('#ques_stem');
    await page.locator('#ques_stem.ProseMirror').waitFor();
    await page.setInputFiles('main input[type=file]', {
      name: '图.png',
      mimeType: 'image/png',
      buffer: Buffer.from('<html>'),
    });
    expect(await page.locator('main [role=alert]').innerText()).toContain('文件内容与扩展名不符');
  });
});

it('a press on save is not lost when hydration happens during it', async () => {
  const context = await open(true);
  const page = await signIn(context, 'teacher');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  // The load event waits for scripts, which are held back here.
  await page.goto(`${demo.base}/homework?tab=ques`, { waitUntil: 'commit' });
  const edit = page.locator('tbody tr').first().locator('a:has-text("编辑")');
  // Uses formatted text, which hydration moves to another element.
  const id = /id=(\d+)/.exec((await edit.getAttribute('href')) ?? '')?.[1];
  changeStem(id, '<p>H<sub>2</sub>O</p>');
  await edit.click({ noWaitAfter: true });
  await page.fill('#remark', '按下之后');
  const box = await page.locator('button[value=save]:visible').last().boundingBox();
  await page.mouse.move((box?.x ?? 0) + 10, (box?.y ?? 0) + 10);
  await page.mouse.down();
  release();
  await page.locator('button:has-text("切换题型")').waitFor({ state: 'detached' });
  await page.mouse.up();
  await page.waitForURL(listed);
  expect(await page.locator('[role=status]').first().innerText()).toBe('编辑成功');
  await context.close();
});

describe.skipIf(isOldest || !hasPackagedChromium)('questions in the oldest browser', () => {
  it('writes a question with a formula in the editor', async () => {
    const oldest = await launchChromium109();
    const page = await (await oldest.newContext({ locale: 'zh-CN' })).newPage();
    await page.goto(`${demo.base}/login`);
    await fillSignIn(page, 'teacher');
    await page.waitForURL(`${demo.base}/`);
    await page.goto(`${demo.base}/homework/question/add`);
    await page.locator('button:has-text("切换题型")').waitFor({ state: 'detached' });
    await page.selectOption('#ques_type', '5');
    await page.click('#ques_stem');
    await page.locator('#ques_stem.ProseMirror').waitFor();
    await page.keyboard.type('旧浏览器');
    await page.click('[aria-label="公式"]');
    await page.keyboard.type('x^2');
    await page.keyboard.press('Enter');
    await page.locator('#ques_stem math').waitFor();
    await page.click('#right_answer');
    await page.locator('#right_answer.ProseMirror').waitFor();
    await page.keyboard.type('答');
    await page.selectOption('#facility_value', '1');
    await page.click('button[value=save]:visible >> nth=-1');
    await page.waitForURL(listed);
    expect(await page.locator('tbody tr').first().innerText()).toContain('旧浏览器');
    await oldest.close();
  });
});

describe.skipIf(isOldest)('a first visit to the question screens', () => {
  /** Bytes on the wire of page, styles and scripts, without the lazily loaded editor. */
  const weigh = async (address: string, javaScriptEnabled: boolean) => {
    const context = await open(javaScriptEnabled);
    const page = await signIn(context, 'teacher');
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.clearBrowserCache');
    let bytes = 0;
    // Requests of the editor, with the files that it imports.
    const editor = new Set<string>();
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (editor.size > 0 || request.url.includes('/rich-editor-')) editor.add(requestId);
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!editor.has(requestId)) bytes += encodedDataLength;
    });
    await page.goto(demo.base + address, { waitUntil: 'networkidle' });
    // The editor is not render-blocking: it is requested after the page has loaded.
    const early = await page.evaluate(() => {
      const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      const asked = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/rich-editor-'));
      return asked.filter(({ startTime }) => startTime < (navigation?.loadEventStart ?? 0)).map(({ name }) => name);
    });
    expect(early).toEqual([]);
    await context.close();
    return bytes;
  };

  it('loads at most 33 KB for the list and the import, and 215 KB for the form', async () => {
    expect(await weigh('/homework?tab=ques', true)).toBeLessThan(33 * 1024);
    expect(await weigh('/homework/question/import', true)).toBeLessThan(33 * 1024);
    expect(await weigh('/homework/question/add', true)).toBeLessThan(215 * 1024);
  });
});

describe.each(['teacher', 'assist'] as const)('every question screen of %s', thorough, (person) => {
  it('has no accessibility faults and fits 1024 px, light and dark', async ({ signedIn }) => {
    const page = await signedIn(person, '/homework?tab=ques', { viewport: { width: 1024, height: 900 } });
    const href = (await page.locator('tbody a:has-text("编辑")').first().getAttribute('href')) as string;
    const id = /id=(\d+)/.exec(href)?.[1];
    const check = async (name: string) => {
      expect(await faultsInLightAndDark(page), name).toEqual([]);
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(wider, name).toBeLessThanOrEqual(0);
    };
    for (const address of [
      '/homework?tab=ques',
      '/homework?tab=ques&ques_stem=zzz',
      `/homework/questions/delete?tab=ques&ids=${id}`,
      `/homework/question?id=${id}`,
      `/homework/question/correction?id=${id}`,
      `/homework/question/edit?id=${id}`,
      '/homework/question/add',
      '/homework/question/import',
    ]) {
      await page.goto(demo.base + address);
      await check(address);
    }
    await page.goto(`${demo.base}/homework/question/add`);
    await page.selectOption('#ques_type', '6');
    await page.click('#ques_stem');
    await page.locator('#ques_stem.ProseMirror').waitFor();
    await page.click('[aria-label="公式"]');
    await check('the editor');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '保存', exact: true }).last().click();
    await page.locator('main [role=alert]').waitFor();
    await check('the refused form');
    if (person === 'assist') return;
    // The server renders dark mode for people who chose it.
    await page.goto(`${demo.base}/homework?tab=ques`);
    await openPersonMenu(page);
    await page.click('form[action="/appearance"] button');
    for (const address of ['/homework?tab=ques', `/homework/question?id=${id}`, '/homework/question/add']) {
      await page.goto(demo.base + address);
      expect(await page.getAttribute('html', 'data-mantine-color-scheme'), address).toBe('dark');
      expect(await accessibilityFaults(page), `${address}, dark`).toEqual([]);
    }
  });
});

/** Photographs of answers on a phone with scripts: shrunk, turned, cropped, and kept while the line is broken. */
import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import { it } from '../support/fixtures.ts';
import { heicPhoto } from '../support/heic.ts';
import { learnerOf } from '../support/learner.ts';
import { addPaper } from '../support/paper.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';
import { type SchoolServer, serveSchool } from '../support/school-server.ts';

let school: TestSchool;
let server: SchoolServer;
let browser: Browser;
const windows: BrowserContext[] = [];
let homework: number;
let essay: number;

const uid = () => school.students.k1[0] as number;
const button = (words: string) => `button:is(:text-is("${words}"), :has(:text-is("${words}")))`;

it.beforeAll(async ({ browser: started }) => {
  browser = started;
  school = await openTestSchool('SQLite');
  const { db } = school.database;
  process.env.LEARN_TOKEN = (await issueServiceToken(db, { name: '学员端', now: noon })).token;
  await db.updateTable('student').set({ number: '20260012' }).where('id', '=', uid()).execute();
  server = await serveSchool(school);
});
beforeEach(async () => {
  const paper = await addPaper(school, { creator: 'teacher', classes: [school.classes.k1], ending: noon + day });
  homework = paper.homeworkId;
  essay = paper.questions.essay;
});
afterEach(async () => {
  await Promise.all(windows.splice(0).map((one) => one.close()));
});
afterAll(async () => {
  delete process.env.LEARN_TOKEN;
  await server?.close();
  await school?.close();
});

/** Opens the homework on a phone, signed in with a first password. */
async function openHomework(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, hasTouch: true, locale: 'zh-CN' });
  windows.push(context);
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.accept());
  const address = `${server.base}/learn/homework/${homework}`;
  await school.database.db.deleteFrom('learner_password').execute();
  const given = await school.as('admin').post('students/passwords', { ids: [uid()], acknowledged: '' });
  await page.goto(address);
  await page.fill('#number', '20260012');
  await page.fill('#password', given.body.data[0].password);
  await page.click(button('登录'));
  await page.fill('#new_password', 'Xiaoman2026');
  await page.fill('#new_password_confirmation', 'Xiaoman2026');
  await page.click(button('保存'));
  await page.waitForURL(address);
  return page;
}

const choose = (page: Page, ...photos: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.setInputFiles(`[name=q${essay}_file]`, photos);
const places = (page: Page) => page.locator(`[data-pictures="q${essay}_image"] li`);

/** Left red, right blue, 1200 × 800; to be turned by its EXIF orientation if `orientation` is 6. */
async function photograph(orientation = 1): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const half = (background: string) => ({ create: { width: 600, height: 800, channels: 3 as const, background } });
  const blue = await sharp(half('#0000ff')).png().toBuffer();
  const buffer = await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#ff0000' } })
    .composite([{ input: blue, left: 600, top: 0 }])
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer();
  return { name: '照片.jpg', mimeType: 'image/jpeg', buffer };
}

async function answer(): Promise<{ content: string; images: string[] }> {
  const learner = await learnerOf(school, uid());
  const { draft } = (await learner.get(`homework/${homework}`)).body.data;
  return JSON.parse(draft?.answers[0]?.user_answer || '{"content":"","images":[]}');
}

/** Size of a stored picture, and whether its left top and right bottom are red. */
async function storedPicture(path: string) {
  const kept = await school.services.storage.read(path.replace('/files/', ''));
  const { data, info } = await sharp(await new Response(kept).arrayBuffer())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const isRed = (at: number) => (data[at] ?? 0) > (data[at + 2] ?? 0);
  return { width: info.width, height: info.height, red: [isRed(0), isRed(data.length - 3)] };
}

/** Counts the photographs of all learners in this browser. */
const countKept = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('learner photographs', 1);
        opening.onsuccess = () => {
          const asked = opening.result.transaction('photo').objectStore('photo').count();
          asked.onsuccess = () => resolve(asked.result);
        };
      }),
  );

it('photographs are turned and cropped in place, before the homework is handed in', async () => {
  const page = await openHomework();
  await choose(page, await photograph(6));
  await expect.poll(async () => (await answer()).images.length).toBe(1);
  const [first = ''] = (await answer()).images;
  // The EXIF orientation is applied once: red, once left, is on top.
  expect(await storedPicture(first)).toEqual({ width: 800, height: 1200, red: [true, false] });

  await places(page).locator(button('编辑')).click();
  await page.click(`dialog ${button('左转')}`);
  // Back on its side, red is left. Cuts off the left third with the keyboard, and some of the right by touch.
  const corner = page.locator('dialog [data-corner="left top"]');
  for (let times = 0; times < 15; times += 1) await corner.press('ArrowRight');
  const shown = await page.locator('dialog canvas').boundingBox();
  if (!shown) throw new Error('no photograph');
  const other = await page.locator('dialog [data-corner="right bottom"]').boundingBox();
  if (!other) throw new Error('no corner');
  await page.mouse.move(other.x + 22, other.y + 22);
  await page.mouse.down();
  await page.mouse.move(shown.x + shown.width * 0.8, shown.y + shown.height * 0.5, { steps: 3 });
  await page.mouse.up();
  await page.click(`dialog ${button('完成')}`);
  await expect.poll(async () => (await answer()).images).not.toContain(first);
  const { images } = await answer();
  expect(images).toHaveLength(1);
  const { width, height, red } = await storedPicture(images[0] ?? '');
  expect([Math.round(width / 10), Math.round(height / 10), red]).toEqual([60, 40, [true, false]]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.reload();
  expect(await places(page).count()).toBe(1);
});

it('text and photographs of a broken line survive a reload, and are sent when it is back', async () => {
  const page = await openHomework();
  await page.fill(`[name=q${essay}]`, '解：如图');
  await expect.poll(async () => (await answer()).content).toBe('解：如图');
  await page.context().setOffline(true);
  await choose(page, await photograph());
  await page.locator('[data-save-state]:has-text("现在没有网络，照片保存在这台设备上")').waitFor();
  expect(await places(page).innerText()).toContain('等待上传');
  await page.click(button('提交作业'));
  await page.locator('[data-save-state]:has-text("没有提交，请稍后再按一次")').waitFor();
  // The page is opened again before the photograph is sent.
  server.setDown(true);
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/learn/picture'));
  await page.context().setOffline(false);
  await failed;
  server.setDown(false);
  expect((await answer()).images).toEqual([]);
  await page.reload();
  await expect.poll(async () => (await answer()).images.length).toBe(1);
  expect((await answer()).content).toBe('解：如图');
  await places(page).locator('a[href^="/learn/files/"]').waitFor();
  // Photographs that the server has are not kept or sent again.
  await page.reload();
  await page.locator('[data-pictures] li').first().waitFor();
  expect([await countKept(page), await places(page).count()]).toEqual([0, 1]);
});

it('photographs larger than the server takes are shrunk before they are sent', async () => {
  const page = await openHomework();
  const noise = await sharp(randomBytes(5000 * 3400 * 3), { raw: { width: 5000, height: 3400, channels: 3 } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  expect(noise.byteLength).toBeGreaterThan(40 * 1024 * 1024);
  await choose(page, { name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: noise });
  await expect.poll(async () => (await answer()).images.length, { timeout: 30_000 }).toBe(1);
  expect(await storedPicture((await answer()).images[0] ?? '')).toMatchObject({ width: 1600, height: 1088 });
});

it('photographs that the browser cannot read are converted by the server, or refused with a reason', async () => {
  const page = await openHomework();
  await page.fill(`[name=q${essay}]`, '见照片');
  const heic = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/heic', buffer });
  await choose(page, heic('IMG_1.HEIC', heicPhoto()));
  await expect.poll(async () => (await answer()).images.length).toBe(1);
  expect(await storedPicture((await answer()).images[0] ?? '')).toMatchObject({ width: 48, height: 64 });
  await choose(
    page,
    heic('IMG_2.HEIC', heicPhoto().subarray(0, 300)),
    heic('IMG_3.HEIC', Buffer.alloc(40 * 1024 * 1024)),
  );
  await expect
    .poll(() => places(page).locator('[role=alert]').allInnerTexts())
    .toEqual(['图片已损坏，无法打开', '图片不能超过 20 MB']);
  expect(await page.inputValue(`[name=q${essay}]`)).toBe('见照片');
  // Refused photographs are not left out silently: submitting asks to remove them first.
  await page.click(button('提交作业'));
  await page.locator('[data-save-state]:has-text("有照片没有上传成功，请移除后再按一次")').waitFor();
  for (const _ of [2, 3]) await places(page).locator(button('移除')).last().click();
  await page.click(button('提交作业'));
  await page.locator('[data-flash], [role=alert]').first().waitFor();
  expect((await answer()).images).toHaveLength(1);
});

it('a photograph that is still being shrunk when a button is pressed is in the answer', async () => {
  const page = await openHomework();
  await page.evaluate(() => {
    const { decode } = HTMLImageElement.prototype;
    // A slow phone.
    HTMLImageElement.prototype.decode = function slowly() {
      return new Promise((resolve) => setTimeout(() => resolve(decode.call(this)), 3000));
    };
  });
  await choose(page, await photograph());
  await page.click(button('提交作业'));
  await page.waitForURL(/ask=1/);
  expect((await answer()).images).toHaveLength(1);
});

it('a photograph that waits when the sign-in has expired is sent after signing in, before anything is handed in', async () => {
  const page = await openHomework();
  const { db } = school.database;
  await page.fill(`[name=q${essay}]`, '解：如图');
  await expect.poll(async () => (await answer()).content).toBe('解：如图');
  await db.updateTable('learner_session').set({ ended_at: noon }).where('ended_at', 'is', null).execute();
  await choose(page, await photograph());
  await page.locator('[data-save-state]:has-text("登录已过期，照片保存在这台设备上")').waitFor();
  await page.click(button('提交作业'));
  await page.fill('#number', '20260012');
  await page.fill('#password', 'Xiaoman2026');
  await page.click(button('登录'));
  await page.click(button('继续提交'));
  await places(page).locator('a[href^="/learn/files/"]').waitFor();
  // It was saved, and the unanswered questions were not asked for.
  expect(page.url()).toBe(`${server.base}/learn/homework/${homework}`);
  await expect.poll(async () => (await answer()).images.length).toBe(1);
  expect((await answer()).content).toBe('解：如图');
});

it('a photograph of another learner stays on the device and lets whoever has signed in meanwhile go on', async () => {
  const page = await openHomework();
  const { db } = school.database;
  await page.context().setOffline(true);
  await choose(page, await photograph());
  await page.locator('[data-save-state]:has-text("现在没有网络，照片保存在这台设备上")').waitFor();
  await page.context().setOffline(false);
  // The same browser is now signed in for somebody else.
  const other = school.students.k1[1] as number;
  await db.updateTable('learner_session').set({ student_id: other }).where('ended_at', 'is', null).execute();
  const { nickname } = await db
    .selectFrom('student')
    .select('nickname')
    .where('id', '=', other)
    .executeTakeFirstOrThrow();
  await page.click(button('提交作业'));
  await page.locator('h1:text-is("已换人登录")').waitFor();
  const { nickname: owner } = await db
    .selectFrom('student')
    .select('nickname')
    .where('id', '=', uid())
    .executeTakeFirstOrThrow();
  expect(await page.locator('[role=alert]').first().innerText()).toBe(
    `此内容由${owner}填写，当前登录的是${nickname}，未提交。请由${owner}登录后继续提交`,
  );
  await page.click(`a:text-is("不提交，由${nickname}继续使用")`);
  expect(await page.locator('header').innerText()).toContain(nickname);
  await page.goto(`${server.base}/learn/homework/${homework}`);
  await page.locator('[data-save-state]').waitFor({ state: 'attached' });
  expect(await places(page).count()).toBe(0);
  // The owner finds it again.
  await db.updateTable('learner_session').set({ student_id: uid() }).where('ended_at', 'is', null).execute();
  await page.reload();
  await places(page).first().waitFor();
  await expect.poll(async () => (await answer()).images.length).toBe(1);
});

it('signing out deletes the photographs of this learner, after asking if some are not saved', async () => {
  const page = await openHomework();
  page.removeAllListeners('dialog');
  await page.route('**/learn/picture', (route) => route.abort());
  await choose(page, await photograph());
  await page.locator('[data-save-state]:has-text("现在没有网络，照片保存在这台设备上")').waitFor();
  expect(await countKept(page)).toBe(1);
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await page.click(button('退出'));
  await expect.poll(() => asked).toEqual(['有1张照片还没有保存到学校，退出会从这台设备上删除它们。仍要退出吗？']);
  expect([await countKept(page), await places(page).count()]).toEqual([1, 1]);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.click(button('退出'));
  await page.waitForURL(`${server.base}/learn/sign-in**`);
  expect(await countKept(page)).toBe(0);
});

it('photographs that nobody sends are deleted after a week', async () => {
  const page = await openHomework();
  await page.route('**/learn/picture', (route) => route.abort());
  await choose(page, await photograph());
  await page.locator('[data-save-state]:has-text("现在没有网络，照片保存在这台设备上")').waitFor();
  const reopenLater = async (days: number) => {
    await page.clock.setFixedTime(Date.now() + days * 24 * 60 * 60 * 1000);
    await page.reload();
  };
  await reopenLater(6);
  await places(page).first().waitFor();
  expect(await countKept(page)).toBe(1);
  await reopenLater(8);
  await expect.poll(() => countKept(page)).toBe(0);
});

/** Daily tasks from the first page, on PC and phone, within a limit of clicks, fields and keys. */
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { type Demo, it, type Person } from '../support/fixtures.ts';
import { desk, type Effort, type Hand, openUserWindow, phone } from '../support/hand.ts';
import { addLessons } from '../support/lessons.ts';
import { paragraphs, wordFile } from '../support/office-files.ts';
import { addPaper, essayOf, submitHomeworkReport as handInPaper } from '../support/paper.ts';
import { untilPublishFormIsLive } from '../support/publish-form.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';
import { type SchoolServer, serveSchool } from '../support/school-server.ts';
import { addLesson, addTeam } from '../support/team-lessons.ts';
import { describeWays } from '../support/thorough.ts';

const sizes = [desk, phone];
const statusText = (page: Page) => page.locator('[role=status]').first().innerText();

function expectAtMost(job: string, { effort }: Hand, most: Partial<Effort>): void {
  if (process.env.JOBS) writeFileSync(process.env.JOBS, `${job}: ${JSON.stringify(effort)}\n`, { flag: 'a' });
  for (const [what, count] of Object.entries(most))
    expect(effort[what as keyof Effort], `${job}: ${what}`).toBeLessThanOrEqual(count);
}

/** Word file with five questions of five types. */
const fiveQuestions = () => ({
  name: '题目.docx',
  mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  buffer: Buffer.from(
    wordFile({
      body: paragraphs(
        [
          ['单选题', '2 的平方是', '【选项】\nA. 2\nB. 4', 'B'],
          ['判断题', '0 是自然数。', '', '对'],
          ['多选题', '是质数的有', '【选项】\nA. 2\nB. 9\nC. 11', 'A、C'],
          ['不定项选择题', '是偶数的有', '【选项】\nA. 2\nB. 4\nC. 5', 'AB'],
          ['简答题', '证明根号 2 是无理数。', '', '反证法。'],
        ]
          .map(([type, stem, options, answer]) =>
            [`【题型】${type}`, `【题干】${stem}`, options, `【答案】${answer}`, '【难度】2']
              .filter(Boolean)
              .join('\n'),
          )
          .join('\n#####\n'),
      ),
    }),
  ),
});

describeWays(sizes)('daily tasks, $width px', (size) => {
  const tab = async ({ press, pressNamed, page }: Hand, label: string) => {
    if (size.touch) await pressNamed(/^菜单/);
    await press(page.locator('nav[aria-label=主导航] a', { hasText: label }));
  };

  describeWays(['teacher', 'assist'] as const)('%s', (person) => {
    let hand: Hand;
    const start = async (demo: Demo, who: Person = person) => {
      hand = await openUserWindow(demo.browser, size, async (context) => {
        await demo.authenticate(context, who);
        return `${demo.base}/`;
      });
      return hand;
    };

    /** Chooses course, period and classes, and submits; these presses count. */
    const settle = async ({ page, press, pressNamed, type }: Hand, name: string) => {
      await pressNamed('选择课程');
      const courses = page.locator('dialog li[data-child]');
      await courses.first().waitFor();
      await press(courses.first().locator('label'));
      await pressNamed('确定', page.locator('dialog'));
      await page.locator('dialog').waitFor({ state: 'detached' });
      const some = page.locator('input[name=class_choice][value=some]');
      if ((await some.count()) > 0) {
        await press(some);
        await press(page.locator('input[name=class_ids]').nth(0));
        await press(page.locator('input[name=class_ids]').nth(1));
      }
      expect(await page.innerText('form:has(#name)')).toMatch(/、.+，共\d+人 · 5题 [\d.]+分 · 未设截止时间/);
      await type(page.locator('#name'), name);
      await pressNamed(/^明晚/);
      await pressNamed('提交');
      await page.waitForURL(({ pathname }) => pathname === '/homework');
      expect(await statusText(page)).toContain('作业发布成功');
    };

    it('publishes five Word questions to two classes from the form', async ({ demo }) => {
      const { page, pressNamed, giveFile } = await start(demo);
      await pressNamed('布置作业');
      await untilPublishFormIsLive(page);
      await pressNamed('导入题目');
      await giveFile(page.locator('#file'), fiveQuestions());
      await pressNamed('上传并预览');
      await page.locator('button:has-text("选入作业")').waitFor();
      await pressNamed('全部导入，选入作业');
      await page.locator('dialog').waitFor();
      await pressNamed('确定', page.locator('dialog'));
      await page.locator('dialog').waitFor({ state: 'detached' });
      await untilPublishFormIsLive(page);
      await settle(hand, '五题');
      expectAtMost(`a ${size.width} ${person}`, hand, { clicks: 18, fields: 8, keys: 0 });
      await page.context().close();
    });

    // The other variants would not differ.
    it.skipIf(size.touch === (person === 'teacher'))(
      'publishes five Word questions to two classes after import',
      async ({ demo }) => {
        const { page, pressNamed, giveFile } = await start(demo);
        await tab(hand, '作业管理');
        await pressNamed('我的题目');
        await pressNamed('导入题目');
        await giveFile(page.locator('#file'), fiveQuestions());
        await pressNamed('上传并预览');
        await page.locator('button:has-text("全部导入")').waitFor();
        await pressNamed('全部导入');
        await page.waitForURL('**/homework?tab=ques**');
        await pressNamed('用这些题目布置作业');
        await page.locator('dialog').waitFor();
        await pressNamed('确定', page.locator('dialog'));
        await page.locator('dialog').waitFor({ state: 'detached' });
        await untilPublishFormIsLive(page);
        await settle(hand, '又五题');
        expectAtMost(`a from the bank ${size.width} ${person}`, hand, { clicks: 18, fields: 8, keys: 0 });
        await page.context().close();
      },
    );

    it('reaches the answers of students who missed a question', async ({ demo }) => {
      const { page, press } = await start(demo);
      if (size.touch) await press(page.locator('main a', { hasText: '作业管理' }).first());
      else await tab(hand, '作业管理');
      await press(page.locator('tbody a[aria-label$=的题目分析]').first());
      await press(page.locator('a[aria-label*=错误人数]').first());
      await page.locator('dialog').waitFor();
      await press(page.locator('dialog tbody td a').first());
      await page.waitForURL(/#q\d+$/);
      expectAtMost(`c ${size.width} ${person}`, hand, { clicks: 4, fields: 0, keys: 0 });
      await page.context().close();
    });

    it('decides three leave requests', async ({ demo }) => {
      const { page, press, pressNamed } = await start(demo);
      const part = page.locator('section[aria-label=待审批的请假]');
      await pressNamed('批量同意', part);
      await page.locator('dialog').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      const boxes = page.locator('dialog input[name=ids]');
      for (let extra = await boxes.count(); extra > 3; extra -= 1) await press(boxes.nth(extra - 1));
      await pressNamed('确定同意', page.locator('dialog'));
      await page.locator('[role=status]', { hasText: '已同意 3 条请假申请' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/');
      expectAtMost(`d leave ${size.width} ${person}`, hand, { clicks: 4, fields: 0, keys: 0 });
      await page.context().close();
    });

    it('decides three inbox requests, rejects one and undoes one', async ({ demo }) => {
      const { page, press, pressNamed } = await start(demo);
      await pressNamed('全部请假');
      const rows = page.locator('tbody tr');
      // The rows may stand anywhere in the list.
      for (const [place, word] of [
        [1, '同意'],
        [3, '拒绝'],
        [2, '同意'],
      ] as const) {
        const row = rows.nth(place);
        const id = await row.locator('input[name=ids]').inputValue();
        await press(row.locator('button', { hasText: word }));
        await page.locator('[role=status]', { hasText: `已${word} 1 条请假申请` }).waitFor();
        await expect.poll(() => page.locator(`input[name=ids][value="${id}"]`).count()).toBe(0);
        // The next button is visible and not under the message.
        await expect.poll(() => rows.nth(place).locator('button').first().isVisible()).toBe(true);
      }
      const earlier = async () =>
        Number(/此前的 (\d+) 次/.exec(await page.innerText('[data-live=leave] [role=status]'))?.[1]);
      const others = await earlier();
      expect(others).toBeGreaterThanOrEqual(2);
      expectAtMost(`d inbox ${size.width} ${person}`, hand, { clicks: 4, fields: 0, keys: 0 });
      await press(page.getByRole('button', { name: '撤销' }).first());
      await expect.poll(earlier).toBe(others - 1);
      await page.context().close();
    });
  });
});

describeWays(sizes)('daily tasks on own records, $width px', (size) => {
  let school: TestSchool;
  let server: SchoolServer;
  beforeAll(async () => {
    school = await openTestSchool('SQLite');
    server = await serveSchool(school);
  });
  afterAll(async () => {
    await server?.close();
    await school?.close();
  });

  it.for(['teacher', 'assist'] as const)(
    '%s grades ten answers, one of them a picture',
    async (person, { browser }) => {
      const { db } = school.database;
      await db.updateTable('report').set({ status: 3 }).where('status', '=', 2).execute();
      const { k1, k2 } = school.classes;
      const paper = await addPaper(school, { name: '十题', creator: 'teacher', classes: [k1, k2], ending: noon + day });
      const image = await keepPicture(school);
      const students = [...school.students.k2, ...school.students.k1].slice(0, 5);
      for (const [place, student] of students.entries())
        await handInPaper(
          school,
          paper,
          student,
          place === 2 ? { essay: essayOf('', [image]) } : {},
          noon - 100 + place,
        );
      const hand = await openUserWindow(browser, size, async (context) => {
        await server.signIn(context, person);
        return `${server.base}/`;
      });
      const { page, press, pressNamed, keys, effort } = hand;
      await pressNamed('去批改');
      await page.waitForSelector('button:has-text("快捷键")');
      const heading = async () => (await page.locator('h1, article h2').allInnerTexts()).join(' ');
      /** Presses that are no answers: to open a picture, and at the end of a report. */
      const besides: Effort = { clicks: effort.clicks, fields: 0, keys: 0, loads: 0 };
      for (let answer = 0; answer < 10; answer += 1) {
        const before = { ...effort };
        const [clicks, typed] = [effort.clicks, effort.keys];
        if (answer === 4) {
          await page.waitForSelector('article figure img');
          if (size.touch) await pressNamed(/批注/, page.locator('article'));
          else await keys('d');
          const board = page.locator('dialog[open] canvas').last();
          await board.waitFor();
          if (size.touch) await pressNamed('对', page.locator('dialog[open] [role=toolbar]'));
          else await keys('v');
          await press(board);
          if (size.touch) await press(page.locator('dialog[open] [role=toolbar] button', { hasText: '保存' }));
          else await keys('Control+Enter');
          await page.locator('dialog').waitFor({ state: 'detached' });
          besides.clicks += effort.clicks - clicks;
          besides.keys += effort.keys - typed;
        }
        const shown = await heading();
        if (size.touch) {
          await press(page.getByRole('button', { name: '4分', exact: true }));
          await pressNamed(/^保存/, page.locator('form#grade'));
        } else await keys('4', 'Enter');
        if (answer % 2 === 0) await expect.poll(heading).not.toBe(shown);
        else {
          const ended = { ...effort };
          await page.waitForSelector('text=本份作业已全部批改');
          if (size.touch) {
            await pressNamed('完成批改');
            await pressNamed('完成批改', page.locator('dialog[open]'));
          } else await keys('Enter', 'Enter');
          besides.clicks += effort.clicks - ended.clicks;
          besides.keys += effort.keys - ended.keys;
          if (answer < 9) await expect.poll(heading).not.toBe(shown);
        }
        expect(effort.loads).toBe(before.loads);
      }
      await page.waitForURL(`${server.base}/`);
      expectAtMost(
        `b in all ${size.width} ${person}`,
        hand,
        size.touch ? { clicks: 35, keys: 0 } : { clicks: 2, keys: 33 },
      );
      // A digit and Enter per answer; by touch a score and 保存.
      expect(effort.clicks + effort.keys - besides.clicks - besides.keys).toBeLessThanOrEqual(2 * 10);
      await page.context().close();
    },
  );

  it.for(['teacher', 'assist'] as const)('%s marks a class of 36', async (person, { browser }) => {
    if (person === 'assist') {
      const team = await addTeam(school, { name: '大团课', size: 36 });
      await addLesson(school, { team, start: noon - 600 });
    } else {
      const { db } = school.database;
      const { id } = await db.selectFrom('school').select('id').executeTakeFirstOrThrow();
      for (let number = 1; number <= 36; number += 1) {
        const student = await db
          .insertInto('student')
          .values({
            nickname: `新生${number}`,
            mobile: `1370000${1000 + number}`,
            school_id: id,
            created_at: noon - day,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await db
          .insertInto('class_student')
          .values({ class_id: school.classes.k3, student_id: student.id, joined_at: noon - day, left_at: null })
          .execute();
      }
      await addLessons(school, { type: 7, classes: [school.classes.k3], starts: [noon - 3 * 3600] });
    }
    const hand = await openUserWindow(browser, size, async (context) => {
      await server.signIn(context, person);
      return `${server.base}/`;
    });
    const { page, press, pressNamed } = hand;
    // A face-to-face period is called afterwards from the calendar; a current lesson is on the home page.
    if (person === 'teacher') await press(page.locator('section[aria-label=今天的课] h2 a'));
    await press(page.locator('main a[aria-label^=点名]').first());
    await pressNamed('全部出勤');
    await page.waitForSelector('text=/已选好3[67]人/');
    // Marks two students as absent.
    const other = person === 'teacher' ? '旷课' : '请假';
    const radio = page.locator('[role=radiogroup]').nth(3).locator('label', { hasText: other });
    if ((await radio.count()) > 0) await press(radio);
    await pressNamed('保存');
    await page.waitForSelector('text=点名已保存');
    expectAtMost(`d roll ${size.width} ${person}`, hand, { clicks: 6, fields: 0, keys: 0 });
    await page.context().close();
  });

  it.for([
    ['teacher', 'live'],
    ['teacher', 'offline'],
    ['teacher', 'team'],
    ['assist', 'live'],
    ['assist', 'offline'],
    ['assist', 'team'],
  ] as const)('%s publishes the homework of a lesson of today: %s', async ([person, kind], { browser }) => {
    await addPaper(school, { name: '第一次', creator: person, classes: [school.classes.k2], ending: noon + day });
    const trueOrFalse = ['正确', '错误'].map((content, index) => ({ id: index + 1, content, is_right: index + 1 }));
    await school.database.db
      .updateTable('homework_question')
      .set({ ques_option: JSON.stringify(trueOrFalse) })
      .where('ques_type', '=', 2)
      .execute();
    if (kind === 'team')
      await addLesson(school, { team: await addTeam(school, { name: '小团课' }), start: noon + 600 });
    else {
      const type = kind === 'live' ? 2 : 7;
      await addLessons(school, { type, title: kind, classes: [school.classes.k2], starts: [noon + 1200] });
    }
    const name = { live: 'live', offline: 'offline', team: '小团课' }[kind];
    const hand = await openUserWindow(browser, size, async (context) => {
      await server.signIn(context, person);
      return `${server.base}/`;
    });
    const { page, press, pressNamed } = hand;
    const card = page.locator('main article', { hasText: name }).first();
    await press(card.locator('a', { hasText: '布置作业' }));
    await page.waitForURL('**/homework/publish**');
    await untilPublishFormIsLive(page);
    await pressNamed('从历史作业选择');
    await press(page.locator('dialog input[name=pick]').first());
    await pressNamed('确定', page.locator('dialog'));
    await page.locator('dialog').waitFor({ state: 'detached' });
    await pressNamed('提交');
    await page.waitForURL(`${server.base}/`);
    expect(await statusText(page)).toContain('发布成功');
    await pressNamed('查看作业');
    await page.waitForURL('**/homework/detail**');
    expectAtMost(`e ${size.width} ${person} ${kind}`, hand, { clicks: 6, fields: 0, keys: 0 });
    await page.context().close();
  });
});

/** A page of an exercise book. */
async function keepPicture(school: TestSchool): Promise<string> {
  const drawn = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.set('base64_image', drawn.toString('base64'));
  return (await school.as('teacher').post('public/imgBase64', form)).body.data.path;
}

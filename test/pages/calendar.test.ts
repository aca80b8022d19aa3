import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { courseTypeName } from '#server/classes/rules.ts';
import { formOf, openApp, ownScripts, signInAs, type Visitor } from '../support/app.ts';
import { addGroup, addLesson, addMeeting, addPeriod, setHead } from '../support/calendar-school.ts';
import { addLessons } from '../support/lessons.ts';
import { noon, openTestSchool, type TestSchool } from '../support/school.ts';

const hour = 60 * 60;
const day = 24 * hour;
const today = '2026-11-20';
const noonOf = (date: string) => Date.parse(`${date}T12:00:00+08:00`) / 1000;
/** A start in the past, but still today. */
const liveStart = noon - 60;
const other = '2026-03-18';
const otherNoon = noonOf(other);

let school: TestSchool;
let app: Awaited<ReturnType<typeof openApp>>;
let teacher: Visitor;
let assist: Visitor;

beforeAll(async () => {
  school = await openTestSchool('SQLite');
  const { database, classes, periods } = school;
  await database.db.updateTable('period').set({ start_play: 1 }).where('id', 'in', Object.values(periods)).execute();
  await setHead(school, classes.k1, 'teacher');
  app = await openApp(school);
  teacher = await signInAs(school, app, 'teacher');
  assist = await signInAs(school, app, 'assist');
});
afterAll(() => school.close());

const cards = (page: { document: Document }) =>
  [...page.document.querySelectorAll('article')].map((card) => (card.textContent ?? '').replace(/\s+/g, ' ').trim());

describe('teaching calendar', () => {
  it('shows the month from Monday with counts, today and the chosen day', async () => {
    await addPeriod(school, { title: '当天甲', lecturer: 'teacher', start: otherNoon, advance_time: 15 });
    await addPeriod(school, { title: '当天乙', lecturer: 'teacher', start: otherNoon + 2 * hour });
    await addPeriod(school, { title: '月末', lecturer: 'teacher', start: noonOf('2026-03-31') });
    const page = await teacher.get(`/calendar?date=${other}`);
    expect(page.status).toBe(200);
    expect(ownScripts(page)).toEqual([]);
    const table = page.document.querySelector('table') as Element;
    expect([...table.querySelectorAll('th')].map((head) => head.textContent)).toEqual([...'一二三四五六日']);
    const days = [...table.querySelectorAll('td')].map((cell) => (cell.textContent ?? '').trim());
    // March 2026 begins on a Sunday: its first week starts on 23 February.
    expect(days[0]).toBe('2月23日23');
    expect(days[6]).toBe('3月1日1');
    expect(days).toContain('3月18日182节已选');
    expect(days).toContain('3月31日311节');
    const april = await teacher.get('/calendar?date=2026-04-10');
    expect(april.document.querySelector('td a')?.textContent, 'a day of the month before').toContain('3月30日30');
    expect([...april.document.querySelectorAll('td a')][1]?.textContent).toContain('3月31日311节');
    expect(table.querySelectorAll('tbody tr')).toHaveLength(6);
    expect(cards(page)).toEqual([
      '12:00–13:00直播课 当天甲高一数学 · 一班、二班、三班等4个班级 · 讲师：姓名teacher已结束暂无回放布置作业',
      expect.stringContaining('当天乙'),
    ]);
    const present = await teacher.get('/calendar');
    expect(present.document.querySelector('td a[aria-current=date]')?.textContent).toContain(
      `${Number(today.slice(5, 7))}月${Number(today.slice(8))}日`,
    );
  });

  it('navigates by month, week and day, and back to today', async () => {
    const links = async (path: string) => {
      const page = await teacher.get(path);
      const nav = page.document.querySelector('nav[aria-label=翻页]') as Element;
      return [...nav.querySelectorAll('a')].map((link) => link.getAttribute('href'));
    };
    expect(await links('/calendar?date=2026-03-31')).toEqual([
      '/calendar?date=2026-02-28',
      '/calendar',
      '/calendar?date=2026-04-30',
    ]);
    expect(await links('/calendar?view=week&date=2026-03-01')).toEqual([
      '/calendar?view=week&date=2026-02-22',
      '/calendar?view=week',
      '/calendar?view=week&date=2026-03-08',
    ]);
    expect(await links('/calendar?view=day&date=2025-12-31')).toEqual([
      '/calendar?view=day&date=2025-12-30',
      '/calendar?view=day',
      '/calendar?view=day&date=2026-01-01',
    ]);
    expect((await teacher.get('/calendar?view=year&date=2026-02-30')).text).toContain('今天');
  });

  it('shows the day bar by default, and keeps the chosen view', async () => {
    const bars = async (path: string) => {
      const { document } = await teacher.get(path);
      return [...document.querySelectorAll('nav[aria-label=视图]')].map((nav) => [
        nav.parentElement?.querySelector('h2')?.textContent,
        nav.querySelector('[aria-current]')?.textContent,
        ...[...(nav.parentElement?.querySelectorAll('nav:first-of-type a, nav:last-of-type a') ?? [])].map((link) =>
          link.getAttribute('href'),
        ),
      ]);
    };
    const views = (date: string) => ['month', 'week', 'day'].map((view) => `/calendar?view=${view}${date}`);
    expect(await bars(`/calendar?date=${other}`)).toEqual([
      [
        '2026年3月',
        '月视图',
        '/calendar?date=2026-02-18',
        '/calendar',
        '/calendar?date=2026-04-18',
        ...views(`&date=${other}`),
      ],
      [
        '2026年3月18日 星期三',
        '日视图',
        '/calendar?date=2026-03-17',
        '/calendar',
        '/calendar?date=2026-03-19',
        ...views(`&date=${other}`),
      ],
    ]);
    expect((await bars(`/calendar?view=month&date=${other}`)).map(([title]) => title)).toEqual(['2026年3月']);
    const month = await teacher.get(`/calendar?view=month&date=${other}`);
    expect(month.document.querySelector('td a')?.getAttribute('href')).toBe('/calendar?view=month&date=2026-02-23');
  });

  it('shows a week by day, and a single day', async () => {
    const week = await teacher.get(`/calendar?view=week&date=${other}`);
    const columns = [...week.document.querySelectorAll('section')].map((column) => column.textContent ?? '');
    expect(columns).toHaveLength(7);
    expect(columns[2]).toContain('3月18日');
    expect(columns[2]).toContain('当天甲');
    expect(columns[3]).toContain('无课程');
    expect((await teacher.get(`/calendar?view=day&date=${other}`)).text).toContain('2026年3月18日 星期三');
    expect((await teacher.get('/calendar?view=day&date=2026-03-19')).text).toContain('当天没有课程');
  });

  it('links to the rooms', async () => {
    const at = (title: string, more: object = {}) =>
      addPeriod(school, { title, lecturer: 'teacher', start: liveStart, ...more });
    const live = await at('现在直播', { advance_time: 10, student_code: 'S-77' });
    const closed = await at('不开放', { allow_enter: 1 });
    const offline = await at('线下', { type: 7 });
    const lesson = await addLesson(school, { lecturer: 'teacher', assistant: 'assist', start: liveStart });
    await addLesson(school, { lecturer: 'teacher', start: liveStart, cancelled: true });
    const page = await teacher.get('/calendar?view=day');
    const card = (title: string) =>
      [...page.document.querySelectorAll('article')].find((one) => one.textContent?.includes(title)) as Element;
    const linksOf = (title: string) =>
      [...card(title).querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]);
    const back = encodeURIComponent('/calendar?view=day');
    const publishes = (start: unknown) => [
      '布置作业',
      expect.stringMatching(`^/homework/publish\\?${start}.*&back=${back}$`),
    ];
    expect(linksOf('现在直播')).toEqual([
      ['进入直播', `/live?type=period&id=${live}`],
      ['参会码', `/calendar/codes?view=day&entry=period-${live}`],
      publishes(`course_id=\\d+&period_id=${live}`),
    ]);
    expect(card('现在直播').textContent).toContain('直播中');
    expect(card('现在直播').textContent).toContain('学员可提前10分钟进入');
    expect(linksOf('不开放')).toEqual([publishes(`course_id=\\d+&period_id=${closed}`)]);
    expect(card('不开放').textContent).toContain('该课时未开放进入直播间');
    expect(linksOf('线下')).toEqual([publishes(`course_id=\\d+&period_id=${offline}`)]);
    expect(linksOf('课次内容')).toEqual([
      ['进入直播', `/live?type=course&id=${lesson}`],
      publishes(`arrange_id=${lesson}`),
      ['课次详情', `/sessions/class?id=${lesson}`],
    ]);
    expect(page.text).toContain('已取消');
    expect(page.text).toContain('现在 ');
    const codes = await teacher.get(`/calendar/codes?view=day&entry=period-${live}`);
    expect(codes.document.querySelector('input[data-copyable]')?.getAttribute('value')).toBe('S-77');
    expect((await teacher.get('/calendar/codes?view=day&entry=period-999999')).status).toBe(404);
  });

  it('labels recorded and text lessons, without room, early entry or codes', async () => {
    const { db } = school.database;
    const start = noonOf('2026-05-06');
    for (const [type, title] of [
      [1, '录播的'],
      [5, '图文的'],
    ] as const) {
      const { course } = await addLessons(school, { type, classes: [school.classes.k1], starts: [1] });
      await db.updateTable('course').set({ title }).where('id', '=', course).execute();
      const more = { course, advance_time: 10, student_code: `S-${type}` };
      await addPeriod(school, { title: `${title}课时`, lecturer: 'teacher', start, ...more });
    }
    const page = await teacher.get('/calendar?view=day&date=2026-05-06');
    const texts = cards(page);
    expect(texts).toHaveLength(2);
    for (const [text, name] of [
      [texts.find((one) => one.includes('录播的课时')), courseTypeName(1)],
      [texts.find((one) => one.includes('图文的课时')), courseTypeName(5)],
    ] as const) {
      expect(text).toContain(`13:00${name} `);
      for (const word of ['参会码', '提前', '进入直播', '直播中', '查看回放']) expect(text).not.toContain(word);
    }
    expect(courseTypeName(1)).not.toBe(courseTypeName(5));
  });

  it('appears in the class for people who see it', async () => {
    await addMeeting(school, { classId: school.classes.k1, holder: 'teacher', start: otherNoon + 3 * hour });
    const page = await assist.get(`/classes/detail?id=${school.classes.k1}&tab=calendar&date=${other}`);
    expect(cards(page)).toHaveLength(3);
    expect(page.text).toContain('期中总结');
    const next = page.document.querySelector('a[rel=next]')?.getAttribute('href');
    expect(next).toBe(`/classes/detail?id=${school.classes.k1}&tab=calendar&date=2026-04-18`);
    expect((await assist.get(next as string)).text).toContain('2026年4月');
    expect((await assist.get(`/classes/detail?id=${school.classes.k3}&tab=calendar`)).status).toBe(404);
    expect((await assist.get(`/classes/detail/subscribe?id=${school.classes.k3}&tab=calendar`)).status).toBe(404);
  });
});

describe('calendar subscription', () => {
  it.each([
    ['own', () => '/calendar/subscribe', '/calendar'],
    ['of a class', () => `/classes/detail/subscribe?id=${school.classes.k1}&tab=calendar`, undefined],
  ])('shows %s an address once, which works signed out, and can be revoked', async (_, pathOf, back) => {
    const path = pathOf();
    const dialog = await assist.get(path);
    const { fields } = formOf(dialog, '生成订阅地址');
    const made = await assist.post(path, fields);
    expect(made.status).toBe(200);
    const address = made.document.querySelector('input[data-copyable]')?.getAttribute('value') as string;
    expect(address).toMatch(/^http:\/\/school\.test\/calendar\/feed\/[\w-]{43}\.ics$/);
    const feed = new URL(address).pathname;
    const read = await app.visitor().get(feed);
    expect([read.status, read.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(read.headers.get('set-cookie')).toBeNull();
    expect((await app.visitor().get(feed, { 'if-none-match': read.headers.get('etag') as string })).status).toBe(304);

    const later = await assist.get(path);
    expect(later.html).not.toContain(feed);
    expect(later.text).toContain('最近读取于');
    const ended = await assist.post(path, formOf(later, '停用订阅地址').fields);
    expect(ended.status).toBe(302);
    if (back) expect(ended.location).toBe(back);
    expect((await assist.follow(ended)).text).toContain('订阅地址已停用');
    expect((await app.visitor().get(feed)).status).toBe(404);
    expect((await app.visitor().get('/calendar/feed/x.ics')).status).toBe(404);
    expect((await app.visitor().get('/calendar')).location).toContain('/login');
  });
});

describe('live room', () => {
  it('explains that no provider is configured, with its parameters', async () => {
    const live = await addPeriod(school, { title: '直播间测试', lecturer: 'teacher', start: liveStart });
    const page = await teacher.get(`/live?type=period&id=${live}`);
    expect(page.text).toContain('未配置直播服务');
    expect(page.text).toContain('直播间测试');
  });

  it('lets an assistant choose a group, or says that there is none', async () => {
    const live = await addPeriod(school, {
      title: '分组直播',
      lecturer: 'teacher',
      start: liveStart,
      course: school.courses.theirs,
    });
    const course = school.courses.theirs;
    const none = await assist.get(`/live?type=period&id=${live}`);
    expect([none.status, none.document.querySelector('[role=alert]')?.textContent]).toEqual([403, '该课程没有分组']);
    expect((await assist.get('/calendar?view=day')).text).toContain('该课程没有分组');
    const one = await addGroup(school, { name: '甲组', classId: school.classes.k1, course, assistants: ['assist'] });
    expect((await assist.get(`/live?type=period&id=${live}`)).text).toContain(`甲组（${one}）`);
    const two = await addGroup(school, { name: '乙组', classId: school.classes.k2, course, assistants: ['assist'] });
    const chooser = await assist.get(`/live?type=period&id=${live}`);
    expect(chooser.document.querySelector('dialog h2')?.textContent).toBe('选择分组进入');
    const closing = (page: typeof chooser) => page.document.querySelector('dialog a[title=关闭]')?.getAttribute('href');
    expect(closing(chooser)).toBe('/calendar');
    // The way back leads to the calendar it was opened from, never elsewhere.
    const from = (back: string) => assist.get(`/live?type=period&id=${live}&back=${encodeURIComponent(back)}`);
    expect(closing(await from('/classes/detail?id=1&tab=calendar'))).toBe('/classes/detail?id=1&tab=calendar');
    expect(closing(await from('//evil.example/'))).toBe('/calendar');
    const { document: ofClass } = await assist.get(`/classes/detail?id=${school.classes.k1}&tab=calendar&view=day`);
    const enter = [...ofClass.querySelectorAll('article')]
      .find((card) => card.textContent?.includes('分组直播'))
      ?.querySelector('a[href^="/live"]');
    const away = await assist.get(enter?.getAttribute('href') as string);
    const own = closing(away) as string;
    expect(own).toContain(`/classes/detail?id=${school.classes.k1}&tab=calendar`);
    // The way back stays the same after a group is chosen.
    const entered = await assist.get(away.document.querySelector('dialog li a')?.getAttribute('href') as string);
    const returning = [...entered.document.querySelectorAll('main a')].find(
      (one) => one.textContent === '返回教学日历',
    );
    expect(returning?.getAttribute('href')).toBe(own);
    const link = [...chooser.document.querySelectorAll('dialog li a')].at(-1);
    expect(link?.getAttribute('href')).toBe(`/live?type=period&id=${live}&group_id=${two}`);
    expect((await assist.get(link?.getAttribute('href') as string)).text).toContain(`乙组（${two}）`);
  });

  it('redirects to the provider, and stays if that is down', async () => {
    const live = await addPeriod(school, { title: '外部', lecturer: 'teacher', start: liveStart });
    process.env.LIVE_URL = 'https://live.example/{type}/{id}';
    try {
      const gone = await teacher.get(`/live?type=period&id=${live}`);
      expect([gone.status, gone.location]).toEqual([302, `https://live.example/period/${live}`]);
    } finally {
      delete process.env.LIVE_URL;
    }
    process.env.BBB_URL = 'http://127.0.0.1:9/bigbluebutton';
    process.env.BBB_SECRET = 'secret';
    try {
      const away = await teacher.get(`/live?type=period&id=${live}`);
      expect([away.status, away.document.querySelector('[role=alert]')?.textContent]).toEqual([
        503,
        '直播服务暂时不可用，请稍后再试',
      ]);
    } finally {
      delete process.env.BBB_URL;
      delete process.env.BBB_SECRET;
    }
  });

  it('answers 409 after the end without playback, and 404 without access', async () => {
    const over = await addPeriod(school, { title: '已结束', lecturer: 'teacher', start: noon - day });
    const page = await teacher.get(`/live?type=period&id=${over}`);
    expect([page.status, page.text.includes('直播已结束，暂无回放')]).toEqual([409, true]);
    for (const search of ['', '?type=period', '?type=period&id=999999', '?type=x&id=1']) {
      expect((await teacher.get(`/live${search}`)).status, search).toBe(404);
    }
  });
});

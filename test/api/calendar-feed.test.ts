import ICAL from 'ical.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { storeSetting } from '#server/school/settings.ts';
import { addLesson, addMeeting, addPeriod, setHead } from '../support/calendar-school.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon, type TestSchool } from '../support/school.ts';

const hour = 60 * 60;

/** Strict parser of every component and property; checks the rules of RFC 5545. */
function parsed(text: string) {
  expect(text.endsWith('\r\n')).toBe(true);
  for (const line of text.split('\r\n')) {
    expect(line).not.toMatch(/[\r\n]/);
    expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75);
  }
  const calendar = new ICAL.Component(ICAL.parse(text));
  expect(calendar.name).toBe('vcalendar');
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
  expect(calendar.getFirstPropertyValue('prodid')).toMatch(/Lectern/);
  // Properties stand before components (RFC 5545, 3.6).
  expect(text.slice(text.search(/BEGIN:V(TIMEZONE|EVENT)/)).replace(/BEGIN:(V\w+)[\s\S]*?END:\1\r\n/g, '')).toBe(
    'END:VCALENDAR\r\n',
  );
  const zones = calendar.getAllSubcomponents('vtimezone').map((zone) => {
    const timezone = new ICAL.Timezone(zone);
    ICAL.TimezoneService.register(timezone);
    return timezone.tzid;
  });
  const events = calendar.getAllSubcomponents('vevent').map((component) => {
    const start = component.getFirstProperty('dtstart');
    const tzid = start?.getParameter('tzid');
    if (tzid !== undefined) expect(zones).toContain(tzid);
    expect(component.getFirstProperty('dtstamp')?.toICALString()).toMatch(/Z$/);
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      summary: event.summary,
      location: event.location,
      tzid,
      status: component.getFirstPropertyValue('status'),
      start: event.startDate.toUnixTime(),
      end: event.endDate.toUnixTime(),
    };
  });
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
  return { name: calendar.getFirstPropertyValue('x-wr-calname'), zones, events };
}

onBothEngines('calendar feed', (school) => {
  const makeFeed = async (name: keyof TestSchool['people'], class_id?: number): Promise<string> => {
    const answer = await school()
      .as(name)
      .post('calendar/feed', class_id ? { class_id } : {});
    expect([answer.status, answer.body.msg]).toEqual([200, '订阅地址已生成']);
    const token = /^\/calendar\/feed\/([\w-]{43})\.ics$/.exec(answer.body.data.path)?.[1];
    return `/api/calendar/feed/${token}`;
  };
  const readFeed = (path: string, headers: Record<string, string> = {}) => school().ask(path, { headers });

  beforeAll(async () => {
    const { database, periods, classes } = school();
    await database.db
      .updateTable('period')
      .set({ start_play: noon - 900 * day })
      .where('id', 'in', Object.values(periods))
      .execute();
    await setHead(school(), classes.k1, 'teacher');
    await addPeriod(school(), {
      title: '第一讲；集合, 映射\\与函数 BEGIN:VEVENT 😀以及一个长得超过七十五个字节因而必须折行的标题',
      lecturer: 'teacher',
      start: noon + hour,
      minutes: 90,
    });
    await addPeriod(school(), { title: '别人的', lecturer: 'otherTeacher', start: noon + 2 * hour });
    await addPeriod(school(), { title: '很久以前', lecturer: 'teacher', start: noon - 120 * day });
    await addLesson(school(), { lecturer: 'teacher', assistant: 'assist', start: noon + day, cancelled: true });
    await addMeeting(school(), { classId: classes.k1, holder: 'teacher', start: noon + 2 * day });
  });

  it("serves the person's calendar to anybody who has the address", async () => {
    const address = await makeFeed('teacher');
    const answer = await readFeed(address);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('private, max-age=300');
    const { name, zones, events } = parsed(answer.body);
    expect(name).toBe('姓名teacher的教学日历');
    expect(zones).toEqual(['Asia/Shanghai']);
    // UIDs include the school's id, so calendars of two schools never collide.
    const { value } = await school()
      .database.db.selectFrom('setting')
      .select('value')
      .where('name', '=', 'installation')
      .executeTakeFirstOrThrow();
    expect(value).not.toBe('');
    expect(events.map(({ uid }) => uid.split('@')[1])).toEqual(events.map(() => `${value}.lectern`));
    expect(events.map(({ summary, status }) => [summary, status])).toEqual([
      [
        '高一数学 · 第一讲；集合, 映射\\与函数 BEGIN:VEVENT 😀以及一个长得超过七十五个字节因而必须折行的标题',
        'CONFIRMED',
      ],
      ['（已取消）高一数学 · 课次内容', 'CANCELLED'],
      ['班会：期中总结', 'CONFIRMED'],
    ]);
    expect(events[0]).toMatchObject({ tzid: 'Asia/Shanghai', start: noon + hour, end: noon + hour + 90 * 60 });
    // The feed holds nothing that grants access.
    expect(answer.body).not.toMatch(/S\d|T\d+-|code/);
  });

  it('keeps the UID of a lesson through all changes', async () => {
    const { database } = school();
    const address = await makeFeed('teacher');
    const before = parsed((await readFeed(address)).body).events;
    await database.db
      .updateTable('period')
      .set({ start_play: noon + 3 * hour, title: '改名' })
      .where('title', 'like', '第一讲；%')
      .execute();
    const after = parsed((await readFeed(address)).body).events;
    expect(after.map(({ uid }) => uid)).toEqual(before.map(({ uid }) => uid));
    expect(after[0]).toMatchObject({ summary: '高一数学 · 改名', start: noon + 3 * hour });
    const forAssistant = parsed((await readFeed(await makeFeed('assist'))).body).events;
    expect(forAssistant.map(({ uid }) => uid)).toContain(before[0]?.uid);
  });

  it('answers 304 while nothing has changed', async () => {
    const address = await makeFeed('teacher');
    const etag = (await readFeed(address)).headers.get('etag') as string;
    expect(etag).toMatch(/^W\/"/);
    school().setNow(noon + hour);
    const again = await readFeed(address, { 'if-none-match': `"other", ${etag}` });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag]);
    await addPeriod(school(), { title: '新增', lecturer: 'teacher', start: noon + 5 * day });
    expect((await readFeed(address, { 'if-none-match': etag })).status).toBe(200);
  });

  it('ends with a new address, by revoking, and with its owner', async () => {
    const { database, people } = school();
    const first = await makeFeed('otherTeacher');
    const second = await makeFeed('otherTeacher');
    expect([(await readFeed(first)).status, (await readFeed(second)).status]).toEqual([404, 200]);
    const stateOf = async () => (await school().as('otherTeacher').get('calendar/feed')).body.data;
    expect(await stateOf()).toEqual({ created_at: noon, used_at: noon });
    expect((await school().as('otherTeacher').delete('calendar/feed')).body.msg).toBe('订阅地址已停用');
    expect((await readFeed(second)).status).toBe(404);
    expect(await stateOf()).toEqual({ created_at: null, used_at: null });
    expect((await school().as('otherTeacher').delete('calendar/feed')).status).toBe(404);

    const third = await makeFeed('otherTeacher');
    const disabled = (at: number | null) =>
      database.db.updateTable('staff').set({ disabled_at: at }).where('id', '=', people.otherTeacher.id).execute();
    await disabled(noon);
    expect((await readFeed(third)).status).toBe(404);
    await disabled(null);
    for (const none of ['x', 'x'.repeat(43), '..%2f..', '%00']) {
      expect((await readFeed(`/api/calendar/feed/${none}`)).status, none).toBe(404);
    }
  });

  it('stores only a hash of the address', async () => {
    const address = await makeFeed('plainTeacher');
    const token = address.split('/').at(-1) as string;
    const tables = ['calendar_feed', 'accepted_request', 'history'] as const;
    for (const table of tables) {
      expect(JSON.stringify(await school().database.db.selectFrom(table).selectAll().execute())).not.toContain(token);
    }
  });

  describe('calendar feed of a class', () => {
    it('works for the staff of the class as long as they see it', async () => {
      const { database, classes, people } = school();
      const address = await makeFeed('assist', classes.k1);
      const own = await makeFeed('assist');
      const { name, events } = parsed((await readFeed(address)).body);
      expect(name).toBe('一班教学日历');
      expect(events.map(({ summary }) => summary)).toContain('班会：期中总结');
      expect(events.map(({ summary }) => summary)).toContain('高一数学 · 别人的');
      expect((await school().as('assist').post('calendar/feed', { class_id: classes.k3 })).status).toBe(404);
      expect((await school().as('assist').get(`calendar/feed?class_id=${classes.k3}`)).status).toBe(404);
      expect((await school().as('assist').delete(`calendar/feed?class_id=${classes.k3}`)).status).toBe(404);
      const assisting = database.db
        .deleteFrom('class_staff')
        .where('class_id', '=', classes.k1)
        .where('staff_id', '=', people.assist.id);
      await assisting.execute();
      expect([(await readFeed(address)).status, (await readFeed(own)).status]).toEqual([404, 200]);
    });
  });

  it("follows daylight saving time of the school's zone", async () => {
    const { database } = school();
    const address = await makeFeed('teacher');
    // 2027-03-14, 06:30Z is 01:30 before the change and 07:30Z is 03:30 after it.
    const change = Date.UTC(2027, 2, 14, 6, 30) / 1000;
    await addPeriod(school(), { title: '换时', lecturer: 'teacher', start: change, minutes: 60 });
    const eventIn = async (zone: string) => {
      await storeSetting(database.db, 'timezone', zone);
      try {
        return parsed((await readFeed(address)).body).events.find(({ summary }) => summary.includes('换时'));
      } finally {
        await storeSetting(database.db, 'timezone', 'Asia/Shanghai');
      }
    };
    const newYork = await eventIn('America/New_York');
    expect(newYork).toMatchObject({ tzid: 'America/New_York', start: change, end: change + hour });
    // Zones without a definition of their own are written in UTC.
    for (const zone of ['UTC', 'Asia/Shanghai']) {
      expect(await eventIn(zone)).toMatchObject({ start: change, end: change + hour });
    }
  });
});

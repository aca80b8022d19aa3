import { beforeAll, describe, expect, it } from 'vitest';
import { storeSetting } from '#server/school/settings.ts';
import { addGroup, addLesson, addMeeting, addPeriod, setHead } from '../support/calendar-school.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

const hour = 60 * 60;

interface Course {
  kind: string;
  id: number;
  period_title: string;
  meeting_name: string;
}
const titles = (answer: { body: { data: Course[] } }) =>
  answer.body.data.map(({ kind, period_title, meeting_name }) => `${kind} ${period_title || meeting_name}`);

onBothEngines('teaching calendar', (school) => {
  beforeAll(async () => {
    const { classes, periods, database } = school();
    // Moves the test school's own periods a year back, so that they do not count here.
    await database.db
      .updateTable('period')
      .set({ start_play: noon - 365 * day })
      .where('id', 'in', Object.values(periods))
      .execute();
    await setHead(school(), classes.k1, 'teacher');
    await addPeriod(school(), {
      title: '我的直播',
      lecturer: 'teacher',
      start: noon + hour,
      advance_time: 15,
      student_code: 'S-9',
    });
    await addPeriod(school(), { title: '别人的直播', lecturer: 'otherTeacher', start: noon + 2 * hour });
    await addPeriod(school(), { title: '没人的课时', start: noon + 3 * hour });
    // The last second of the day (23:59:59) and the first of the next day (00:00), in Shanghai.
    await addPeriod(school(), { title: '当日最后', lecturer: 'teacher', start: noon + 12 * hour - 1 });
    await addPeriod(school(), { title: '次日零点', lecturer: 'teacher', start: noon + 12 * hour });
    await addPeriod(school(), { title: '月初零点', lecturer: 'teacher', start: noon - 19 * day - 12 * hour });
    await addPeriod(school(), { title: '上月最后', lecturer: 'teacher', start: noon - 19 * day - 12 * hour - 1 });
    await addLesson(school(), { lecturer: 'teacher', assistant: 'assist', start: noon + 4 * hour });
    await addLesson(school(), { lecturer: 'teacher', start: noon + 5 * hour, cancelled: true });
    await addLesson(school(), { lecturer: 'otherTeacher', assistant: 'otherAssist', start: noon + 6 * hour, mode: 2 });
    await addMeeting(school(), { classId: classes.k1, holder: 'teacher', start: noon + 7 * hour });
    await addMeeting(school(), { classId: classes.k3, holder: 'otherTeacher', start: noon + 8 * hour });
  });

  it('shows a lecturer their periods and lessons', async () => {
    const answer = await school().as('teacher').get('teacher/courseCalendar?date=2026-11-20');
    expect(titles(answer)).toEqual([
      'period 我的直播',
      'course 课次内容',
      'course 课次内容',
      'meeting 期中总结',
      'period 当日最后',
    ]);
    expect(answer.body.data[0]).toMatchObject({
      course_title: '高一数学',
      nickname: '姓名teacher',
      class_name: '一班、二班、三班等4个班级',
      start_play: noon + hour,
      end_play: noon + 2 * hour,
      live_status: 1,
      advance_time: 15,
      student_code: 'S-9',
      entry: { way: 'enter' },
    });
    expect(answer.body.data[2]).toMatchObject({
      is_cancelled: 1,
      allow_enter: 1,
      entry: { way: 'closed', reason: '课次已取消' },
    });
    expect(answer.body.data[3].teacher_code).toMatch(/^T/);
  });

  it('shows an assistant the lessons of their classes', async () => {
    const answer = await school().as('assist').get('courseCalendar?date=2026-11-20');
    expect(titles(answer)).toEqual([
      'period 我的直播',
      'period 别人的直播',
      'period 没人的课时',
      'course 课次内容',
      'meeting 期中总结',
      'period 当日最后',
    ]);
    expect(answer.body.data[0].class_name).toBe('一班、二班');
    expect(titles(await school().as('otherAssist').get('courseCalendar?date=2026-11-20'))).toEqual([
      'period 我的直播',
      'period 别人的直播',
      'period 没人的课时',
      'course 课次内容',
      'meeting 期中总结',
      'period 当日最后',
    ]);
    expect((await school().as('plainTeacher').get('teacher/courseCalendar?date=2026-11-20')).body.data).toEqual([]);
  });

  it('counts the days of up to three months in one answer the same as month by month', async () => {
    const days = async (query: string) =>
      (await school().as('teacher').get(`teacher/month/course?${query}`)).body.data as { date: string }[];
    const each = [
      ...(await days('date=2026-10-31')),
      ...(await days('date=2026-11-01')),
      ...(await days('date=2026-12-31')),
    ];
    expect(each.length).toBeGreaterThan(3);
    expect(await days('date=2026-10-26&until=2026-12-06')).toEqual(each);
    expect(await days('date=2026-10-31&until=2027-12-01')).toEqual(each);
    expect(await days('date=2026-11-15&until=2026-10-01')).toEqual(await days('date=2026-11-15'));
  });

  it('counts as many entries per day as the day lists', async () => {
    for (const [name, prefix] of [
      ['teacher', 'teacher/'],
      ['assist', ''],
    ] as const) {
      const person = school().as(name);
      const { data } = (await person.get(`${prefix}month/course?date=2026-11-07`)).body;
      expect(data.map(({ date }: { date: string }) => date)).toEqual(['2026-11-01', '2026-11-20', '2026-11-21']);
      for (const { date, count } of data) {
        expect((await person.get(`${prefix}courseCalendar?date=${date}`)).body.data, date).toHaveLength(count);
      }
    }
    const october = (await school().as('teacher').get('teacher/month/course?date=2026-10-31')).body.data;
    expect(october).toEqual([{ date: '2026-10-31', count: 1 }]);
  });

  it('shows today without a day, and for an invalid one', async () => {
    const today = titles(await school().as('teacher').get('teacher/courseCalendar'));
    expect(today).toHaveLength(5);
    expect(titles(await school().as('teacher').get('teacher/courseCalendar?date=2026-02-30'))).toEqual(today);
    expect((await school().as('teacher').get('teacher/month/course?date=x')).body.data).toHaveLength(3);
  });

  it('answers several days at once, at most six weeks', async () => {
    const week = await school().as('teacher').get('teacher/courseCalendar?date=2026-11-16&until=2026-11-22');
    expect(titles(week)).toHaveLength(6);
    const turned = await school().as('teacher').get('teacher/courseCalendar?date=2026-11-20&until=2026-11-01');
    expect(titles(turned)).toHaveLength(5);
    const years = await school().as('teacher').get('teacher/courseCalendar?date=2025-01-01&until=2027-01-01');
    expect(titles(years)).toEqual([]);
  });

  it('derives the live status from the clock', async () => {
    const statusAt = async (seconds: number) => {
      school().setNow(seconds);
      return (await school().as('teacher').get('teacher/courseCalendar?date=2026-11-20')).body.data[0].live_status;
    };
    expect(await statusAt(noon + hour - 1)).toBe(1);
    expect(await statusAt(noon + hour)).toBe(2);
    expect(await statusAt(noon + 2 * hour - 1)).toBe(2);
    expect(await statusAt(noon + 2 * hour)).toBe(3);
  });

  it('lists the groups whose rooms the reader may enter', async () => {
    const { classes } = school();
    const mine = await addGroup(school(), { name: '甲组', classId: classes.k1, assistants: ['assist'] });
    const theirs = await addGroup(school(), { name: '乙组', classId: classes.k3, assistants: ['otherAssist'] });
    // A group of a class that the assistant does not look after.
    await addGroup(school(), { name: '丙组', classId: classes.k4, assistants: ['assist'] });
    const groupsFor = async (name: 'assist' | 'otherAssist' | 'teacher') => {
      const path = `${name === 'teacher' ? 'teacher/' : ''}courseCalendar?date=2026-11-20`;
      const { class_list } = (await school().as(name).get(path)).body.data[0];
      return class_list.map(({ group_name }: { group_name: string }) => group_name);
    };
    expect(await groupsFor('assist')).toEqual(['甲组']);
    expect(await groupsFor('otherAssist')).toEqual(['乙组']);
    expect(await groupsFor('teacher')).toEqual(['甲组', '乙组', '丙组']);
    const [row] = (await school().as('assist').get('courseCalendar?date=2026-11-20')).body.data;
    expect(row.class_list).toEqual([
      { group_name: '甲组', course_basis_id: school().courses.shared, class_group_id: mine },
    ]);
    expect(theirs).toBeGreaterThan(mine);
  });

  describe('calendar of a class', () => {
    it('shows all of its courses to everybody who sees the class', async () => {
      const { classes } = school();
      const list = await school().as('teacher').get(`stateschoolclass/classCalendar/${classes.k1}?date=2026-11-20`);
      expect(titles(list)).toEqual([
        'period 我的直播',
        'period 别人的直播',
        'period 没人的课时',
        'meeting 期中总结',
        'period 当日最后',
      ]);
      expect(list.body.data.map((course: { entry: { way: string } }) => course.entry.way)).toEqual([
        'enter',
        'closed',
        'closed',
        'enter',
        'enter',
      ]);
      expect(list.body.data[0].class_name).toBe('一班');
      const month = await school().as('teacher').get(`stateschoolclass/monthCourse/${classes.k1}?date=2026-11-20`);
      expect(month.body.data).toContainEqual({ date: '2026-11-20', count: 5 });
      expect(
        titles(await school().as('assist').get(`stateschoolclass/classCalendar/${classes.k1}?date=2026-11-20`)),
      ).toEqual(titles(list));
    });

    it('answers 404 to others', async () => {
      const { k1, k3 } = school().classes;
      for (const call of ['monthCourse', 'classCalendar']) {
        expect((await school().as('assist').get(`stateschoolclass/${call}/${k3}`)).status).toBe(404);
        expect((await school().as('otherAssist').get(`stateschoolclass/${call}/${k1}`)).status).toBe(404);
        expect((await school().as('plainTeacher').get(`stateschoolclass/${call}/${k1}`)).status).toBe(404);
        expect((await school().as('teacher').get(`stateschoolclass/${call}/x`)).status).toBe(404);
      }
    });
  });

  it('refuses the other identity and signed-out requests', async () => {
    expect((await school().as('assist').get('/api/lector/teacher/month/course')).status).toBe(403);
    expect((await school().as('teacher').get('/api/assistants/month/course')).status).toBe(403);
    expect((await school().ask('/api/assistants/courseCalendar')).status).toBe(401);
  });

  it('has days of 23 or 25 hours where the zone changes', async () => {
    const { database } = school();
    await storeSetting(database.db, 'timezone', 'America/New_York');
    // In New York, 2026-11-01 has 25 hours: from 04:00Z to 05:00Z of the next day. 2026-03-08 has 23.
    const fall = Date.UTC(2026, 10, 1, 4) / 1000;
    const spring = Date.UTC(2026, 2, 8, 5) / 1000;
    const inserted: number[] = [];
    for (const start of [
      fall - 1,
      fall,
      fall + 25 * hour - 1,
      fall + 25 * hour,
      spring,
      spring + 23 * hour - 1,
      spring + 23 * hour,
    ])
      inserted.push(await addPeriod(school(), { title: '换时', lecturer: 'plainTeacher', start }));
    const person = school().as('plainTeacher');
    try {
      const november = (await person.get('teacher/month/course?date=2026-11-15')).body.data;
      expect(november).toEqual([
        { date: '2026-11-01', count: 2 },
        { date: '2026-11-02', count: 1 },
      ]);
      expect((await person.get('teacher/courseCalendar?date=2026-11-01')).body.data).toHaveLength(2);
      expect((await person.get('teacher/month/course?date=2026-03-15')).body.data).toEqual([
        { date: '2026-03-08', count: 2 },
        { date: '2026-03-09', count: 1 },
      ]);
    } finally {
      await storeSetting(database.db, 'timezone', 'Asia/Shanghai');
      await database.db.deleteFrom('period').where('id', 'in', inserted).execute();
    }
  });
});

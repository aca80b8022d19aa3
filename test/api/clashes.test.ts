/** Tests the clash check directly, on both engines. */
import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { clashesOf, clashesText, type PlannedSlots } from '#server/school/clashes.ts';
import { addMeeting } from '../support/calendar-school.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon, type TestSchool } from '../support/school.ts';
import { insertSession } from '../support/sessions.ts';

const hour = 3600;
const zone = 'Asia/Shanghai';
const everywhere = { id: 0, everySchool: true } as Actor;

onBothEngines('clash check', (school) => {
  /** Returns a day without other entries. */
  let days = 10;
  const nextDay = () => {
    days += 1;
    return noon + days * day;
  };
  const addPeriod = async (own: TestSchool, start: number, more: { course?: number; lecturer?: number } = {}) => {
    const { id } = await own.database.db
      .insertInto('period')
      .values({
        course_id: more.course ?? own.courses.theirs,
        title: '力学',
        lecturer_id: more.lecturer ?? own.people.otherTeacher.id,
        chapter_id: null,
        start_play: start,
        total_time: hour,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const addSession = (
    own: TestSchool,
    start: number,
    more: { class?: number; lecturer?: number; room?: number | null; period?: number; cancelled?: number } = {},
  ) =>
    insertSession(own, {
      class_id: more.class ?? own.classes.k4,
      period_id: more.period ?? null,
      lecturer_id: more.lecturer ?? own.people.plainTeacher.id,
      room_id: more.room ?? null,
      chapter_title: '答疑',
      start_time: start,
      cancelled_at: more.cancelled ?? null,
    });
  const addCourse = async (own: TestSchool, title: string, schoolId?: number) => {
    const { db } = own.database;
    const school_id = schoolId ?? (await db.selectFrom('school').select('id').orderBy('id').execute())[0]?.id ?? 0;
    const values = { title, school_id, parent_id: null, classify_id: null, grade_id: null, subject_id: null };
    return (
      await db
        .insertInto('course')
        .values({ ...values, created_at: noon })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  };
  const listClashes = async (plan: PlannedSlots, actor = everywhere) =>
    (await clashesOf(school().database.db, actor, plan)).map(({ kind, id, who }) => [kind, id, who.join('、')]);

  describe('lecturer', () => {
    it('clashes with each overlapping period and lesson, not with an adjacent one', async () => {
      const own = school();
      const start = nextDay();
      const lecturerId = own.people.otherTeacher.id;
      const period = await addPeriod(own, start);
      const lesson = await addSession(own, start + hour / 2, { lecturer: lecturerId });
      await addSession(own, start, { lecturer: lecturerId, cancelled: noon });
      const slot = (from: number, to: number) => ({ slots: [{ start: start + from, end: start + to, lecturerId }] });
      expect(await listClashes(slot(0, hour))).toEqual([
        ['period', period, '讲师姓名teacher2'],
        ['session', lesson, '讲师姓名teacher2'],
      ]);
      expect(await listClashes(slot(-hour, 0))).toEqual([]);
      expect(await listClashes(slot(-hour, 1))).toEqual([['period', period, '讲师姓名teacher2']]);
      expect(await listClashes(slot(1.5 * hour, 2 * hour))).toEqual([]);
      expect(await listClashes({ slots: [{ start, end: start + hour, lecturerId: own.people.teacher.id }] })).toEqual(
        [],
      );
      const all = { slots: slot(0, hour).slots, except: { periodIds: [period], sessionIds: [lesson] } };
      expect(await listClashes(all)).toEqual([]);
    });

    it('does not clash with the lesson that teaches the period itself', async () => {
      const own = school();
      const start = nextDay();
      const lecturerId = own.people.otherTeacher.id;
      const period = await addPeriod(own, start);
      await addSession(own, start, { lecturer: lecturerId, period });
      expect(
        await listClashes({ slots: [{ start, end: start + hour, lecturerId }], except: { periodIds: [period] } }),
      ).toEqual([]);
    });

    it('is checked per lesson in a series', async () => {
      const own = school();
      const [start, later] = [nextDay(), nextDay()];
      const [first, second] = [own.people.teacher.id, own.people.otherTeacher.id];
      const period = await addPeriod(own, later, { lecturer: second });
      const slots = (one: number, other: number) => [
        { start, end: start + hour, lecturerId: one },
        { start: later, end: later + hour, lecturerId: other },
      ];
      expect(await listClashes({ slots: slots(second, first) })).toEqual([]);
      expect(await listClashes({ slots: slots(first, second) })).toEqual([['period', period, '讲师姓名teacher2']]);
    });
  });

  it("finds a lecturer's meeting, of the same class or another", async () => {
    const own = school();
    const start = nextDay();
    const { db } = own.database;
    const lecturerId = own.people.otherTeacher.id;
    const meeting = await addMeeting(own, { classId: own.classes.k3, holder: 'otherTeacher', start });
    const plan = (from: number) => ({ slots: [{ start: start + from, end: start + from + hour, lecturerId }] });
    expect(await listClashes(plan(hour / 2))).toEqual([['meeting', meeting, '讲师姓名teacher2']]);
    expect(await listClashes(plan(hour))).toEqual([]);
    expect(
      await listClashes({ slots: [{ ...plan(0).slots[0], lecturerId: own.people.teacher.id }] } as PlannedSlots),
    ).toEqual([]);
    const when = `${new Date((start + 8 * hour) * 1000).toISOString().slice(0, 10)} 12:00至13:00`;
    expect(clashesText(await clashesOf(db, everywhere, plan(0)), zone)).toBe(
      `与1处安排时间冲突：讲师姓名teacher2 ${when} 三班 班会 期中总结`,
    );
    const bound = { id: own.people.admin.id, everySchool: false } as Actor;
    expect(clashesText(await clashesOf(db, bound, plan(0)), zone)).toBe(
      `与1处安排时间冲突：讲师姓名teacher2 ${when} 其他学校的班会`,
    );
  });

  it('finds other uses of a room', async () => {
    const own = school();
    const start = nextDay();
    const { db } = own.database;
    const school_id = (await db.selectFrom('school').select('id').orderBy('id').execute())[0]?.id ?? 0;
    const room = await db
      .insertInto('room')
      .values({ school_id, name: '301' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const lesson = await addSession(own, start, { room: room.id });
    expect(await listClashes({ slots: [{ start, end: start + hour, roomId: room.id }] })).toEqual([
      ['session', lesson, '教室301'],
    ]);
    expect(await listClashes({ slots: [{ start, end: start + hour, roomId: room.id + 1 }] })).toEqual([]);
  });

  it('finds what the classes of a course attend, and what their students attend elsewhere', async () => {
    const own = school();
    const start = nextDay();
    const { db } = own.database;
    const { k1, k3, k4 } = own.classes;
    const [course, other] = [await addCourse(own, '化学'), await addCourse(own, '生物')];
    await db
      .insertInto('class_course')
      .values([
        { class_id: k1, course_id: course },
        { class_id: k3, course_id: other },
      ])
      .execute();
    const period = await addPeriod(own, start, { course: own.courses.theirs });
    const elsewhere = await addPeriod(own, start, { course: other, lecturer: own.people.plainTeacher.id });
    const lesson = await addSession(own, start, { class: k1 });
    await addSession(own, start, { class: k4, lecturer: own.people.teacher.id });
    const slots = [{ start, end: start + hour }];
    // The first student of 一班 is also in 三班.
    const expected = [
      ['period', period, '班级一班、学员学生一班1'],
      ['period', elsewhere, '学员学生一班1'],
      ['session', lesson, '班级一班'],
    ];
    expect(await listClashes({ slots, courseId: course })).toEqual(expected);
    expect(await listClashes({ slots, classIds: [k1] })).toEqual(expected);
    expect(await listClashes({ slots, studentIds: [own.students.k4[0] as number] })).toMatchObject([
      ['period', period, '学员学生四班1'],
      ['session', expect.any(Number), '学员学生四班1'],
    ]);
    const mine = await addPeriod(own, start, { course, lecturer: own.people.teacher.id });
    expect((await listClashes({ slots, courseId: course })).map(([, id]) => id)).toContain(mine);
    // Former students do not clash.
    expect(await listClashes({ slots, studentIds: [own.students.k1.at(-1) as number] })).toEqual([]);
  });

  it('describes a clash in words, without details of another school', async () => {
    const own = school();
    const start = nextDay();
    const { db } = own.database;
    const lecturerId = own.people.otherTeacher.id;
    await addPeriod(own, start);
    const plan = { slots: [{ start, end: start + hour, lecturerId }] };
    const when = `${new Date((start + 8 * hour) * 1000).toISOString().slice(0, 10)} 12:00至13:00`;
    expect(clashesText(await clashesOf(db, everywhere, plan), zone)).toBe(
      `与1处安排时间冲突：讲师姓名teacher2 ${when} 高一物理 力学`,
    );
    const bound = { id: own.people.admin.id, everySchool: false } as Actor;
    expect(clashesText(await clashesOf(db, bound, plan), zone)).toBe(
      `与1处安排时间冲突：讲师姓名teacher2 ${when} 其他学校的课`,
    );
    expect(clashesText([], zone)).toBeUndefined();
  });

  it('runs a constant number of queries for any length of series and size of school', async () => {
    const own = school();
    const { db } = own.database;
    const lecturerId = own.people.otherTeacher.id;
    const slots = Array.from({ length: 60 }, (_, at) => {
      const start = noon + (200 + at) * day;
      return { start, end: start + hour, lecturerId };
    });
    const few = await own.costOf(() =>
      clashesOf(db, everywhere, { slots: slots.slice(0, 1), courseId: own.courses.shared }),
    );
    const many = await own.costOf(() => clashesOf(db, everywhere, { slots, courseId: own.courses.shared }));
    expect(many.queries).toBe(few.queries);
  });
});

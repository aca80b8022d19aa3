/** Periods and lessons through imports, and timetables. */
import { describe, expect, it } from 'vitest';
import { addDays } from '#server/courses/rules.ts';
import { dayOf, momentOf, timeOf } from '#server/school/calendar.ts';
import { addBoundAdmin } from '../support/bound-admin.ts';
import { importCalls, outcomeOf, type Records, withFields, withoutRecords } from '../support/import-calls.ts';
import { fingerprints, record, ref, smallUpload } from '../support/imports.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';
import { addLesson, addTeam } from '../support/team-lessons.ts';

const zone = 'Asia/Shanghai';

onBothEngines('import of periods and lessons', (opened) => {
  const school = () => opened();
  const db = () => school().database.db;
  const { admin, mustApply, countsOf, rows, send, show, mustUndo: undo } = importCalls(school);
  let count = 0;
  const source = () => {
    count += 1;
    return `课表来源${count}`;
  };
  const undoAll = async (id: number) => expect(await undo(id)).toBe(0);

  describe('imported periods', () => {
    const period = (id: string, start: number, more: Records[number]['fields'] = {}) =>
      record('period', id, {
        course_id: ref('course', 'C1'),
        title: `导入课时${id}`,
        start_play: start,
        minutes: 90,
        lecturer_id: ref('staff', 'T1'),
        ...more,
      });
    const upload = () => [
      ...smallUpload({ tag: count, classes: 1, students: 2 }),
      period('Q1', noon - 2 * day, { chapter_title: '第一章' }),
      period('Q2', noon + 2 * day, { chapter_title: '第一章' }),
      period('Q3', noon + day, { chapter_title: '第二章', periods_type: 2, advance_time: 10 }),
    ];

    it('are created with chapters in time order, and undone completely', async () => {
      const name = source();
      const before = await fingerprints(db());
      const first = await send(name, upload());
      expect(await fingerprints(db())).toEqual(before);
      expect(await countsOf(first)).toMatchObject({ period: [3, 0, 0, 0, 0, 0, 0, 0] });
      await mustApply(first);
      const made = await db()
        .selectFrom('period')
        .leftJoin('course_chapter', 'course_chapter.id', 'period.chapter_id')
        .select(['period.title', 'course_chapter.title as chapter', 'period.sort', 'period.total_time'])
        .select(['period.periods_type', 'period.advance_time'])
        .where('period.title', 'like', '导入课时%')
        .orderBy('period.sort')
        .execute();
      expect(made).toEqual([
        { title: '导入课时Q1', chapter: '第一章', sort: 1, total_time: 5400, periods_type: 1, advance_time: 0 },
        { title: '导入课时Q3', chapter: '第二章', sort: 2, total_time: 5400, periods_type: 2, advance_time: 10 },
        { title: '导入课时Q2', chapter: '第一章', sort: 3, total_time: 5400, periods_type: 1, advance_time: 0 },
      ]);
      const again = await send(name, upload().toReversed());
      expect((await show(again)).totals.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 0]);
      await undoAll(first);
      expect(await fingerprints(db())).toEqual(before);
    });

    it('are changed, deleted if unused, and restored; past ones stay', async () => {
      const name = source();
      await mustApply(await send(name, upload()));
      const before = await fingerprints(db());
      const next = withoutRecords(
        withFields(upload(), 'Q2', { chapter_title: '第三章', start_play: noon + 3 * day, minutes: 45 }),
        'Q1',
        'Q3',
      );
      const second = await send(name, next);
      expect(await countsOf(second)).toMatchObject({ period: [0, 1, 0, 1, 0, 0, 0, 0] });
      expect((await show(second)).effects).toEqual(['《导入数学》取消1节课时，2名学员']);
      expect(await rows(second, '&kind=period&verdict=changed')).toMatchObject([
        {
          label: '导入数学 导入课时Q2',
          changes: [
            { name: '开始时间' },
            { name: '时长（分钟）', before: '90', after: '45' },
            { name: '章节', before: '第一章', after: '第三章' },
          ],
        },
      ]);
      await mustApply(second);
      const left = await db().selectFrom('period').select('title').where('title', 'like', '导入课时%').execute();
      expect(left.map(({ title }) => title).sort()).toEqual(['导入课时Q1', '导入课时Q2']);
      const third = await send(name, upload());
      expect(await countsOf(third)).toMatchObject({ period: [0, 1, 1, 0, 0, 0, 0, 1] });
      await mustApply(third);
      await undoAll(third);
      await undoAll(second);
      expect(await fingerprints(db())).toEqual(before);
    });

    it('are refused with a reason', async () => {
      const name = source();
      const id = await send(name, [
        ...smallUpload({ tag: count, classes: 1, students: 1 }),
        period('X1', noon, { title: '' }),
        period('X2', 0),
        period('X3', noon, { minutes: 3 }),
        period('X4', noon, { course_id: ref('course', 'nowhere') }),
        period('X5', noon, { lecturer_id: ref('staff', 'A1') }),
        period('X6', noon, { periods_type: 77 }),
      ]);
      const refused = await rows(id, '&verdict=refused');
      expect(
        refused.map(({ source_id, reasons }: { source_id: string; reasons: string[] }) => [source_id, ...reasons]),
      ).toEqual([
        ['X1', '课时名称：课时名称不能为空'],
        ['X2', '开始时间：请填写开始时间'],
        ['X3', '时长（分钟）：时长为5到720分钟'],
        ['X4', '课程：没有编号为“nowhere”的课程'],
        ['X5', '讲师：请选择在用的讲师'],
        ['X6', '课时类型：请选择课时类型'],
      ]);
    });
  });

  describe('imported lessons', () => {
    /** Creates a source's group class with its course and lecturer. */
    const known = async (name: string) => {
      const team = await addTeam(school(), { name: `团课${count}` });
      const first = await send(name, [record('grade', 'G', { name: `年级${count}` })], 'delta');
      const { source_id } = await db()
        .selectFrom('import')
        .select('source_id')
        .where('id', '=', first)
        .executeTakeFirstOrThrow();
      const ids = [
        ['group_class', 'TEAM', team.id],
        ['course', 'SHARED', school().courses.shared],
        ['staff', 'TEACHER', school().people.teacher.id],
      ] as const;
      await db()
        .insertInto('external_id')
        .values(
          ids.map(([kind, sourced_id, id]) => ({
            source_id,
            kind,
            sourced_id,
            record: String(id),
            state: 'active' as const,
            fields: '{}',
            import_id: first,
          })),
        )
        .execute();
      return team;
    };
    const lesson = (id: string, on: string, more: object = {}) =>
      record('lesson', id, {
        class_id: ref('group_class', 'TEAM'),
        course_id: ref('course', 'SHARED'),
        lecturer_id: ref('staff', 'TEACHER'),
        day: on,
        start: '09:00',
        end: '10:30',
        ...more,
      });
    const lessonsOf = (id: number) =>
      db()
        .selectFrom('class_session')
        .select(['start_time', 'end_time', 'chapter_title', 'cancelled_at'])
        .where('class_id', '=', id)
        .orderBy('id')
        .execute();
    const today = dayOf(noon, zone);

    it('are planned, moved, cancelled and restored, and all is undone', async () => {
      const name = source();
      const team = await known(name);
      const before = await fingerprints(db());
      const upload = [
        lesson('L1', addDays(today, -1)),
        lesson('L2', addDays(today, 1), { chapter_title: '集合' }),
        lesson('L3', addDays(today, 2)),
      ];
      const first = await send(name, upload);
      expect(await fingerprints(db())).toEqual(before);
      expect(await rows(first, '&kind=lesson')).toMatchObject(
        upload.map(({ fields: { day: on } }) => ({ label: `TEAM ${on} 09:00`, verdict: 'new' })),
      );
      await mustApply(first);
      const planned = await lessonsOf(team.id);
      expect(planned.map(({ start_time }) => start_time)).toEqual(
        [-1, 1, 2].map((later) => momentOf(addDays(today, later), '09:00', zone)),
      );
      const whole = await fingerprints(db());
      expect((await show(await send(name, upload))).totals).toEqual([0, 0, 0, 0, 0, 0, 0, 3]);

      // A past and a future lesson are missing, and one is moved.
      const second = await send(name, [lesson('L2', addDays(today, 3), { chapter_title: '集合', end: '11:00' })]);
      expect(await countsOf(second)).toEqual({ lesson: [0, 1, 0, 1, 0, 0, 0, 0] });
      expect((await show(second)).effects).toEqual([`团课${count}取消1节课，3名学员`]);
      await mustApply(second);
      expect((await lessonsOf(team.id)).map(({ cancelled_at }) => cancelled_at)).toEqual([null, null, noon]);
      const third = await send(name, upload);
      expect(await countsOf(third)).toEqual({ lesson: [0, 1, 1, 0, 0, 0, 0, 1] });
      await mustApply(third);
      expect(await fingerprints(db())).toEqual(whole);
      await undoAll(third);
      await undoAll(second);
      expect(await fingerprints(db())).toEqual(whole);
      await undoAll(first);
      expect(await fingerprints(db())).toEqual(before);
    });

    it('are refused with a reason', async () => {
      const name = source();
      await known(name);
      await mustApply(await send(name, [lesson('L1', addDays(today, -1))], 'delta'));
      const next = addDays(today, 1);
      const id = await send(
        name,
        [
          lesson('L1', addDays(today, -1), { end: '10:00' }),
          lesson('X1', next, { end: '08:00' }),
          lesson('X2', '', {}),
          lesson('X3', next, { class_id: ref('group_class', 'none') }),
          lesson('X4', next, { period_id: ref('period', 'none') }),
        ],
        'delta',
      );
      const refused = await rows(id, '&verdict=refused');
      expect(
        refused.map(({ source_id, reasons }: { source_id: string; reasons: string[] }) => [source_id, ...reasons]),
      ).toEqual([
        ['L1', '日期：该课次已上课，不能修改'],
        ['X1', '结束时间：结束时间须晚于开始时间，每节课5到720分钟'],
        ['X2', '日期：请选择上课日期'],
        ['X3', '班级：没有编号为“none”的团课班级'],
        ['X4', '课时：没有编号为“none”的课时'],
      ]);
    });
  });

  describe('imported timetable', () => {
    const week = async (id: number, on = '') => (await admin().get(`import/${id}/week${on}`)).body.data;
    const schoolId = async () =>
      (await db().selectFrom('school').select('id').orderBy('id').executeTakeFirstOrThrow()).id;
    /** From the Monday after noon, four weeks. */
    const monday = '2026-11-23';
    const rule = (team: number, more: object = {}) => ({
      class_id: team,
      course_id: school().courses.shared,
      weekday: 2,
      start: '09:00',
      end: '10:30',
      lecturer_id: school().people.teacher.id,
      ...more,
    });
    const make = async (rules: object[], more: object = {}) =>
      admin().post('import/timetable', {
        school_id: await schoolId(),
        name: '秋季课表',
        first_day: monday,
        weeks: 4,
        holidays: 1,
        rules,
        ...more,
      });
    const mustMake = async (rules: object[], more: object = {}) => {
      const answer = await make(rules, more);
      expect(outcomeOf(answer)).toEqual([200, '已检查']);
      return answer.body.data.id as number;
    };
    const daysOf = async (id: number) =>
      (
        await db()
          .selectFrom('class_session')
          .select('start_time')
          .where('class_id', '=', id)
          .where('cancelled_at', 'is', null)
          .orderBy('start_time')
          .execute()
      ).map(({ start_time }) => `${dayOf(start_time, zone)} ${timeOf(start_time, zone)}`);

    it('skips holidays, uses make-up workdays, and follows odd and even weeks', async () => {
      await db()
        .insertInto('holiday')
        .values([
          { day: '2026-12-01', name: '校庆', is_workday: 0, as_weekday: null },
          { day: '2026-12-05', name: '补课', is_workday: 1, as_weekday: 2 },
        ])
        .execute();
      count += 1;
      const team = await addTeam(school(), { name: `课表团课${count}` });
      const before = await fingerprints(db());
      const id = await mustMake([
        rule(team.id),
        rule(team.id, { weekday: 4, start: '19:00', end: '20:00', parity: 'odd' }),
        rule(team.id, { weekday: 5, start: '19:00', end: '20:00', first_week: 2, last_week: 3, parity: 'even' }),
      ]);
      expect(await fingerprints(db())).toEqual(before);
      const { weeks, entries } = await week(id);
      expect(weeks.map(({ monday: on, count: all }: { monday: string; count: number }) => [on, all])).toEqual([
        ['2026-11-23', 2],
        ['2026-11-30', 2],
        ['2026-12-07', 2],
        ['2026-12-14', 1],
      ]);
      expect(entries).toMatchObject([{ verdict: 'new', class_name: `课表团课${count}`, clashes: [] }, {}]);
      await mustApply(id);
      expect(await daysOf(team.id)).toEqual([
        '2026-11-24 09:00',
        '2026-11-26 19:00',
        '2026-12-04 19:00',
        '2026-12-05 09:00',
        '2026-12-08 09:00',
        '2026-12-10 19:00',
        '2026-12-15 09:00',
      ]);
      await undoAll(id);
      expect(await fingerprints(db())).toEqual(before);
      await db().deleteFrom('holiday').execute();
    });

    it('plans periods of a state-school class in a course of its own, and undoes both', async () => {
      const { classes, courses, people } = school();
      const before = await fingerprints(db());
      const names = (await admin().get('import/timetable')).body.data.targets.map(({ name }: { name: string }) => name);
      const { name: k1 } = await db()
        .selectFrom('class')
        .select('name')
        .where('id', '=', classes.k1)
        .executeTakeFirstOrThrow();
      const { title } = await db()
        .selectFrom('course')
        .select('title')
        .where('id', '=', courses.shared)
        .executeTakeFirstOrThrow();
      expect(names).toContain(`${k1}：${title}`);
      const rules = [
        rule(classes.k1, { start: '06:00', end: '06:40' }),
        rule(classes.k2, { start: '06:00', end: '06:40', lecturer_id: people.otherTeacher.id }),
      ];
      const first = await mustMake(rules);
      expect((await week(first)).entries[0]).toMatchObject({ title: expect.stringContaining(`${title}（${k1}）`) });
      await mustApply(first);
      const own = await db()
        .selectFrom('course')
        .innerJoin('class_course', 'class_course.course_id', 'course.id')
        .select(['course.id', 'course.title', 'class_course.class_id'])
        .where('course.parent_id', '=', courses.shared)
        .orderBy('class_course.class_id')
        .execute();
      expect(own.map(({ class_id }) => class_id)).toEqual([classes.k1, classes.k2]);
      expect(own[0]?.title).toBe(`${title}（${k1}）`);
      const periodsOf = async (course: number) =>
        (await db().selectFrom('period').select('start_play').where('course_id', '=', course).execute()).length;
      expect(await periodsOf(own[0]?.id ?? 0)).toBe(4);
      const again = (await admin().get('import/timetable')).body.data.targets;
      expect(
        again.filter((one: { class_id: number; course_id: number }) => one.course_id === own[0]?.id && one.class_id),
      ).toEqual([]);
      expect(again).toContainEqual({ class_id: 0, course_id: courses.shared, name: title });
      const second = await mustMake([rule(classes.k1, { start: '06:00', end: '06:40', weekday: 3 })], {
        based_on: first,
      });
      expect(await countsOf(second)).toMatchObject({ period: [4, 0, 0, 8, 0, 0, 0, 0] });
      await mustApply(second);
      expect([await periodsOf(own[0]?.id ?? 0), await periodsOf(own[1]?.id ?? 0)]).toEqual([4, 0]);
      await undoAll(second);
      await undoAll(first);
      expect(await fingerprints(db())).toEqual(before);
    });

    it("continues a class's own course, cuts long titles, and replaces a deleted or archived course", async () => {
      const { classes, courses, people } = school();
      const rules = (more: object = {}) => [
        rule(classes.k2, { start: '05:00', end: '05:40', lecturer_id: people.otherTeacher.id, ...more }),
      ];
      const ownCourses = () =>
        db()
          .selectFrom('course')
          .innerJoin('class_course', 'class_course.course_id', 'course.id')
          .select(['course.id', 'course.title'])
          .where('course.parent_id', '=', courses.shared)
          .where('class_course.class_id', '=', classes.k2)
          .where('course.put_away_at', 'is', null)
          .execute();
      const targets = async () =>
        (await admin().get('import/timetable')).body.data.targets.filter(
          ({ class_id }: { class_id: number }) => class_id === classes.k2,
        );
      const before = await fingerprints(db());
      const { title } = await db()
        .selectFrom('course')
        .select('title')
        .where('id', '=', courses.shared)
        .executeTakeFirstOrThrow();
      const name = (
        await db().selectFrom('class').select('name').where('id', '=', classes.k2).executeTakeFirstOrThrow()
      ).name;
      const retitle = (to: string) =>
        db().updateTable('course').set({ title: to }).where('id', '=', courses.shared).execute();
      await retitle('长'.repeat(100));
      const first = await mustMake(rules());
      await retitle(title);
      await mustApply(first);
      const [own] = await ownCourses();
      expect(own?.title).toBe(`${'长'.repeat(100 - name.length - 2)}（${name}）`);

      // The class takes its own course alone: a rule for it goes on with that course.
      const link = { class_id: classes.k2, course_id: courses.shared };
      await db()
        .deleteFrom('class_course')
        .where('class_id', '=', link.class_id)
        .where('course_id', '=', link.course_id)
        .execute();
      expect(await targets()).toContainEqual({ ...link, name: `${name}：${title}` });
      expect((await targets()).map(({ course_id }: { course_id: number }) => course_id)).not.toContain(own?.id);
      const second = await mustMake(rules({ weekday: 3 }), { based_on: first });
      expect(await countsOf(second)).toMatchObject({ period: [4, 0, 0, 4, 0, 0, 0, 0] });
      expect((await countsOf(second)).course).toBeUndefined();
      await db().insertInto('class_course').values(link).execute();

      const archived = await db()
        .updateTable('course')
        .set({ put_away_at: noon, title: '旧的' })
        .where('id', '=', own?.id ?? 0)
        .executeTakeFirst();
      expect(Number(archived.numUpdatedRows)).toBe(1);
      const third = await mustMake(rules({ weekday: 4 }), { based_on: first });
      await mustApply(third);
      const [anew, ...others] = await ownCourses();
      expect([anew?.title, others]).toEqual([`${title}（${name}）`, []]);
      expect(anew?.id).not.toBe(own?.id);
      const periods = async (course = 0) =>
        (await db().selectFrom('period').select('id').where('course_id', '=', course).execute()).length;
      expect([await periods(own?.id), await periods(anew?.id)]).toEqual([0, 4]);
      await undoAll(third);
      await db()
        .updateTable('course')
        .set({ put_away_at: null, title: own?.title ?? '' })
        .where('id', '=', own?.id ?? 0)
        .execute();
      await undoAll(first);
      expect(await fingerprints(db())).toEqual(before);
    });

    it('names two rules of a state-school class at the same time, and refuses a course it does not take', async () => {
      const { classes, courses } = school();
      const id = await mustMake([
        rule(classes.k3, { start: '06:00', end: '06:40', course_id: courses.theirs }),
        rule(classes.k3, {
          start: '06:20',
          end: '07:00',
          lecturer_id: school().people.plainTeacher.id,
        }),
      ]);
      for (const { clashes } of (await week(id)).entries)
        expect(clashes).toContainEqual(expect.stringMatching(/^班级/));
      const answer = await make([rule(classes.k1, { course_id: 999_999 })]);
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toHaveProperty(['rules.0.course_id']);
    });

    it('warns of years without holidays or an arrangement, if holidays are to be skipped', async () => {
      count += 1;
      const team = await addTeam(school(), { name: `跨年团课${count}` });
      const warnings = async (more: object = {}) => {
        const id = await mustMake([rule(team.id)], { name: `跨年${count}`, weeks: 8, ...more });
        return (await admin().get(`import/${id}/remarks`)).body.data.list.map(
          (row: { message: string }) => row.message,
        );
      };
      expect(await warnings()).toEqual(['2026年、2027年还没有节假日，不会跳过任何放假的日子']);
      await db()
        .insertInto('holiday')
        .values({ day: '2026-01-01', name: '元旦', is_workday: 0, as_weekday: null })
        .execute();
      expect(await warnings()).toEqual([
        '2027年还没有节假日，不会跳过任何放假的日子；2026年的放假调休安排尚未公布或尚未采用，目前只按法定节日跳过',
      ]);
      expect(await warnings({ holidays: undefined })).toEqual([]);
      await db().deleteFrom('holiday').execute();
    });

    it('names clashes of lecturer, room, class and student', async () => {
      count += 1;
      const one = await addTeam(school(), { name: `甲${count}` });
      const other = await addTeam(school(), { name: `乙${count}`, size: 1 });
      const third = await addTeam(school(), { name: `丙${count}`, size: 0 });
      const room = await db()
        .insertInto('room')
        .values({ name: `教室${count}`, school_id: await schoolId() })
        .returning('id')
        .executeTakeFirstOrThrow();
      const both = one.students[0] as number;
      await db()
        .insertInto('class_student')
        .values({ class_id: other.id, student_id: both, joined_at: noon - day, left_at: null })
        .execute();
      const theirs = school().people.otherTeacher.id;
      const existing = await addLesson(school(), { team: third, start: momentOf('2026-11-24', '10:00', zone) });
      const id = await mustMake(
        [
          rule(one.id, { room_id: room.id }),
          rule(other.id, { lecturer_id: theirs, room_id: room.id, start: '10:00', end: '11:00' }),
          rule(other.id, { start: '10:30', end: '11:00', weekday: 3 }),
          rule(other.id, { lecturer_id: theirs, start: '10:45', end: '11:30', weekday: 3 }),
        ],
        { weeks: 1 },
      );
      expect(existing).toBeGreaterThan(0);
      const { entries } = await week(id);
      const [first, second, sameClass] = entries as { clashes: string[] }[];
      expect(first?.clashes).toEqual([
        expect.stringMatching(new RegExp(`^讲师.+ 2026-11-24 10:00至11:30 丙${count}`)),
        expect.stringMatching(new RegExp(`^教室教室${count}、学员.+ 2026-11-24 10:00至11:00 乙${count}`)),
      ]);
      expect(second?.clashes).toEqual([expect.stringContaining(`2026-11-24 09:00至10:30 甲${count}`)]);
      expect(sameClass?.clashes).toEqual([`班级乙${count} 2026-11-25 10:45至11:30 乙${count} 高一数学`]);
      expect((await show(id)).effects).toEqual(['4节课与其他安排时间冲突']);
    });

    it('replaces the earlier one from a given day', async () => {
      count += 1;
      const team = await addTeam(school(), { name: `新旧${count}` });
      const other = await addTeam(school(), { name: `别班${count}` });
      await mustApply(await mustMake([rule(team.id)]));
      const first = await mustMake([rule(other.id, { weekday: 3 })]);
      await mustApply(first);
      const before = await fingerprints(db());
      const second = await mustMake([rule(team.id, { start: '14:00', end: '15:30' })], { from_day: '2026-12-07' });
      expect(await countsOf(second)).toEqual({ lesson: [2, 0, 0, 2, 0, 0, 0, 0] });
      await mustApply(second);
      expect(await daysOf(team.id)).toEqual([
        '2026-11-24 09:00',
        '2026-12-01 09:00',
        '2026-12-08 14:00',
        '2026-12-15 14:00',
      ]);
      expect(await daysOf(other.id)).toHaveLength(4);
      await undoAll(second);
      expect(await fingerprints(db())).toEqual(before);

      // Continues the first timetable. Its other class is no longer planned.
      const options = (await admin().get(`import/timetable?from=${first}`)).body.data;
      expect(options.plan.rules).toMatchObject([{ class_id: other.id, weekday: 3 }]);
      const third = await mustMake([rule(team.id)], { based_on: first });
      expect(await countsOf(third)).toEqual({ lesson: [0, 0, 0, 4, 0, 0, 0, 4] });
    });

    it("assigns the course's periods in order, except those of remaining lessons", async () => {
      count += 1;
      const team = await addTeam(school(), { name: `顺序${count}` });
      const { course_id } = rule(team.id);
      const added = ['甲', '乙', '丙'].map((title, at) => ({
        course_id,
        title: `${title}${count}`,
        start_play: noon,
        total_time: 2700,
        sort: 100 + at,
        lecturer_id: null,
      }));
      await db().insertInto('period').values(added).execute();
      const periods = await db()
        .selectFrom('period')
        .select(['id', 'title'])
        .where('course_id', '=', course_id)
        .orderBy('sort')
        .orderBy('id')
        .execute();
      const [first, ...rest] = periods;
      const lesson = await addLesson(school(), { team, start: noon - day });
      await db()
        .updateTable('class_session')
        .set({ period_id: first?.id ?? 0 })
        .where('id', '=', lesson)
        .execute();
      const before = await fingerprints(db());
      const id = await mustMake([rule(team.id)]);
      await mustApply(id);
      const taught = await db()
        .selectFrom('class_session')
        .select(['period_id', 'chapter_title'])
        .where('class_id', '=', team.id)
        .where('start_time', '>', noon)
        .orderBy('start_time')
        .execute();
      expect(taught).toHaveLength(4);
      const wanted = taught.map((_, at) => ({ period_id: rest[at]?.id ?? null, chapter_title: rest[at]?.title ?? '' }));
      expect(taught).toEqual(wanted);
      const again = await mustMake([rule(team.id)]);
      expect(await countsOf(again)).toEqual({ lesson: [0, 0, 0, 0, 0, 0, 0, 4] });
      await undoAll(id);
      expect(await fingerprints(db())).toEqual(before);
    });

    it('offers terms for the first day and the weeks', async () => {
      const term = { name: `学期${count}`, type: 'term', first_day: '2026-09-02', last_day: '2027-01-20' } as const;
      const { id } = await db()
        .insertInto('term')
        .values({ ...term, parent_id: null, put_away_at: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      const { terms } = (await admin().get('import/timetable')).body.data;
      expect(terms).toContainEqual({ id, name: term.name, first_day: '2026-09-02', weeks: 21 });
      await db().deleteFrom('term').where('id', '=', id).execute();
    });

    it('of a course creates periods that can be renamed', async () => {
      count += 1;
      const course = await db()
        .insertInto('course')
        .values({ title: `课表课程${count}`, school_id: await schoolId(), course_type: 1, created_at: noon })
        .returning('id')
        .executeTakeFirstOrThrow();
      const of = (more: object = {}) => rule(0, { class_id: undefined, course_id: course.id, ...more });
      await mustApply(await mustMake([of()], { weeks: 2 }));
      const periods = () =>
        db()
          .selectFrom('period')
          .select(['id', 'title', 'total_time', 'sort', 'start_play'])
          .where('course_id', '=', course.id)
          .orderBy('sort')
          .execute();
      expect(await periods()).toMatchObject([
        { title: '第1周 周二', total_time: 5400, sort: 1 },
        { title: '第2周 周二', total_time: 5400, sort: 2 },
      ]);
      const named = { title: '集合' };
      await db()
        .updateTable('period')
        .set(named)
        .where('id', '=', (await periods())[0]?.id ?? 0)
        .execute();
      const longer = await mustMake([of({ end: '11:00' })], { weeks: 2 });
      expect(await countsOf(longer)).toEqual({ period: [0, 2, 0, 0, 0, 0, 0, 0] });
      await mustApply(longer);
      expect(await periods()).toMatchObject([
        { title: '集合', total_time: 7200 },
        { title: '第2周 周二', total_time: 7200 },
      ]);
    });

    it('is refused with errors by field', async () => {
      count += 1;
      const team = await addTeam(school(), { name: `错${count}` });
      const errorsOf = async (rules: object[], more: object = {}) => (await make(rules, more)).body.errors;
      expect(await errorsOf([], { name: '', first_day: '', weeks: 31, skip: '明天' })).toEqual({
        name: ['请填写课表名称'],
        first_day: ['请填写第一周的日期'],
        weeks: ['周数为1到30'],
        skip: ['不上课的日期请写成 2026-05-01，多个日期用逗号或换行分开'],
        rules: ['请至少填写一条规则'],
      });
      expect(
        await errorsOf([
          rule(team.id, { weekday: 9, end: '08:00', lecturer_id: undefined, first_week: 3, last_week: 2 }),
        ]),
      ).toEqual({
        'rules.0.weekday': ['请选择星期'],
        'rules.0.end': ['结束时间须晚于开始时间，每节课5到720分钟'],
        'rules.0.lecturer_id': ['请选择讲师'],
        'rules.0.last_week': ['结束周不能早于开始周'],
      });
      expect(
        await errorsOf([rule(team.id), rule(999_999), rule(team.id, { lecturer_id: 999_999, room_id: 999_999 })]),
      ).toEqual({
        'rules.1.course_id': ['课程不存在'],
        'rules.2.lecturer_id': ['请选择讲师'],
        'rules.2.room_id': ['请选择本校的教室'],
      });
      expect(await errorsOf([rule(team.id), rule(team.id)])).toEqual({ 'rules.1.start': ['与第1条规则的时间相同'] });
      expect(await errorsOf([rule(team.id)], { school_id: 999_999 })).toEqual({ school_id: ['请选择学校'] });
      expect(await errorsOf([rule(team.id)], { first_day: '2026-01-05', from_day: '2026-11-23' })).toEqual({
        first_day: ['按这些规则和日期没有可排的课'],
      });
      const bound = await addBoundAdmin(school(), { can_people: 1, can_teaching: 1 });
      const elsewhere = await bound.ask('POST', 'import/timetable', {
        school_id: await schoolId(),
        name: '别校',
        first_day: monday,
        weeks: 1,
        rules: [rule(team.id)],
      });
      expect(elsewhere.body.errors).toEqual({ school_id: ['请选择学校'] });
      expect((await admin().get('import/999999/week')).status).toBe(404);
      expect((await admin().get('import/timetable?from=999999')).status).toBe(404);
    });
  });

  describe('rollover to the next year', () => {
    const classOf = (id: number) =>
      db()
        .selectFrom('class')
        .select(['name', 'grade_id', 'valid_type'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    const inClass = async (id: number) =>
      (
        await db()
          .selectFrom('class_student')
          .innerJoin('student', 'student.id', 'class_student.student_id')
          .select('student.nickname')
          .where('class_id', '=', id)
          .where('left_at', 'is', null)
          .orderBy('student.id')
          .execute()
      ).map(({ nickname }) => nickname);

    it('promotes, holds back and graduates students, copies courses, and is undone', async () => {
      const name = source();
      const upload = [
        ...smallUpload({ tag: count, classes: 2, students: 3 }),
        record('grade', 'G3', { name: `高三${count}` }),
        record('grade', 'G2', { name: `高二${count}` }),
        record('period', 'Q1', {
          course_id: ref('course', 'C1'),
          title: '第一讲',
          chapter_title: '第一章',
          start_play: momentOf('2026-09-01', '19:00', zone),
          minutes: 90,
          lecturer_id: ref('staff', 'T1'),
        }),
        record('period', 'Q2', {
          course_id: ref('course', 'C1'),
          title: '第二讲',
          start_play: momentOf('2026-09-08', '19:00', zone),
          minutes: 90,
        }),
      ];
      await mustApply(await send(name, upload));
      const idOf = async (kind: string, sourced: string) =>
        Number(
          (
            await db()
              .selectFrom('external_id')
              .select('record')
              .where('kind', '=', kind)
              .where('sourced_id', '=', sourced)
              .orderBy('id', 'desc')
              .executeTakeFirstOrThrow()
          ).record,
        );
      const [schoolId, b1, b2, course, grade, student] = [
        await idOf('school', 'S1'),
        await idOf('class', 'B1'),
        await idOf('class', 'B2'),
        await idOf('course', 'C1'),
        await idOf('grade', 'G2'),
        await idOf('student', 'P2001'),
      ];
      const options = (await admin().get(`import/roll-over?school_id=${schoolId}`)).body.data;
      expect(options.classes).toMatchObject([
        { id: b1, name: '导入1班', grade_name: '导入年级', students: 3 },
        { id: b2, students: 3 },
      ]);
      expect(options.courses).toMatchObject([
        {
          id: course,
          periods: 2,
          first_day: '2026-09-01',
          last_day: '2026-09-08',
          next_title: '导入数学（2026-2027学年下学期）',
          is_usual: 0,
        },
      ]);
      await db().updateTable('course').set({ cover_img: '/files/cover.png' }).where('id', '=', course).execute();
      const term = await db()
        .insertInto('term')
        .values({ name: `新学年${count}`, type: 'term', first_day: '2027-03-01', parent_id: null, put_away_at: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      const before = await fingerprints(db());
      const asked = {
        school_id: schoolId,
        classes: [
          { class_id: b1, fate: 'promote', name: '高二1班', grade_id: grade },
          { class_id: b2, fate: 'graduate', kept: '2001', kept_class_id: b1 },
        ],
        disable: 1,
        courses: [{ course_id: course, title: '高二数学' }],
        term_id: term.id,
        follow: 1,
      };
      const answer = await admin().post('import/roll-over', asked);
      expect(outcomeOf(answer)).toEqual([200, '已检查']);
      const { id } = answer.body.data;
      expect(await fingerprints(db())).toEqual(before);
      expect((await admin().get(`import/${id}/remarks`)).body.data.list).toMatchObject([
        { tone: 'doubted', row: 0, field: '节假日', message: '2027年还没有节假日，不会跳过任何放假的日子' },
      ]);
      // The names of graduates were chosen, so their number need not be typed.
      const source_name = `学期更替（${options.schools.find((one: { id: number }) => one.id === schoolId).name}）`;
      expect(await show(id)).toMatchObject({ state: 'checked', holds: [], refused: 0, source: source_name });
      expect(await countsOf(id)).toEqual({
        student: [0, 0, 0, 2, 0, 0, 0, 0],
        course: [1, 0, 0, 0, 0, 0, 0, 0],
        period: [2, 0, 0, 0, 0, 0, 0, 0],
        class: [0, 1, 0, 1, 0, 0, 0, 0],
        class_course: [1, 0, 0, 0, 0, 0, 0, 0],
        membership: [1, 0, 0, 1, 0, 0, 0, 0],
      });
      await mustApply(id);
      expect(await classOf(b1)).toMatchObject({ name: '高二1班', grade_id: grade });
      const taught = await db().selectFrom('class_term').select('class_id').where('term_id', '=', term.id).execute();
      expect(taught).toEqual([{ class_id: b1 }]);
      const copied = await db().selectFrom('course').select('cover_img').where('title', '=', '高二数学').execute();
      expect(copied).toEqual([{ cover_img: '/files/cover.png' }]);
      expect(await classOf(b2)).toMatchObject({ name: '导入2班', valid_type: 2 });
      expect(await inClass(b1)).toEqual(['导入学员1001', '导入学员1002', '导入学员1003', '导入学员2001']);
      expect(await inClass(b2)).toEqual([]);
      const copy = await db()
        .selectFrom('course')
        .innerJoin('class_course', 'class_course.course_id', 'course.id')
        .innerJoin('period', 'period.course_id', 'course.id')
        .select(['class_course.class_id', 'period.title', 'period.start_play'])
        .where('course.title', '=', '高二数学')
        .orderBy('period.sort')
        .execute();
      expect(copy).toEqual([
        { class_id: b1, title: '第一讲', start_play: momentOf('2027-03-02', '19:00', zone) },
        { class_id: b1, title: '第二讲', start_play: momentOf('2027-03-09', '19:00', zone) },
      ]);
      expect((await admin().get(`students/${student}`)).body.data.is_disabled).toBe(0);
      await undoAll(id);
      expect(await fingerprints(db())).toEqual(before);

      const errorsOf = async (more: object) =>
        (await admin().post('import/roll-over', { ...asked, ...more })).body.errors;
      expect(
        await errorsOf({
          classes: [
            { class_id: b1, fate: 'promote', name: '', grade_id: undefined },
            { class_id: b2, fate: 'stay', kept: '谁' },
          ],
        }),
      ).toEqual({
        'classes.0.name': ['请填写升级后的班级名称'],
        'classes.0.grade_id': ['请选择升级后的年级'],
        'classes.1.kept_class_id': ['请选择留级到哪个班级'],
      });
      expect(
        await errorsOf({
          classes: [
            { class_id: b1, fate: 'graduate' },
            { class_id: b2, fate: 'stay', kept: '谁', kept_class_id: b1 },
          ],
          courses: [{ course_id: course, title: '导入数学' }],
        }),
      ).toEqual({
        'classes.1.kept_class_id': ['留级到的班级不能是毕业的班级'],
        'classes.1.kept': ['“谁”不在该班级'],
        'courses.0.title': ['新课程的名称与其他课程相同'],
      });
      expect(await errorsOf({ classes: [], courses: [] })).toEqual({
        form: ['没有要升级、毕业、留级的班级，没有要进入的学期，也没有要复制的课程'],
      });

      const lecturer = await idOf('staff', 'T1');
      await db().updateTable('staff').set({ disabled_at: noon }).where('id', '=', lecturer).execute();
      const later = (await admin().post('import/roll-over', { ...asked, classes: [] })).body.data.id;
      expect((await admin().get(`import/${later}/remarks?tone=doubted`)).body.data.list).toMatchObject([
        { field: '讲师', message: '“高二数学”有1个课时原由导入老师1讲授，该讲师已停用，新课时没有讲师' },
        { field: '节假日' },
      ]);
      const known = await db()
        .selectFrom('external_id')
        .select('record')
        .where('kind', '=', 'staff')
        .where('import_id', '=', later)
        .execute();
      expect(known).toEqual([]);
    });

    it('promotes all grades and graduates the last as suggested, and changes nothing when it is run twice', async () => {
      const made = async (name: string) =>
        (await db().insertInto('grade').values({ name }).returning('id').executeTakeFirstOrThrow()).id;
      const [first, second, third] = [await made('高一'), await made('高二'), await made('高三')];
      const { id: school_id } = await db()
        .insertInto('school')
        .values({ org_name: '更替中学' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const addClass = async (name: string, grade_id: number) => {
        const values = { name, grade_id, school_id, class_type: 0, valid_type: 1, created_at: noon } as const;
        return (await db().insertInto('class').values(values).returning('id').executeTakeFirstOrThrow()).id;
      };
      const [one, two, three, plain] = [
        await addClass('高一（1）班', first),
        await addClass('高二（1）班', second),
        await addClass('高三（1）班', third),
        await addClass('2025级创新班', first),
      ];
      const course = (
        await db()
          .insertInto('course')
          .values({ title: '高一数学', school_id, grade_id: first, course_type: 1, created_at: noon })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
      await db()
        .insertInto('period')
        .values({
          course_id: course,
          chapter_id: null,
          title: '第一讲',
          lecturer_id: null,
          start_play: momentOf('2026-09-01', '19:00', zone),
          total_time: 3600,
          periods_type: 1,
        })
        .execute();
      await db().updateTable('term').set({ put_away_at: noon }).execute();
      const term = await db()
        .insertInto('term')
        .values({ name: '2027学年上学期', type: 'term', first_day: '2027-09-01', parent_id: null, put_away_at: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      const optionsNow = async () => (await admin().get(`import/roll-over?school_id=${school_id}`)).body.data;
      const options = await optionsNow();
      expect(options).toMatchObject({ term_id: term.id, follow: 0, earlier: null });
      expect(options.grade_plans).toEqual([
        { grade_id: first, name: '高一', classes: 2, students: 0, fate: 'promote', next_grade_id: second },
        { grade_id: second, name: '高二', classes: 1, students: 0, fate: 'promote', next_grade_id: third },
        { grade_id: third, name: '高三', classes: 1, students: 0, fate: 'graduate', next_grade_id: 0 },
      ]);
      expect(options.courses).toMatchObject([{ next_title: '高一数学（2027-2028学年）', is_usual: 1 }]);
      type GradePlan = { grade_id: number; fate: string; next_grade_id: number };
      const asked = {
        school_id,
        grades: options.grade_plans.map(({ grade_id, fate, next_grade_id }: GradePlan) => ({
          grade_id,
          fate,
          next_grade_id: next_grade_id || undefined,
        })),
        classes: [{ class_id: plain, fate: 'stay' }],
        disable: 1,
        courses: [{ course_id: course, title: '高二数学' }],
        term_id: term.id,
      };
      const start = async (more: object = {}) => admin().post('import/roll-over', { ...asked, ...more });
      const id = (await start()).body.data.id;
      const pending = (await start()).body.data.id;
      expect(await show(id)).toMatchObject({ state: 'checked', holds: [] });
      await mustApply(id);
      expect(await classOf(one)).toMatchObject({ name: '高二（1）班', grade_id: second });
      expect(await classOf(two)).toMatchObject({ name: '高三（1）班', grade_id: third });
      expect(await classOf(three)).toMatchObject({ name: '高三（1）班', valid_type: 2 });
      expect(await classOf(plain)).toMatchObject({ name: '2025级创新班', grade_id: first });
      const copies = db().selectFrom('course').select(['title', 'grade_id']).where('school_id', '=', school_id);
      const copied = [
        { title: '高一数学', grade_id: first },
        { title: '高二数学', grade_id: second },
      ];
      expect(await copies.orderBy('id').execute()).toEqual(copied);

      // The same form again, checked before and after the first one was applied.
      expect((await admin().post(`import/${pending}/apply`, {})).status).toBe(409);
      const after = await optionsNow();
      expect(after.earlier).toEqual({ import_id: id, day: dayOf(noon, zone), classes: 2 });
      expect(after.grade_plans.map(({ fate }: { fate: string }) => fate)).toEqual(['promote', 'stay', 'stay']);
      const state = await fingerprints(db());
      const again = await start();
      expect(outcomeOf(again)).toEqual([200, '已检查']);
      const promotedBefore = `“高二（1）班”、“高三（1）班”在${dayOf(noon, zone)}的学期更替中已经升级，这次不再升级或毕业`;
      expect((await admin().get(`import/${again.body.data.id}/remarks?tone=doubted`)).body.data.list).toMatchObject([
        { field: '班级', message: promotedBefore },
        { field: '节假日' },
      ]);
      await mustApply(again.body.data.id);
      expect(await fingerprints(db())).toEqual(state);
      const nothing = await start({ courses: [], term_id: undefined });
      expect(nothing.body.errors).toEqual({ form: [promotedBefore] });

      // After the undo, the classes can be promoted again.
      await undoAll(again.body.data.id);
      await undoAll(id);
      expect((await optionsNow()).earlier).toBeNull();
      expect((await start({ grades: [{ fate: 'promote', next_grade_id: first }] })).body.errors).toEqual({
        'grades.0.fate': ['没有年级的班级不能一起升级，请逐班选择'],
      });
      const wrong = [
        { grade_id: first, fate: 'promote' },
        { grade_id: second, fate: 'promote', next_grade_id: second },
      ];
      expect((await start({ grades: wrong })).body.errors).toEqual({
        'grades.0.next_grade_id': ['请选择升级后的年级'],
        'grades.1.next_grade_id': ['升级后的年级与现在相同'],
      });
    });
  });
});

/**
 * Access rules by subject: each list names exactly the visible records, and calls about a record answer 404 to
 * everybody else.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { unreferencedFiles } from '#server/courseware/visible.ts';
import { addGroup, addMeeting, addPeriod } from '../support/calendar-school.ts';
import { addExam, type NewExam, submitExamReport } from '../support/exams.ts';
import { record } from '../support/lessons.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon, type TestSchool } from '../support/school.ts';
import { addLesson, addTeam, type TestTeam } from '../support/team-lessons.ts';

type Who = Exclude<keyof TestSchool['people'], 'admin'>;
const everybody: Who[] = ['teacher', 'otherTeacher', 'plainTeacher', 'assist', 'otherAssist'];

onBothEngines('access rules', (school) => {
  const db = () => school().database.db;

  const addCourse = async (title: string) => {
    const { school_id } = await db().selectFrom('course').select('school_id').limit(1).executeTakeFirstOrThrow();
    const { id } = await db()
      .insertInto('course')
      .values({ title, parent_id: null, school_id, classify_id: null, grade_id: null, subject_id: null, created_at: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const addClass = async (
    name: string,
    {
      course,
      type = 0,
      who,
      duty = 'assistant',
    }: { course: number; type?: 0 | 3; who?: Who; duty?: 'head' | 'assistant' },
  ) => {
    const { school_id } = await db().selectFrom('course').select('school_id').limit(1).executeTakeFirstOrThrow();
    const { id } = await db()
      .insertInto('class')
      .values({
        name,
        school_id,
        grade_id: null,
        classify_id: null,
        large_class_id: null,
        class_type: type,
        created_at: noon,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db().insertInto('class_course').values({ class_id: id, course_id: course }).execute();
    const staff_id = who && school().people[who].id;
    if (staff_id) await db().insertInto('class_staff').values({ class_id: id, staff_id, duty }).execute();
    return id;
  };
  /** Sorted names in a list. */
  const listNames = async (who: Who, path: string, body?: object): Promise<string[]> => {
    const client = school().as(who);
    const answer = body ? await client.post(path, body) : await client.get(path);
    expect(answer.status, `${who} ${path}: ${answer.body.msg}`).toBe(200);
    const list: { name: string }[] = answer.body.data.list ?? answer.body.data;
    return list.map(({ name }) => name).sort();
  };
  /** Expects that the records of `ids` named in `seen` can be read, and that the others answer 404. */
  const expectSeen = async (
    who: Who,
    ids: Record<string, number>,
    seen: string[],
    callsOf: (id: number) => string[],
  ) => {
    for (const [name, id] of Object.entries(ids))
      for (const path of callsOf(id)) {
        const { status } = await school().as(who).get(path);
        expect(status, `${who} ${name}: ${path}`).toBe(seen.includes(name) ? 200 : 404);
      }
  };

  const addFile = async (name: string, uploaded_by: number | null = null) => {
    const { id } = await db()
      .insertInto('ware_file')
      .values({
        storage_key: `2026/11/${name}.pdf`,
        name: `${name}.pdf`,
        extension: 'pdf',
        size: 9,
        uploaded_by,
        uploaded_at: noon,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const addWare = async (table: 'courseware' | 'class_ware' | 'lesson_ware', file_id: number, values: object) => {
    const dated = table === 'lesson_ware' ? {} : { updated_at: noon };
    const by = table === 'courseware' ? {} : { added_by: school().people.plainTeacher.id };
    const row = { file_id, ware_type: 1, created_at: noon, ...dated, ...by, ...values };
    const { id } = await db()
      .insertInto(table)
      .values(row as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };

  describe('homework', () => {
    const ids: Record<string, number> = {};
    const reports: Record<string, number> = {};
    /** Default lists: homework published by the person, of their periods and lessons, or of their classes. */
    const own: Record<Who, string[]> = {
      teacher: ['我发布的', '我的课次的', '我的课时的'],
      otherTeacher: ['同课程的', '他的课次的', '他的课程的', '我的课时的'],
      plainTeacher: ['第三人课次的'],
      assist: ['只到一班的', '我发布的', '我的课次的'],
      otherAssist: ['他的课程的', '同课程的', '我的课时的', '只到三班的'],
    };
    /** Including other homework of the lecturer's courses. */
    const seen: Record<Who, string[]> = {
      ...own,
      teacher: [...own.teacher, '同课程的'],
    };

    beforeAll(async () => {
      const { addHomework, submit, classes, courses, periods, students } = school();
      const { k1, k2, k3, k4 } = classes;
      const untaught = await addCourse('无人任教的课程');
      // Only the class_session row connects these to a lecturer.
      const ofLesson = async (lecturer: Who, name: string, homeworkClasses: number[]) => {
        const lesson = await addLesson(school(), { team: await addTeam(school(), { assistant: null }), lecturer });
        const id = await addHomework({ name, creator: 'otherAssist', course: untaught, classes: homeworkClasses });
        await db().updateTable('homework').set({ arrange_id: lesson }).where('id', '=', id).execute();
        return id;
      };
      ids.我发布的 = await addHomework({ name: '我发布的', creator: 'teacher', course: untaught, classes: [k1] });
      ids.我的课次的 = await ofLesson('teacher', '我的课次的', [k2]);
      ids.他的课次的 = await ofLesson('otherTeacher', '他的课次的', [k4]);
      ids.第三人课次的 = await ofLesson('plainTeacher', '第三人课次的', [k4]);
      ids.我的课时的 = await addHomework({
        name: '我的课时的',
        creator: 'otherTeacher',
        period: periods.mine,
        classes: [k3],
      });
      ids.同课程的 = await addHomework({
        name: '同课程的',
        creator: 'otherTeacher',
        period: periods.theirsInShared,
        classes: [k3],
      });
      ids.他的课程的 = await addHomework({
        name: '他的课程的',
        creator: 'otherTeacher',
        course: courses.theirs,
        classes: [k3],
      });
      ids.只到一班的 = await addHomework({
        name: '只到一班的',
        creator: 'otherAssist',
        course: untaught,
        classes: [k1, k3],
        published: [k1],
      });
      ids.只到三班的 = await addHomework({
        name: '只到三班的',
        creator: 'otherAssist',
        course: untaught,
        classes: [k1, k3],
        published: [k3],
      });
      ids.没人的 = await addHomework({ name: '没人的', creator: 'otherAssist', course: untaught, classes: [k4] });
      // A head teacher sees the class's homework like its lecturers; an assistant who is head teacher is no assistant
      // of it.
      await db()
        .insertInto('class_staff')
        .values([
          { class_id: k4, staff_id: school().people.plainTeacher.id, duty: 'head' },
          { class_id: k4, staff_id: school().people.assist.id, duty: 'head' },
        ])
        .execute();
      for (const [name, id] of Object.entries(ids)) {
        const rows = await db().selectFrom('report').selectAll().where('homework_id', '=', id).orderBy('id').execute();
        const [first] = rows.filter(({ student_id }) => student_id !== students.k1[0]);
        reports[name] = await submit(id, first?.student_id as number);
      }
    });

    it.each(everybody)('lists own homework for %s', async (who) => {
      expect(await listNames(who, 'hw/index?limit=50')).toEqual(own[who].toSorted());
      expect(await listNames(who, 'hw/index?limit=50&show_other=1')).toEqual(seen[who].toSorted());
    });

    it.each(everybody.filter((who) => who !== 'plainTeacher'))('lists homework waiting for %s', async (who) => {
      expect(await listNames(who, 'hw/correct', { limit: 50 })).toEqual(own[who].toSorted());
      const { body } = await school().as(who).get('hw/correct/quantity');
      expect(body.data.quantity).toBe(own[who].length);
      expect(await listNames(who, 'hw/history?limit=50')).toEqual(seen[who].toSorted());
    });

    it.each(everybody)('answers every call about homework for %s only where visible', async (who) => {
      await expectSeen(who, ids, seen[who], (id) => [
        `homework/${id}`,
        `homework/students/${id}`,
        `arrangeHomework/homework/${id}`,
        `hw/preview/${id}`,
        `arrangeHomework/homework/students/${id}`,
        `homework/question/analysis/${id}`,
        `homework/transcripts/${id}`,
        `homework/transcripts/detail/${id}`,
        `homework/grade/distribution/${id}`,
        `hw/publish/button/${id}`,
        `hw/class/published/${id}`,
      ]);
    });

    it('shows an assistant the reports of their own classes alone', async () => {
      const { addHomework, submit, classes, students } = school();
      const { k1, k3 } = classes;
      const both = await addHomework({ name: '两个班的', creator: 'otherAssist', classes: [k1, k3] });
      const ofClass: Record<string, number> = {
        一班: await submit(both, students.k1[1] as number),
        三班: await submit(both, students.k3[1] as number),
      };
      await expectSeen('assist', ofClass, ['一班'], (id) => [`student/report/${id}`, `student/homework/${id}`]);
      await expectSeen('otherAssist', ofClass, ['三班'], (id) => [`student/report/${id}`, `student/homework/${id}`]);
      for (const [who, seenIn] of [
        ['assist', '一班'],
        ['otherAssist', '三班'],
        ['teacher', '一班'],
      ] as const)
        for (const path of ['hw/review/list', 'hw/review/detail']) {
          const review = async (more: object) => (await school().as(who).post(path, more)).status;
          const report_id = ofClass[seenIn];
          const [here, elsewhere] = seenIn === '一班' ? [k1, k3] : [k3, k1];
          expect(await review({ report_id }), `${who} ${path}`).toBe(200);
          expect(await review({ report_id, class_id: here }), `${who} ${path}`).toBe(200);
          expect(await review({ report_id, class_id: elsewhere }), `${who} ${path}`).toBe(404);
          expect(await review({}), `${who} ${path}`).toBe(404);
          if (who === 'teacher') continue;
          const theirs = ofClass[seenIn === '一班' ? '三班' : '一班'];
          expect(await review({ report_id: theirs }), `${who} ${path}`).toBe(404);
        }
      await db().updateTable('homework').set({ status: 2 }).where('id', '=', both).execute();
    });

    it.each(everybody)('shows %s the reports of visible homework', async (who) => {
      await expectSeen(who, reports, seen[who], (id) => [`student/report/${id}`, `student/homework/${id}`]);
    });
  });

  /** Excludes the test school's own classes. */
  const ours = (names: string[], ids: Record<string, number>) => names.filter((name) => name in ids);

  describe('classes', () => {
    const ids: Record<string, number> = {};
    const meetings: Record<string, number> = {};
    const notices: Record<string, number> = {};
    const wares: Record<string, number> = {};
    /** A student per class with a leave request, in a face-to-face course without a lecturer. */
    const members: Record<string, { id: number; cell: Record<string, number>; leave: number }> = {};
    const seen: Record<Who, string[]> = {
      teacher: ['我任课的班', '我带的班'],
      otherTeacher: ['我任课的班', '他带的班'],
      plainTeacher: [],
      assist: ['我助教的班'],
      otherAssist: ['他助教的班'],
    };

    beforeAll(async () => {
      const { shared } = school().courses;
      const untaught = await addCourse('没有讲师的课程');
      const add = async (name: string, course: number, type: 0 | 3, who?: Who, duty?: 'head' | 'assistant') => {
        ids[name] = await addClass(name, { course, type, who, duty });
      };
      await add('我任课的班', shared, 0);
      await add('我带的班', untaught, 0, 'teacher', 'head');
      await add('他带的班', untaught, 0, 'otherTeacher', 'head');
      await add('我助教的班', untaught, 0, 'assist', 'assistant');
      await add('他助教的班', untaught, 0, 'otherAssist', 'assistant');
      await add('助教带的班', untaught, 0, 'assist', 'head');
      await add('我带的团课', shared, 3, 'teacher', 'head');
      await add('我助教的团课', shared, 3, 'assist', 'assistant');
      await add('没人的班', untaught, 0);
      for (const [name, class_id] of Object.entries(ids)) {
        meetings[name] = await addMeeting(school(), { classId: class_id, holder: 'plainTeacher' });
        const notice = await db()
          .insertInto('class_notice')
          .values({ class_id, title: name, content: '<p>放假</p>', staff_id: null, created_at: noon, updated_at: noon })
          .returning('id')
          .executeTakeFirstOrThrow();
        notices[name] = notice.id;
        wares[name] = await addWare('class_ware', await addFile(name), { class_id, ware_name: name });
      }
      const course = await addCourse('面授课程');
      await db().updateTable('course').set({ course_type: 7 }).where('id', '=', course).execute();
      const period = await addPeriod(school(), { title: '面授', course });
      for (const [name, class_id] of Object.entries(ids)) {
        await db().insertInto('class_course').values({ class_id, course_id: course }).execute();
        const uid = school().students.k4[0] as number;
        const member = await db()
          .insertInto('class_student')
          .values({ class_id, student_id: uid, joined_at: noon - day, left_at: null })
          .returning('id')
          .executeTakeFirstOrThrow();
        members[name] = {
          id: member.id,
          cell: { uid, class_id, course_id: course, course_periods_id: period },
          leave: await record(school(), { classId: class_id, studentId: uid, periodId: period }, 1),
        };
      }
    });

    it.each(everybody)('lists for %s the classes they teach, lead or assist', async (who) => {
      expect(ours(await listNames(who, 'stateschoolclass?limit=100'), ids)).toEqual(seen[who].toSorted());
      // An assistant does not see a class just for being its head teacher.
      const led = { teacher: ['我带的班'], otherTeacher: ['他带的班'], plainTeacher: [], assist: [], otherAssist: [] };
      expect(ours(await listNames(who, 'stateschoolclass?limit=100&only_mine=1'), ids)).toEqual(led[who]);
      const lists = (await school().as(who).get('announcement?limit=100')).body.data.list as { title: string }[];
      expect(lists.map(({ title }) => title).sort()).toEqual(seen[who].toSorted());
    });

    it.each(everybody)('answers for %s only where visible, in every tab', async (who) => {
      await expectSeen(who, ids, seen[who], (id) => [
        `stateschoolclass/${id}`,
        `stateschoolstudent?class_id=${id}`,
        `stateschoolcourse?class_id=${id}`,
        `class/homework/${id}`,
        `stateschoolclass/studyanalysis/${id}`,
        `leave/getLeaveList/${id}`,
        `leave/pending/${id}`,
        `leave/undoable/${id}`,
        `stateschoolclass/classCalendar/${id}`,
        `stateschoolclass/monthCourse/${id}`,
        `class/meeting/lists/${id}`,
        `announcement?class_id=${id}`,
        `stateschoolcourseware?class_id=${id}`,
        `community/post/class/${id}`,
      ]);
    });

    it("distinguishes a class's own head teacher", async () => {
      const { 我带的班: led, 我任课的班: taught } = ids;
      const isLed = async (id?: number) =>
        (await school().as('teacher').get(`stateschoolclass/${id}`)).body.data.is_header_teacher;
      expect([await isLed(led), await isLed(taught)]).toEqual([1, 0]);
      const announce = (class_id?: number) =>
        school().as('teacher').post('announcement', { class_id, title: '通知', content: '<p>放假</p>' });
      const { status, body } = await announce(taught);
      expect([status, body.msg]).toEqual([403, '只有班主任可以发布公告']);
      expect((await announce(led)).status).toBe(200);
      await db().deleteFrom('class_notice').where('title', '=', '通知').execute();
    });

    it.each(everybody)('shows attendance to %s only where visible', async (who) => {
      for (const [name, { id, cell }] of Object.entries(members)) {
        const { class_id, course_id: course, course_periods_id: period } = cell;
        await expectSeen(who, { [name]: id }, seen[who], () => [
          `stateschoolstudent/${id}`,
          `stateschoolstudent/studycourses/${id}`,
          `stateschoolstudent/studyperiods/${id}?course_id=${course}`,
          `stateschoolcourse/${course}?class_id=${class_id}`,
          `stateschoolcourse/studyperiods/${course}/${class_id}`,
          `stateschoolcourse/studystudents/${course}/${class_id}?period_id=${period}`,
        ]);
      }
      const counted = await school().as(who).get(`stateschoolcourse/${members.没人的班?.cell.course_id}`);
      // The student is in all these classes, so a person who sees none of them gets a 404.
      if (seen[who].length === 0) expect(counted.status).toBe(404);
      else expect(counted.body.data.study_count).toBe(1);
    });

    it.each(everybody)('shows sheets to %s, and lets them decide leave, only where visible', async (who) => {
      const client = school().as(who);
      for (const [name, { id, cell, leave }] of Object.entries(members)) {
        const sees = seen[who].includes(name);
        const post = async (path: string, body: object) => (await client.post(path, body)).status;
        const { class_id, course_id } = cell;
        expect(await post('stateschoolstudent/exportStudy', { id }), `${who} ${name}`).toBe(sees ? 200 : 404);
        const sheet = await post('stateschoolcourse/exportStudy', { id: course_id, class: class_id });
        expect(sheet, `${who} ${name}`).toBe(sees ? 200 : 404);
        // The leave request is still undecided, so these steps are refused: 409 if the class is visible, else 404.
        expect(await post('leave', cell), `${who} ${name}`).toBe(sees ? 409 : 404);
        expect(await post('leave/cancel', cell), `${who} ${name}`).toBe(sees ? 409 : 404);
        expect(await post('attendance', { ...cell, op_status: 5 }), `${who} ${name}`).toBe(sees ? 409 : 404);
        const decided = await client.put(`leave/setOpStatus/${leave}`, { op_status: 3 });
        expect(decided.status, `${who} ${name}`).toBe(sees ? 200 : 404);
        if (!sees) continue;
        const { batch_id } = decided.body.data;
        for (const other of everybody.filter((one) => one !== who))
          expect((await school().as(other).post(`leave/undo/${batch_id}`)).status, `${other} ${name}`).toBe(404);
        expect((await client.post(`leave/undo/${batch_id}`)).status).toBe(200);
      }
    });

    it.each(everybody)('hides meetings, notices and courseware from %s where not visible', async (who) => {
      await expectSeen(who, meetings, seen[who], (id) => [`class/meeting/${id}`, `class/meeting/code/${id}`]);
      await expectSeen(who, notices, seen[who], (id) => [`announcement/${id}`]);
      await expectSeen(who, wares, seen[who], (id) => [`stateschoolcourseware/${id}`]);
    });
  });

  describe('courses to publish to', () => {
    const ids: Record<string, number> = {};
    const mine: Record<'teacher' | 'otherTeacher' | 'assist', string[]> = {
      teacher: ['我教的子课程', '我教的总课程'],
      otherTeacher: ['他教的子课程', '他教的总课程'],
      assist: ['我助教班级的课程'],
    };

    beforeAll(async () => {
      const add = async (name: string, parent?: string, lecturer?: Who) => {
        ids[name] = await addCourse(name);
        const parent_id = parent === undefined ? null : ids[parent];
        await db().updateTable('course').set({ parent_id }).where('id', '=', ids[name]).execute();
        if (lecturer) await addPeriod(school(), { title: `${name}的课时`, lecturer, course: ids[name], start: 0 });
      };
      await add('我教的总课程');
      await add('我教的子课程', '我教的总课程', 'teacher');
      await add('没人教的子课程', '我教的总课程');
      await add('没人教的另一子课程', '我教的总课程');
      await add('他教的总课程');
      await add('他教的子课程', '他教的总课程', 'otherTeacher');
      await add('我助教班级的课程');
      await addClass('另一个班', { course: ids.我助教班级的课程 as number, who: 'assist' });
    });

    it.each(['teacher', 'otherTeacher', 'assist'] as const)(
      'includes the courses of %s and their parents',
      async (who) => {
        const path = who === 'assist' ? 'hw/courses/choose' : 'teacher/myCourse';
        const { body } = await school().as(who).get(path);
        const courses = body.data as { title: string; children_count: number }[];
        expect(ours(courses.map(({ title }) => title).sort(), ids)).toEqual(mine[who].toSorted());
        await expectSeen(who, ids, mine[who], (id) => [`hw/choose/periods/${id}`]);
        // Counts the visible children of a parent.
        const parent = courses.find(({ title }) => title.endsWith('教的总课程'));
        expect(parent?.children_count).toBe(who === 'assist' ? undefined : 1);
      },
    );
  });

  describe('the calendar', () => {
    const date = '2027-06-08';
    const start = noon + 200 * day;
    const classes: Record<string, number> = {};
    const listTitled = async (who: Who, path: string) => {
      const { status, body } = await school().as(who).get(path);
      expect(status, `${who} ${path}`).toBe(200);
      const list = body.data as { period_title: string; meeting_name: string; class_list: { group_name: string }[] }[];
      return list.map((one) => ({ ...one, title: one.period_title || one.meeting_name }));
    };
    const seen: Record<Who, string[]> = {
      teacher: ['我上的', '我带的班的班会', '我主持的班会'],
      otherTeacher: ['他上的'],
      plainTeacher: ['我带的班的班会', '没人的班会'],
      assist: ['我上的', '我助教的班会'],
      otherAssist: ['他上的'],
    };

    beforeAll(async () => {
      const courses: Record<string, number> = {};
      const period = async (name: string, title: string, lecturer?: Who) => {
        courses[name] = await addCourse(name);
        await addPeriod(school(), { title, lecturer, course: courses[name], start });
      };
      await period('助教班级的课程', '我上的', 'teacher');
      await period('别人班级的课程', '他上的', 'otherTeacher');
      await period('团课的课程', '团课里的');
      await period('没人的课程', '没人的');
      const add = async (name: string, course: string, type: 0 | 3, who?: Who, duty?: 'head' | 'assistant') => {
        classes[name] = await addClass(name, { course: courses[course] as number, type, who, duty });
        return classes[name];
      };
      const assisted = await add('我助教的', '助教班级的课程', 0, 'assist');
      await add('他助教的', '别人班级的课程', 0, 'otherAssist');
      await add('我的团课', '团课的课程', 3, 'assist');
      const led = await add('我带的', '没人的课程', 0, 'teacher', 'head');
      const nobodys = await add('没人的', '没人的课程', 0);
      const meeting = async (classId: number, holder: Who, meeting_name: string) => {
        const id = await addMeeting(school(), { classId, holder, start });
        await db().updateTable('class_meeting').set({ meeting_name }).where('id', '=', id).execute();
      };
      await meeting(led, 'plainTeacher', '我带的班的班会');
      await meeting(nobodys, 'teacher', '我主持的班会');
      await meeting(nobodys, 'plainTeacher', '没人的班会');
      // Held by a person outside this test.
      const { id: stranger } = await db()
        .insertInto('staff')
        .values({
          identity: 'teacher',
          username: '班会主持人',
          password_hash: 'none',
          real_name: '主持人',
          school_id: 1,
          can_dispatch: 0,
          can_correct: 0,
          disabled_at: null,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await meeting(assisted, 'assist', '我助教的班会');
      await db().updateTable('class_meeting').set({ staff_id: stranger }).where('class_id', '=', assisted).execute();
      // Adds a class with two groups, each with an assistant.
      await db()
        .insertInto('class_staff')
        .values({ class_id: assisted, staff_id: school().people.otherAssist.id, duty: 'head' })
        .execute();
      const course = courses.助教班级的课程;
      await addGroup(school(), { name: '我的组', classId: assisted, course, assistants: ['assist'] });
      await addGroup(school(), { name: '另一位的组', classId: assisted, course, assistants: ['plainTeacher'] });
    });

    it.each(everybody)('of %s has their periods, lessons, meetings and classes', async (who) => {
      const path = who.toLowerCase().endsWith('teacher') ? 'teacher/courseCalendar' : 'courseCalendar';
      const titles = (await listTitled(who, `${path}?date=${date}`)).map(({ title }) => title).sort();
      const also = who === 'otherAssist' ? ['我助教的班会'] : [];
      expect(titles).toEqual([...seen[who], ...also].sort());
    });

    it('offers an assistant their own groups', async () => {
      const [lesson] = (await listTitled('assist', `courseCalendar?date=${date}`)).filter(
        ({ title }) => title === '我上的',
      );
      expect(lesson?.class_list.map(({ group_name }) => group_name)).toEqual(['我的组']);
    });

    it("of a class has its courses' lessons and its meetings alone", async () => {
      const titles = async (who: Who, name: string) =>
        (await listTitled(who, `stateschoolclass/classCalendar/${classes[name]}?date=${date}`)).map(
          ({ title }) => title,
        );
      expect((await titles('assist', '我助教的')).sort()).toEqual(['我上的', '我助教的班会']);
      expect(await titles('otherAssist', '他助教的')).toEqual(['他上的']);
      expect((await titles('teacher', '我带的')).sort()).toEqual(['我带的班的班会', '没人的']);
    });
  });

  describe('lessons, group classes and one-to-one lessons', () => {
    const lessons: Record<string, number> = {};
    const teams: Record<string, TestTeam> = {};
    const seen: Record<Who, string[]> = {
      teacher: ['我上我助教的', '我上没人助教的', '我上我助教的一对一', '我上他助教的一对一'],
      otherTeacher: ['他上我助教的', '他上他助教的', '他上我助教的一对一'],
      plainTeacher: [],
      assist: ['我上我助教的', '他上我助教的', '我上我助教的一对一', '他上我助教的一对一'],
      otherAssist: ['他上他助教的', '我上他助教的一对一'],
    };
    const isAlone = (name: string) => name.endsWith('一对一');
    const assists = ['assist', 'otherAssist'] as const;

    beforeAll(async () => {
      const add = async (name: string, lecturer: Who, assistant: Who | null) => {
        const classType = isAlone(name) ? 1 : 3;
        // The class's lecturer is not the lesson's.
        const team = await addTeam(school(), { name, assistant, lecturer: 'plainTeacher', size: 1, classType });
        teams[name] = team;
        lessons[name] = await addLesson(school(), { team, lecturer });
      };
      await add('我上我助教的', 'teacher', 'assist');
      await add('我上没人助教的', 'teacher', null);
      await add('他上我助教的', 'otherTeacher', 'assist');
      await add('他上他助教的', 'otherTeacher', 'otherAssist');
      await add('我上我助教的一对一', 'teacher', 'assist');
      await add('我上他助教的一对一', 'teacher', 'otherAssist');
      await add('他上我助教的一对一', 'otherTeacher', 'assist');
    });

    it.each(everybody)('lists for %s the lessons they teach or assist', async (who) => {
      const listLessons = async (filter = '') => {
        const { body } = await school().as(who).get(`schedule/list?limit=100${filter}`);
        return ours((body.data.list as { class_name: string }[]).map(({ class_name }) => class_name).sort(), lessons);
      };
      expect(await listLessons()).toEqual(seen[who].toSorted());
      expect(await listLessons('&class_type=1')).toEqual(seen[who].filter(isAlone).sort());
    });

    it.each(everybody)('answers for %s only about own lessons', async (who) => {
      const isLecturer = who.toLowerCase().endsWith('teacher');
      const lesson = isLecturer ? 'teacherSchedule' : 'teamClass/classTime';
      const students = isLecturer ? lesson : `${lesson}/student`;
      await expectSeen(who, lessons, seen[who], (id) => [
        `schedule/detail/${id}`,
        `schedule/communication/${id}`,
        `courseWare/lesson?times_id=${id}&times_type=4`,
        `${lesson}/detailClassTime/${id}`,
        `${students}/getClassTimeStudent/${id}`,
        `arrangeHomework/getHomeWorkRecord?type_id=${id}`,
      ]);
    });

    it.each(assists)('lists the group classes of %s that they assist', async (who) => {
      const list = (await school().as(who).get('teamClass?limit=100')).body.data.list as { class_name: string }[];
      const names = list.map(({ class_name }) => class_name).sort();
      const groups = seen[who].filter((name) => !isAlone(name));
      expect(ours(names, lessons)).toEqual(groups.sort());
      const ids = Object.fromEntries(Object.entries(teams).map(([name, { id }]) => [name, id]));
      await expectSeen(who, ids, groups, (id) => [
        `teamClass/${id}`,
        `teamClass/classTime/list/${id}`,
        `teamClass/student/getTeamClassStudentList/${id}`,
        `arrangeHomework/getClassHomeWorkRecord?class_id=${id}`,
        `teamClass/classTime/student/classAttendance/${id}`,
      ]);
    });

    it.each(assists)('takes attendance from %s only where they assist', async (who) => {
      for (const [name, { id: class_id, students }] of Object.entries(teams)) {
        const cell = { class_id, times_id: lessons[name], clue_id: students[0] };
        const set = (type: number) => {
          const search = new URLSearchParams(Object.entries({ ...cell, type }).map(([key, of]) => [key, String(of)]));
          return school().as(who).get(`teamClass/classTime/student/setAttendance?${search}`);
        };
        // Requests future leave, and withdraws it.
        const expected = seen[who].includes(name) ? 200 : 404;
        expect([(await set(1)).status, (await set(2)).status], `${who} ${name}`).toEqual([expected, expected]);
      }
    });
  });

  describe('the analysis of a class', () => {
    let homework: number;
    const names: Record<string, string[]> = {};
    /** Classes viewed; the homework was not published to the last two. */
    const seen: Record<Who, string[]> = {
      teacher: ['一班', '三班'],
      otherTeacher: [],
      plainTeacher: [],
      assist: ['一班'],
      otherAssist: ['三班'],
    };

    beforeAll(async () => {
      const { addHomework, submit, classes, students } = school();
      const { k1, k2, k3, k4 } = classes;
      homework = await addHomework({
        name: '两个班的作业',
        creator: 'teacher',
        course: await addCourse('不分析的课程'),
        classes: [k1, k2, k3, k4],
        published: [k1, k3],
      });
      for (const [name, classId] of Object.entries({ 一班: k1, 三班: k3 })) {
        const rows = await db()
          .selectFrom('report')
          .innerJoin('student', 'student.id', 'report.student_id')
          .select(['student.id', 'student.nickname'])
          .where('report.homework_id', '=', homework)
          .where('report.class_id', '=', classId)
          .execute();
        names[name] = rows.map(({ nickname }) => nickname);
        for (const { id } of rows.filter(({ id }) => id !== students.k1[0])) await submit(homework, id, false);
      }
    });

    it.each(everybody)('is shown to %s where homework and class are visible', async (who) => {
      const { k1, k2, k3, k4 } = school().classes;
      await expectSeen(who, { 一班: k1, 二班: k2, 三班: k3, 四班: k4 }, seen[who], (id) => [
        `class/homework/students/${id}/${homework}`,
        `class/homework/detail/${id}/${homework}`,
        `homework/question/analysis/${homework}/${id}`,
        `homework/transcripts/${homework}/${id}`,
        `homework/transcripts/detail/${homework}/${id}`,
        `homework/export/transcripts/${homework}/${id}`,
        `homework/grade/distribution/${homework}/${id}`,
        `homework/grade/distribution/students/${homework}/${id}`,
        `homework/answer/detail/${homework}/${id}`,
        `class/homework/answer/detail/${homework}/${id}`,
        ...(who === 'assist' || who === 'otherAssist'
          ? ['homework/class/questionTypeStatistics', 'homework/class/questionStatistics']
          : [`homework/questionsTypeStatistics/${homework}`, `homework/questionsStatistics/${homework}`]
        ).map((path) => `${path}?hw_id=${homework}&class_id=${id}`),
      ]);
    });

    it.each(everybody.filter((who) => who !== 'otherTeacher'))('names absentees to %s', async (who) => {
      const { k1, k3 } = school().classes;
      await expectSeen(who, { 一班: k1, 三班: k3 }, seen[who], (id) => [`class/homework/absent/${id}`]);
    });

    it.each(everybody)('counts students of visible classes for %s', async (who) => {
      const nicknames = async (path: string) => {
        const { status, body } = await school().as(who).get(path);
        if (status === 404) return [];
        return (body.data.list as { nickname: string }[]).map(({ nickname }) => nickname).sort();
      };
      const all = seen[who].flatMap((name) => names[name] as string[]).sort();
      expect(await nicknames(`homework/students/${homework}?limit=100`)).toEqual(all);
      expect(await nicknames(`homework/transcripts/${homework}?limit=100`)).toEqual(all);
      const { status, body } = await school().as(who).get(`homework/transcripts/detail/${homework}`);
      const submitted = all.filter((name) => name !== '学生一班1').length;
      expect(status === 404 ? 0 : body.data.submitted).toBe(submitted);
    });
  });

  describe('the community', () => {
    const groups: Record<string, number> = {};
    const posts: Record<string, number> = {};
    const seen: Record<Who, string[]> = {
      teacher: ['我带的圈', '我任课的圈', '我们的小组'],
      otherTeacher: ['我任课的圈', '他们的小组'],
      plainTeacher: [],
      assist: ['我助教的圈', '我们的小组'],
      otherAssist: ['他助教的圈', '他们的小组'],
    };

    beforeAll(async () => {
      const { people, courses } = school();
      const { school_id } = await db().selectFrom('staff').select('school_id').limit(1).executeTakeFirstOrThrow();
      const untaught = await addCourse('圈子的课程');
      const add = async (name: string, class_id: number | null, members: Who[] = []) => {
        const group = await db()
          .insertInto('community_group')
          .values({
            group_type: class_id === null ? 2 : 1,
            class_id,
            school_id,
            name,
            created_at: noon,
            user_num: members.length,
            post_num: 1,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        groups[name] = group.id;
        for (const who of members)
          await db()
            .insertInto('community_member')
            .values({
              group_id: group.id,
              user_type: who.toLowerCase().endsWith('teacher') ? 2 : 3,
              staff_id: people[who].id,
              student_id: null,
              joined_at: noon,
            })
            .execute();
        const write = (content: string, deleted: number | null) =>
          db()
            .insertInto('community_post')
            .values({
              group_id: group.id,
              user_type: 4,
              staff_id: null,
              student_id: null,
              content,
              created_at: noon,
              deleted_at: deleted,
              deleted_by: deleted && people.teacher.id,
            })
            .returning('id')
            .executeTakeFirstOrThrow();
        posts[name] = (await write(name, null)).id;
        posts[`${name}，已删除`] = (await write(name, noon)).id;
      };
      const circle = async (name: string, of: Parameters<typeof addClass>[1], hidden = false) => {
        const id = await addClass(name, of);
        if (hidden) await db().updateTable('class').set({ group_hidden: 2 }).where('id', '=', id).execute();
        await add(name, id);
      };
      await circle('我任课的圈', { course: courses.shared });
      await circle('我带的圈', { course: untaught, who: 'teacher', duty: 'head' });
      await circle('我助教的圈', { course: untaught, who: 'assist' });
      await circle('他助教的圈', { course: untaught, who: 'otherAssist' });
      await circle('我带的班隐藏的圈', { course: untaught, who: 'teacher', duty: 'head' }, true);
      await circle('我助教的团课的圈', { course: untaught, who: 'assist', type: 3 });
      await circle('没人的圈', { course: untaught });
      await add('我们的小组', null, ['teacher', 'assist']);
      await add('他们的小组', null, ['otherTeacher', 'otherAssist']);
      await add('没人的小组', null);
    });

    it.each(everybody)("shows %s their classes' circles and joined groups", async (who) => {
      expect(ours(await listNames(who, 'community/group/myGroup?limit=100'), groups)).toEqual(seen[who].toSorted());
      await expectSeen(who, groups, seen[who], (id) => [`community/group/${id}`, `community/group/post/${id}`]);
      await expectSeen(who, posts, seen[who], (id) => [`community/post/${id}`]);
      for (const name of seen[who]) {
        const { list } = (await school().as(who).get(`community/group/post/${groups[name]}`)).body.data;
        expect(list.map(({ id }: { id: number }) => id)).toEqual([posts[name]]);
      }
    });

    it.each(everybody)('lets %s write only where they read', async (who) => {
      const client = school().as(who);
      for (const [name, group_id] of Object.entries(groups)) {
        const expected = seen[who].includes(name) ? 200 : 404;
        const written = await client.post('community/post', { group_id, content: '你好' });
        expect(written.status, `${who} ${name}`).toBe(expected);
        for (const post_id of [posts[name], posts[`${name}，已删除`]] as number[]) {
          const status = post_id === posts[name] ? expected : 404;
          for (const { path, body } of [
            { path: 'community/comment', body: { post_id, content: '评论' } },
            { path: 'community/collect', body: { post_id } },
            { path: 'community/report', body: { post_id, type: 1 } },
          ])
            expect((await client.post(path, body)).status, `${who} ${name} ${path}`).toBe(status);
          expect((await client.put(`community/like/${post_id}`, {})).status, `${who} ${name}`).toBe(status);
        }
      }
    });

    it.each(everybody)('keeps bookmarks and posts of %s while visible', async (who) => {
      const contents = async (tab: number) => {
        const { list } = (await school().as(who).get(`community/post/mine?tab=${tab}&limit=100`)).body.data;
        return list.map(({ content }: { content: string }) => content).sort();
      };
      expect([await contents(1), await contents(2)]).toEqual([seen[who].toSorted(), seen[who].toSorted()]);
      const hide = (group_hidden: 1 | 2) =>
        db().updateTable('class').set({ group_hidden }).where('name', 'in', seen[who]);
      if (seen[who].length === 0) return;
      await hide(2).execute();
      const joined = seen[who].filter((name) => name.endsWith('小组'));
      expect([await contents(1), await contents(2)]).toEqual([joined, joined]);
      await hide(1).execute();
    });
  });

  describe('live rooms', () => {
    const entries: Record<string, string> = {};
    /** Status of the answer by person and lesson; 404 for lessons that are not listed. */
    const answers: Record<Who, Record<string, number>> = {
      teacher: { 我的课时: 200, 我助教不在组里的课时: 200, 我的课次: 200, 我主持的班会: 200 },
      otherTeacher: { 他的课时: 200, 他的课次: 200 },
      plainTeacher: { 第三人主持的班会: 200 },
      assist: { 我的课时: 200, 我助教不在组里的课时: 403, 我的课次: 200, 我主持的班会: 200 },
      otherAssist: { 他的课时: 200, 他的课次: 200 },
    };

    beforeAll(async () => {
      const start = noon - 60;
      const period = async (name: string, lecturer: Who | undefined, assistant: Who | undefined, group = assistant) => {
        const course = await addCourse(`直播${name}`);
        const classId = await addClass(`直播${name}`, { course, who: assistant });
        if (group) await addGroup(school(), { name, classId, course, assistants: [group] });
        entries[name] = `type=period&id=${await addPeriod(school(), { title: name, lecturer, course, start })}`;
        return classId;
      };
      const mine = await period('我的课时', 'teacher', 'assist');
      await period('我助教不在组里的课时', 'teacher', 'assist', 'plainTeacher');
      await period('他的课时', 'otherTeacher', 'otherAssist');
      const nobodys = await period('没人的课时', undefined, undefined);
      const lesson = async (name: string, lecturer: Who, assistant: Who | null) => {
        const team = await addTeam(school(), { name, assistant });
        entries[name] = `type=course&id=${await addLesson(school(), { team, lecturer, start })}`;
      };
      await lesson('我的课次', 'teacher', 'assist');
      await lesson('他的课次', 'otherTeacher', 'otherAssist');
      const meeting = async (name: string, classId: number, holder: Who) => {
        entries[name] = `type=meeting&id=${await addMeeting(school(), { classId, holder, start })}`;
      };
      await meeting('我主持的班会', mine, 'teacher');
      await meeting('第三人主持的班会', nobodys, 'plainTeacher');
    });

    it.each(everybody)('admit %s to entries of their calendar', async (who) => {
      for (const [name, search] of Object.entries(entries)) {
        const { status, body } = await school().as(who).get(`live/enter?${search}`);
        expect(status, `${who} ${name}: ${body.msg}`).toBe(answers[who][name] ?? 404);
      }
    });
  });

  describe('courseware files', () => {
    const files: Record<string, number> = {};
    const wares: Record<string, number> = {};
    const seen: Record<Who, string[]> = {
      teacher: ['学校的', '讲师上传的', '讲师放入课件库的', '讲师课次的', '讲师讲义的', '讲师班级的'],
      otherTeacher: ['学校的', '别人课次的'],
      plainTeacher: ['学校的'],
      assist: ['学校的', '助教班级的'],
      otherAssist: ['学校的', '别人班级的'],
    };

    beforeAll(async () => {
      const { people } = school();
      const { school_id } = await db().selectFrom('staff').select('school_id').limit(1).executeTakeFirstOrThrow();
      const branch = await db()
        .insertInto('school')
        .values({ org_name: '别校' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const untaught = await addCourse('没有课时的课程');
      const add = async (name: string, uploader: Who | null = null) => {
        files[name] = await addFile(name, uploader && people[uploader].id);
        return files[name];
      };
      const library = async (name: string, owner: Who | null, school: number, uploader: Who | null = null) => {
        const values = { school_id: school, owner_id: owner && people[owner].id, ware_name: name };
        wares[name] = await addWare('courseware', await add(name, uploader), values);
      };
      await library('学校的', null, school_id);
      await library('讲师放入课件库的', 'teacher', school_id);
      await library('别校的', null, branch.id);
      await add('讲师上传的', 'teacher');
      await add('没人的');
      const lesson = async (name: string, lecturer: Who) => {
        const team = await addTeam(school(), { assistant: null, lecturer });
        const session_id = await addLesson(school(), { team, lecturer });
        await addWare('lesson_ware', await add(name), { session_id, ware_name: name, is_sync: 1 });
      };
      await lesson('讲师课次的', 'teacher');
      await lesson('别人课次的', 'otherTeacher');
      const team = await addTeam(school(), { assistant: null });
      await db()
        .insertInto('session_handout')
        .values({
          session_id: await addLesson(school(), { team }),
          file_id: await add('讲师讲义的'),
          file_name: '讲义',
          uploaded_by: people.otherTeacher.id,
          uploaded_at: noon,
        })
        .execute();
      const ofClass = async (name: string, who: Who, duty: 'head' | 'assistant') => {
        const class_id = await addClass(name, { course: untaught, who, duty });
        await addWare('class_ware', await add(name), { class_id, ware_name: name });
      };
      await ofClass('讲师班级的', 'teacher', 'head');
      await ofClass('助教班级的', 'assist', 'assistant');
      await ofClass('别人班级的', 'otherAssist', 'assistant');
    });

    it.each(everybody)("are readable by %s if own, the school's, or in their lessons or classes", async (who) => {
      await expectSeen(who, files, seen[who], (id) => [`courseWare/preview/info?fid=${id}`]);
    });

    it('are unusable without a reference, a second after upload', async () => {
      const names = async (before: number) =>
        (await unreferencedFiles(db(), before).select('name').execute()).map(({ name }) => name).sort();
      expect(await names(noon)).toEqual([]);
      expect(await names(noon + 1)).toEqual(['没人的.pdf', '讲师上传的.pdf'].sort());
    });

    it.each(everybody)("in the library of %s are own or the school's", async (who) => {
      const { list } = (await school().as(who).get('courseWare?limit=100')).body.data as {
        list: { ware_name: string }[];
      };
      const mine = seen[who].filter((name) => name in wares).sort();
      expect(ours(list.map(({ ware_name }) => ware_name).sort(), wares)).toEqual(mine);
      await expectSeen(who, wares, mine, (id) => [`courseWare/library/${id}`]);
    });
  });

  describe('exams', () => {
    const exams: Record<string, number> = {};
    const papers: Record<string, number> = {};
    const seen: Record<Who, string[]> = {
      teacher: ['我的草稿', '我的考试', '本校的考试', '分享来的考试'],
      otherTeacher: ['我的考试', '本校的考试', '本校的草稿', '分享来的考试'],
      plainTeacher: ['我的考试', '本校的考试', '分享来的考试'],
      assist: ['我的考试', '本校的考试', '分享来的考试'],
      otherAssist: ['我的考试', '本校的考试', '分享来的考试'],
    };
    /** Answer sheets of own students in visible exams; of every school in one's own exam. */
    const read: Record<Who, string[]> = {
      teacher: ['我的考试，本校学生', '我的考试，别校学生', '本校的考试，本校学生', '分享来的考试，本校学生'],
      otherTeacher: ['我的考试，本校学生', '本校的考试，本校学生', '本校的考试，别校学生', '分享来的考试，本校学生'],
      plainTeacher: [],
      assist: ['我的考试，本校学生', '本校的考试，本校学生', '分享来的考试，本校学生'],
      otherAssist: ['我的考试，本校学生', '本校的考试，本校学生', '分享来的考试，本校学生'],
    };

    beforeAll(async () => {
      const { people, students } = school();
      const { school_id: own } = await db().selectFrom('staff').select('school_id').limit(1).executeTakeFirstOrThrow();
      const addSchool = async () =>
        (await db().insertInto('school').values({ org_name: '别校' }).returning('id').executeTakeFirstOrThrow()).id;
      const [branch, third] = [await addSchool(), await addSchool()];
      const { id: stranger } = await db()
        .insertInto('staff')
        .values({
          identity: 'teacher',
          username: '别校讲师',
          password_hash: 'none',
          real_name: '别校讲师',
          school_id: branch,
          can_dispatch: 1,
          can_correct: 1,
          disabled_at: null,
          created_at: noon,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const { id: elsewhere } = await db()
        .insertInto('student')
        .values({ nickname: '别校学生', mobile: '13700000000', school_id: branch, created_at: noon })
        .returning('id')
        .executeTakeFirstOrThrow();
      const add = async (name: string, exam: Pick<NewExam, 'creator' | 'school' | 'status' | 'shared'>) => {
        const added = await addExam(db(), { ...exam, name, questions: [{ type: 5, score: 100, right: '略' }] });
        exams[name] = added.id;
        if (exam.status === 2) return;
        papers[`${name}，本校学生`] = await submitExamReport(db(), added, students.k1[0] as number, ['答']);
        papers[`${name}，别校学生`] = await submitExamReport(db(), added, elsewhere, ['答']);
      };
      await add('我的考试', { creator: people.teacher.id, school: own, shared: [branch] });
      await add('我的草稿', { creator: people.teacher.id, school: own, status: 2 });
      await add('本校的考试', { creator: people.otherTeacher.id, school: own, shared: [branch] });
      await add('本校的草稿', { creator: people.otherTeacher.id, school: own, status: 2, shared: [own] });
      await add('分享来的考试', { creator: stranger, school: branch, shared: [own] });
      await add('别校的考试', { creator: stranger, school: branch, shared: [third] });
    });

    it.each(everybody)("lists for %s own, the school's and shared exams", async (who) => {
      expect(ours(await listNames(who, 'test/list?limit=100'), exams)).toEqual(seen[who].toSorted());
      await expectSeen(who, exams, seen[who], (id) => [
        `testDetail/getTestInfo/${id}`,
        `testDetail/list/${id}`,
        `testDetail/preview/${id}`,
        `test/getInfo/${id}`,
        `test/questionStatistics/${id}`,
      ]);
    });

    it.each(everybody.filter((who) => who !== 'plainTeacher'))('shows %s the readable answer sheets', async (who) => {
      await expectSeen(who, papers, read[who], (id) => [`testDetail/report/${id}`, `testDetail/approved/${id}`]);
    });
  });

  describe('questions', () => {
    const ids: Record<string, number> = {};

    beforeAll(async () => {
      const { people } = school();
      const add = async (name: string, owner: Who, parent_id: number | null, is_public: 0 | 1) => {
        const { id } = await db()
          .insertInto('question')
          .values({
            owner_id: people[owner].id,
            parent_id,
            is_public,
            ques_type: parent_id ? 5 : 6,
            ques_stem: name,
            stem_text: name,
            created_at: noon,
            updated_at: noon,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        ids[name] = id;
        return id;
      };
      await add('我的小题', 'teacher', await add('我的', 'teacher', null, 0), 0);
      await add('他的', 'otherTeacher', null, 0);
      await add('公共的小题', 'otherTeacher', await add('公共的', 'otherTeacher', null, 1), 1);
    });

    it('lists own and public questions, never a part alone', async () => {
      await expectSeen('teacher', ids, ['我的'], (id) => [`ques/show/${id}`]);
      await expectSeen('otherTeacher', ids, ['他的', '公共的'], (id) => [`ques/show/${id}`]);
      await expectSeen('assist', ids, ['公共的'], (id) => [`ques/public/detail/${id}`]);
      await expectSeen('assist', ids, [], (id) => [`ques/show/${id}`]);
      // Questions that may be picked, bookmarked or reported.
      await expectSeen('teacher', ids, ['我的', '公共的'], (id) => [`ques/public/detail/${id}`]);
      await expectSeen('otherTeacher', ids, ['他的', '公共的'], (id) => [`ques/public/detail/${id}`]);
    });
  });
});

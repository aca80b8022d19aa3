import { beforeAll, describe, expect, it } from 'vitest';
import { pdfWithTable } from '../files/samples.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon, type TestSchool } from '../support/school.ts';
import { addLesson, addTeam, lessonTimes, type TestTeam } from '../support/team-lessons.ts';

type Name = keyof TestSchool['people'];

const detailPath = { teacher: 'teacherSchedule/detailClassTime', assist: 'teamClass/classTime/detailClassTime' };
const studentsPath = {
  teacher: 'teacherSchedule/getClassTimeStudent',
  assist: 'teamClass/classTime/student/getClassTimeStudent',
};
const notesPath = { teacher: 'teacherSchedule/detailClassTime/uploadNotes', assist: 'teamClass/classTime/uploadNotes' };

onBothEngines('scheduled lessons', (school) => {
  let team: TestTeam;
  let alone: TestTeam;
  let held: number;
  let coming: number;
  let going: number;
  let cancelled: number;
  let theirs: number;
  let oneToOne: number;
  const db = () => school().database.db;
  const as = (name: Name) => school().as(name);

  beforeAll(async () => {
    team = await addTeam(school(), { name: '数学团课' });
    alone = await addTeam(school(), { name: '数学一对一', size: 1, classType: 1 });
    held = await addLesson(school(), { team, start: lessonTimes.held });
    coming = await addLesson(school(), { team });
    going = await addLesson(school(), { team, start: lessonTimes.now });
    cancelled = await addLesson(school(), { team, start: lessonTimes.coming + day, isCancelled: true });
    const other = await addTeam(school(), { name: '物理团课', assistant: 'otherAssist', lecturer: 'otherTeacher' });
    theirs = await addLesson(school(), { team: other, lecturer: 'otherTeacher', start: lessonTimes.held });
    oneToOne = await addLesson(school(), { team: alone, mode: 2 });
  });

  it('are sorted: current, next, then past ones', async () => {
    const list = (await as('teacher').get('schedule/list')).body.data.list;
    expect(list.map((row: { id: number }) => row.id)).toEqual([going, coming, oneToOne, cancelled, held]);
    expect(list.map((row: { teaching_mode: number }) => row.teaching_mode)).toEqual([1, 1, 2, 1, 1]);
  });

  it.each(['teacher', 'assist'] as const)("shows %s all of their own, and answers 404 for others'", async (name) => {
    const { status, body } = await as(name).get(`${detailPath[name]}/${held}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: held,
      status: 1,
      class_type: 3,
      class_name: '数学团课',
      nickname: '姓名teacher',
      file_status: 2,
      get_ware_info: [],
      should_arrive: 3,
      arrived: 0,
      leave: 0,
      // A lesson that was held without attendees.
      truants: 3,
      fid: 0,
      start_play: lessonTimes.held,
    });
    for (const id of [theirs, 'x', 99_999]) {
      expect((await as(name).get(`${detailPath[name]}/${id}`)).status).toBe(404);
      expect((await as(name).get(`${studentsPath[name]}/${id}`)).status).toBe(404);
    }
    expect((await as('teacher').get(`teacherSchedule/scheduleDetail/${theirs}`)).status).toBe(404);
    expect((await as('teacher').get(`teacherSchedule/scheduleDetail/${oneToOne}`)).body.data).toMatchObject({
      id: oneToOne,
      status: 2,
      class_type: 1,
      user_id: alone.students[0],
    });
  });

  it('lists expected students, and writes no second row on repeat', async () => {
    const left = await addTeam(school(), { name: '有人离开', size: 3 });
    const lesson = await addLesson(school(), { team: left, start: lessonTimes.held });
    const [first, second] = left.students as [number, number];
    const change = (student: number, set: { left_at?: number; joined_at?: number }) =>
      db().updateTable('class_student').set(set).where('student_id', '=', student).execute();
    await change(first, { left_at: lessonTimes.held - day });
    await change(second, { left_at: lessonTimes.held + day });
    const get = async () => (await as('assist').get(`${studentsPath.assist}/${lesson}`)).body.data;
    const once = await get();
    expect(once.list.map((row: { clue_id: number }) => row.clue_id)).toEqual(left.students.slice(1));
    expect(await get()).toEqual(once);
    expect((await as('teacher').get(`${detailPath.teacher}/${lesson}`)).body.data.should_arrive).toBe(2);
  });

  describe('evaluation of a lesson', () => {
    const students = async (lesson: number) =>
      (await as('teacher').get(`${studentsPath.teacher}/${lesson}`)).body.data.list;
    const evaluate = (id: number, remark: string, name: Name = 'teacher') =>
      as(name).put(`teacherSchedule/teacherRemark/${id}`, { remark });

    it('is written once, at most 100 characters, for a held lesson', async () => {
      const [student] = await students(held);
      const blank = await evaluate(student.id, '  ');
      expect([blank.status, blank.body.errors]).toEqual([422, { remark: ['请输入评价内容'] }]);
      const long = await evaluate(student.id, '好'.repeat(101));
      expect([long.status, long.body.errors]).toEqual([422, { remark: ['评价内容不能超过100个字'] }]);
      const written = await evaluate(student.id, '好'.repeat(100));
      expect([written.status, written.body.msg]).toEqual([200, '评价成功']);
      const again = await evaluate(student.id, '再来');
      expect([again.status, again.body.msg]).toEqual([409, '该学员已评价，不能重复评价']);
      expect((await students(held))[0].teacher_remark).toBe('好'.repeat(100));
    });

    it('is refused before the end, for cancelled lessons, to others and to assistants', async () => {
      for (const [lesson, state] of [
        [coming, '未上课'],
        [going, '上课中'],
        [cancelled, '已取消'],
      ] as const) {
        const [student] = await students(lesson);
        const answer = await evaluate(student.id, '好');
        expect([answer.status, answer.body.msg]).toEqual([409, `该课次${state}，不能评价学员`]);
      }
      const [, second] = await students(held);
      expect((await evaluate(second.id, '好', 'otherTeacher')).status).toBe(404);
      expect((await evaluate(second.id, '好', 'assist')).status).toBe(403);
      expect((await evaluate(99_999, '好')).status).toBe(404);
    });
  });

  describe('handout of a lesson', () => {
    const upload = async (
      name: 'teacher' | 'assist' | 'otherTeacher',
      file = new File([new Uint8Array(pdfWithTable(''))], '讲义.pdf'),
    ) => {
      const form = new FormData();
      form.set('ware_type', '1');
      form.set('file', file);
      return (await as(name).post('courseWare/file', form)).body.data.fid as number;
    };
    const sendNote = (name: 'teacher' | 'assist', body: object) => as(name).post(notesPath[name], body);
    const state = async () => (await as('assist').get(`${detailPath.assist}/${coming}`)).body.data;

    it.each(['teacher', 'assist'] as const)('is handed in by %s, pending, and replaceable', async (name) => {
      const fid = await upload(name);
      const answer = await sendNote(name, { class_times_id: coming, fid, file_name: `${name}的讲义.pdf` });
      expect([answer.status, answer.body.msg]).toEqual([200, '上传成功']);
      expect(await state()).toMatchObject({ file_status: 3, file_name: `${name}的讲义.pdf`, fid, file_remark: '' });
      // Everybody with the lesson sees the file, whoever uploaded it.
      for (const reader of ['teacher', 'assist'] as const) {
        expect((await as(reader).get(`courseWare/preview/info?fid=${fid}`)).status).toBe(200);
      }
      expect((await as('otherTeacher').get(`courseWare/preview/info?fid=${fid}`)).status).toBe(404);
    });

    it('shows the reason of a rejection, and is final once approved', async () => {
      const set = (status: 1 | 4, file_remark: string) =>
        db().updateTable('session_handout').set({ status, file_remark }).where('session_id', '=', coming).execute();
      await set(4, '第三页有误');
      expect(await state()).toMatchObject({ file_status: 4, file_remark: '第三页有误' });
      const fid = await upload('teacher');
      expect((await sendNote('teacher', { class_times_id: coming, fid })).status).toBe(200);
      expect(await state()).toMatchObject({ file_status: 3, file_name: '讲义.pdf', file_remark: '' });
      await set(1, '');
      expect(await state()).toMatchObject({ file_status: 1 });
      const late = await sendNote('teacher', { class_times_id: coming, fid });
      expect([late.status, late.body.msg]).toEqual([409, '讲义已审核通过，不能重新上传']);
    });

    it('is refused without a file, for foreign files and lessons, and for a cancelled lesson', async () => {
      const fid = await upload('teacher');
      const strange = await upload('otherTeacher');
      const none = await sendNote('teacher', { class_times_id: going });
      expect([none.status, none.body.errors]).toEqual([422, { file: ['请选择讲义文件'] }]);
      expect((await sendNote('teacher', { class_times_id: going, fid: strange })).status).toBe(404);
      const late = await sendNote('teacher', { class_times_id: cancelled, fid });
      expect([late.status, late.body.msg]).toEqual([409, '该课次已取消，不能上传讲义']);
      expect((await sendNote('teacher', { class_times_id: theirs, fid })).status).toBe(404);
    });

    it('keeps its file from the cleanup', async () => {
      const { removeUnreferenced } = await import('#server/courseware/file.ts');
      const fid = await upload('assist');
      await sendNote('assist', { class_times_id: going, fid });
      await removeUnreferenced({ db: db(), storage: school().services.storage, now: noon + 3 * day });
      expect((await as('teacher').get(`courseWare/preview/info?fid=${fid}`)).status).toBe(200);
    });
  });

  it('refuses courseware for a cancelled lesson', async () => {
    const answer = await as('teacher').post('courseWare', { times_id: cancelled, times_type: 3, ware_id: '1' });
    expect([answer.status, answer.body.msg]).toEqual([409, '该课次已取消，不能添加课件']);
  });

  describe('teacher leave', () => {
    const leave = (id: number | string, name: Name = 'teacher', headers = {}) =>
      as(name).post(`teacherSchedule/leave/${id}`, {}, headers);
    const messages = (session: number) =>
      db().selectFrom('sms_outbox').selectAll().where('session_id', '=', session).orderBy('id').execute();

    it('cancels the lesson and queues one message per student in one transaction', async () => {
      const lesson = await addLesson(school(), { team, start: noon + 5 * day });
      // Former students and those without a number get no message.
      const more = await addTeam(school(), { name: '其他', size: 2 });
      const join = { class_id: team.id, joined_at: noon - 90 * day };
      const [gone, mute] = more.students as [number, number];
      await db()
        .insertInto('class_student')
        .values([
          { ...join, student_id: gone, left_at: noon - day },
          { ...join, student_id: mute, left_at: null },
        ])
        .execute();
      await db().updateTable('student').set({ mobile: '' }).where('id', '=', mute).execute();

      const answer = await as('teacher').get(`teacherSchedule/leave/${lesson}`);
      expect([answer.status, answer.body.msg]).toEqual([200, '请假成功']);
      expect((await as('teacher').get(`${detailPath.teacher}/${lesson}`)).body.data.status).toBe(4);
      const out = await messages(lesson);
      expect(out.map(({ student_id }) => student_id)).toEqual(team.students);
      expect(new Set(out.map(({ message_id }) => message_id)).size).toBe(3);
      expect(out[0]).toMatchObject({ delivered_at: null, tries: 0, next_try_at: noon });
      expect(out[0]?.content).toBe(
        '数学团课学员1同学您好，数学团课原定于2026-11-25 12:00的课因老师请假取消，具体安排请留意后续通知。',
      );
      await db()
        .deleteFrom('class_student')
        .where('student_id', 'in', [gone, mute])
        .where('class_id', '=', team.id)
        .execute();
    });

    it('is refused a second time, after the start, and to others, without messages', async () => {
      const lesson = await addLesson(school(), { team, start: noon + 6 * day });
      expect((await leave(lesson, 'otherTeacher')).status).toBe(404);
      expect((await leave(lesson, 'assist')).status).toBe(403);
      expect((await leave('x')).status).toBe(404);
      expect((await leave(lesson)).status).toBe(200);
      for (const [id, msg] of [
        [lesson, '该课次已取消，不能重复请假'],
        [going, '该课次上课中，不能请假'],
        [held, '该课次已上课，不能请假'],
      ] as const) {
        const answer = await leave(id);
        expect([answer.status, answer.body.msg]).toEqual([409, msg]);
      }
      expect([(await messages(lesson)).length, (await messages(going)).length]).toEqual([3, 0]);
    });

    it('is possible until a second before the start', async () => {
      const lesson = await addLesson(school(), { team, start: noon + 1 });
      const late = await addLesson(school(), { team, start: noon });
      expect((await leave(late)).status).toBe(409);
      expect((await leave(lesson)).status).toBe(200);
    });

    it('sends messages once for repeated or simultaneous requests', async () => {
      const lesson = await addLesson(school(), { team, start: noon + 7 * day });
      const key = { 'idempotency-key': `leave-${lesson}` };
      const first = await leave(lesson, 'teacher', key);
      const second = await leave(lesson, 'teacher', key);
      expect([first.status, second.status]).toEqual([200, 200]);
      const raced = await addLesson(school(), { team, start: noon + 8 * day });
      const both = await Promise.all([leave(raced), leave(raced)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect([(await messages(lesson)).length, (await messages(raced)).length]).toEqual([3, 3]);
    });
  });

  describe('communication with students', () => {
    const path = (id: number, search = '') => `schedule/communication/${id}${search}`;

    it('is noted by both roles, and listed latest first, per student or for all', async () => {
      const [first, second] = team.students as [number, number];
      const add = (name: Name, user_id: number, content: string) => as(name).post(path(held), { user_id, content });
      const added = await add('teacher', first, '与家长通话\r\n已约定下周再谈');
      expect([added.status, added.body.msg]).toEqual([200, '添加成功']);
      school().setNow(noon + 60);
      await add('assist', second, '提醒补课');
      school().setNow(noon);
      const { list } = (await as('teacher').get(path(held))).body.data;
      expect(list.map(({ content }: { content: string }) => content)).toEqual([
        '提醒补课',
        '与家长通话\n已约定下周再谈',
      ]);
      expect(list[0]).toMatchObject({ user_id: second, nickname: '姓名assist', created_at: noon + 60 });
      const of = (await as('assist').get(path(held, `?user_id=${first}`))).body.data;
      expect([of.total, of.list[0].user_id]).toEqual([1, first]);
      // Cancelled lessons need the most talks.
      expect((await as('teacher').post(path(cancelled), { user_id: first, content: '已告知' })).status).toBe(200);
    });

    it('is refused when empty, too long, for strangers and foreign lessons', async () => {
      const send = (body: object, id = held) => as('teacher').post(path(id), body);
      const [student] = team.students as [number];
      expect((await send({})).body.errors).toEqual({ user_id: ['请选择学员'], content: ['请输入沟通内容'] });
      expect((await send({ user_id: student, content: '长'.repeat(501) })).body.errors).toEqual({
        content: ['沟通内容不能超过500个字'],
      });
      expect((await send({ user_id: alone.students[0], content: '在' })).status).toBe(422);
      expect((await send({ user_id: student, content: '在' }, theirs)).status).toBe(404);
      expect((await as('teacher').get(path(theirs))).status).toBe(404);
    });
  });
});

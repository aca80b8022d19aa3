/** Instead of a forbidden form, its address shows the reason. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApp, signInAs } from '../support/app.ts';
import { addLessons, record } from '../support/lessons.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';
import { addLesson, addTeam } from '../support/team-lessons.ts';

type Name = keyof TestSchool['people'];
const noPermission = '您没有布置作业的权限';
const notOwner = '只有发布人可以执行此操作';

describe('forms by address', () => {
  let school: TestSchool;
  let app: Awaited<ReturnType<typeof openApp>>;
  const made: Record<string, number> = {};

  beforeAll(async () => {
    school = await openTestSchool('SQLite');
    app = await openApp(school);
    const { k1, k2 } = school.classes;
    const common = { course: school.courses.shared, classes: [k1, k2], published: [k1], publishTime: noon - day };
    made.open = await school.addHomework({ ...common, creator: 'teacher', ending: noon + day });
    made.recalled = await school.addHomework({ ...common, creator: 'teacher', ending: noon + day, status: 2 });
    made.ended = await school.addHomework({ ...common, creator: 'teacher', ending: noon - 60 });
    made.assists = await school.addHomework({ ...common, creator: 'assist', ending: noon + day });
    const { id: post } = (await school.as('assist').post('community/post', { class_id: k1, content: '帖子' })).body
      .data;
    made.post = post;
    made.class = k1;
    const { course, periods } = await addLessons(school, { type: 7, classes: [k1], starts: [noon + day] });
    const [period = 0] = periods;
    const [student = 0] = school.students.k1;
    Object.assign(made, { course, period, student });
    made.leave = await record(school, { classId: k1, studentId: student, periodId: period }, 2);
    const team = await addTeam(school);
    made.team = team.id;
    made.cancelledLesson = await addLesson(school, { team, start: noon + day, isCancelled: true });
    const notice = await school.database.db
      .insertInto('class_notice')
      .values({
        class_id: k1,
        staff_id: school.people.assist.id,
        title: '公告',
        content: '<p>公告</p>',
        created_at: noon,
        updated_at: noon,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    made.notice = notice.id;
  });
  afterAll(() => school.close());

  const dialogs = ['/homework/:id/recall', '/homework/:id/deadline', '/homework/:id/continue'];
  const analysis = ['/homework/detail/:id/deadline?hw_id=:id', '/homework/detail/:id/continue?hw_id=:id'];
  const place = 'course_id=:course&class_id=:class&period_id=:period&uid=:student';
  const refused: [Name, string, string, number, string][] = [
    ...[...dialogs, ...analysis].flatMap((path): [Name, string, string, number, string][] => [
      ['assist', path, 'open', 403, notOwner],
      ['teacher', path, 'assists', 403, notOwner],
      ['otherAssist', path, 'open', 404, '作业不存在'],
    ]),
    ['teacher', '/homework/:id/recall', 'recalled', 409, '该作业已撤回，不能重复撤回'],
    ['teacher', '/homework/:id/deadline', 'recalled', 409, '该作业已撤回，不能调整截止时间'],
    ['teacher', '/homework/:id/continue', 'recalled', 409, '该作业已撤回，不能继续发布'],
    ['teacher', '/homework/:id/deadline', 'ended', 409, '该作业已截止，不能调整截止时间'],
    ['teacher', '/homework/detail/:id/deadline?hw_id=:id', 'ended', 409, '该作业已截止，不能调整截止时间'],
    ['teacher', '/homework/:id/continue', 'ended', 409, '该作业已截止，不能继续发布'],
    ['assist', '/community/show/:post/report', '', 409, '不能举报自己发布的帖子'],
    ['assist', '/classes/detail/delete-posts?id=:class&tab=circle&post=:post', '', 403, '只有班主任可以删除圈子帖子'],
    ['otherAssist', '/community/show/:post/report', '', 404, '帖子不存在或已被删除'],
    ['teacher', '/classes/detail/leave/decide?id=:class&tab=leave&op_status=2&ids=:leave', '', 409, '不能再审批'],
    ['teacher', '/classes/detail/leave/decide?id=:class&tab=leave&op_status=2&ids=999999', '', 404, '请假记录不存在'],
    ['teacher', `/classes/attendance/lesson/mark?${place}&action=approve`, '', 409, '当前状态为“已请假”，不能'],
    ['teacher', '/sessions/class/handout?id=:cancelledLesson', '', 409, '该课次已取消，不能上传讲义'],
    ['teacher', '/courseware/lesson/upload?times_id=:cancelledLesson', '', 409, '该课次已取消，不能添加课件'],
    ['teacher', '/courseware/choose?times_id=:cancelledLesson', '', 409, '该课次已取消，不能添加课件'],
    ['teacher', '/classes/notice?class_id=:class', '', 403, '只有班主任可以发布公告'],
    ['teacher', '/classes/notice?class_id=:class&id=:notice', '', 403, '只有班主任可以编辑公告'],
    ['teacher', '/classes/detail/notice/:notice/delete?id=:class', '', 403, '只有班主任可以删除公告'],
    ['teacher', '/classes/meeting?class_id=:class', '', 403, '只有班主任可以创建班会'],
    ['plainTeacher', '/homework/publish/question', '', 403, noPermission],
    ['plainTeacher', '/homework/publish', '', 403, noPermission],
    ['plainTeacher', '/homework/question/add', '', 403, noPermission],
    ['plainTeacher', '/homework/question/edit?id=1', '', 403, noPermission],
    ['plainTeacher', '/homework/question/import', '', 403, noPermission],
    ['plainTeacher', '/homework/questions/delete?ids=1', '', 403, noPermission],
    ['plainTeacher', '/homework/questions/tags?ids=1', '', 403, noPermission],
    ['plainTeacher', '/homework/question/similar', '', 403, noPermission],
    ['plainTeacher', '/homework/question/similar/merge?kept=1&gone=2', '', 403, noPermission],
  ];

  it.each(refused)('answer %s at %s (%s) with %i', async (name, path, homework, status, msg) => {
    const visitor = await signInAs(school, app, name);
    const address = path.replaceAll(':id', String(made[homework]));
    const page = await visitor.get(address.replace(/:(\w+)/g, (_, key) => String(made[key])));
    expect(page.status).toBe(status);
    expect(page.text).toContain(msg);
    expect(page.document.querySelector('main form[method=post], dialog form[method=post]')).toBeNull();
  });

  it.each([...dialogs, ...analysis])('show %s to permitted people', async (path) => {
    const visitor = await signInAs(school, app, 'teacher');
    const page = await visitor.get(path.replaceAll(':id', String(made.open)));
    expect(page.status).toBe(200);
    expect(page.document.querySelector('dialog form[method=post]')).not.toBeNull();
  });
});

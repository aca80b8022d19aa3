/**
 * Checks that every staff call that changes something writes a history row. Each call is either sent in this file,
 * checked in the test of its subject, or listed below with the reason why it writes none. A call of both roles is one
 * function, so it is tested with one role.
 */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { subjects } from '#server/api.ts';
import { hashPassword } from '#server/platform/auth/password.ts';
import { codeAt } from '#server/platform/auth/second-factor.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { type AnyCall, pathOfAnyRole } from '#server/platform/calls/call.ts';
import { countOf } from '#server/platform/db/page.ts';
import { pathForIdentity } from '#server/school/call.ts';
import { pdfWithTable } from '../files/samples.ts';
import { addExam, submitExamReport as handInExam } from '../support/exams.ts';
import { addLessons, hour } from '../support/lessons.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { addPaper, essayOf, submitHomeworkReport } from '../support/paper.ts';
import { day, noon, type TestSchool } from '../support/school.ts';
import { addLesson, addTeam, lessonTimes } from '../support/team-lessons.ts';

const reasons: Record<string, string> = {
  'POST hw/draft': 'a form that is not sent yet',
  'POST hw/draft/drop': 'a form that is not sent yet',
  'POST ques/importing': 'questions that are looked at before they are taken',
  'POST ques/importing/text': 'questions that are looked at before they are taken',
  'POST ques/importing/:importId/rows/:row': 'questions that were never taken',
  'PUT ques/importing/:importId/rows/:row': 'questions that were never taken',
  'POST ques/importing/:importId/rows/:row/arrange': 'questions that were never taken',
  'POST ques/importing/:importId/all': 'questions that were never taken',
  'POST ques/importing/:importId/columns': 'questions that were never taken',
  'POST ques/importing/:importId/repeat': 'questions that were never taken',
  'POST ques/importing/:importId/undo': 'questions that were never taken',
  'DELETE ques/importing/:importId': 'questions that were never taken',
  'POST courseWare/file': 'a file that is of no record yet',
  'POST public/file': 'a file that is of no record yet',
  'POST public/imgBase64': 'a file that is of no record yet',
  'POST /api/auth/second-factor/secret': 'a secret that counts for nothing until a code of it is sent',
};

/** Calls that need another server or a background job; their subject's test checks the history row. */
const held: Record<string, string> = {
  'POST ques/import/:format': 'question-import',
  'POST ques/importing/:importId/commit': 'question-import',
  'DELETE account/identities/:provider': 'identity',
  'POST /api/auth/code': 'second-factor',
};

interface Sending {
  by?: keyof TestSchool['people'];
  path?: (number | string | undefined)[];
  query?: Record<string, number | string | undefined>;
  body?: object;
}
/** Ids of the first records, and the latest created id by table. */
type Made = Record<string, number | undefined>;
type Deed = (made: Made, school: TestSchool) => Sending | Promise<Sending>;

const pdf = (fields: Record<string, string | number | undefined>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ware_type: 1, ...fields })) form.set(name, String(value));
  form.set('file', new File([new Uint8Array(pdfWithTable(''))], '讲义.pdf'));
  return form;
};
const question = {
  ques_type: 5,
  ques_stem: '<p>一加一</p>',
  ques_option: [],
  right_answer: '<p>二</p>',
  ques_analysis: '',
  facility_value: 3,
  remark: '',
};
const publication = ({ question: id }: Made, { courses }: TestSchool) => ({
  course_basis_id: courses.shared,
  publish_scope: 3,
  type: 1,
  is_set_score: 1,
  name: '测验',
  remark: '',
  ending_time: noon + day,
  question: [{ id, ques_score: 10 }],
});
const meeting = { meeting_name: '班会', start_time: noon + 12 * day, end_time: noon + 12 * day + hour };
const cell = (
  { students, classes }: TestSchool,
  course_id: number | undefined,
  course_periods_id: number | undefined,
) => ({
  uid: students.k2[0],
  class_id: classes.k2,
  course_id,
  course_periods_id,
});

/** Address of the uploaded picture. */
let picture = '';
/** Ids of two equal questions. */
let similar: number[] = [];
/** Secret of the new second factor. */
let secret = '';

/** The calls in the order in which they are sent. */
const deeds: Record<string, Deed> = {
  'PUT hw/review/pinned': () => ({ body: { q: '书写工整' } }),
  'POST ques/add': () => ({ body: question }),
  'PUT ques/update/:id': ({ question: id }) => ({ path: [id], body: { ...question, facility_value: 4 } }),
  'POST ques/different': async (_, school) => {
    const add = async () => (await school.as('teacher').post('ques/add', question)).body.data.id;
    similar = [await add(), await add()];
    return { body: { one: similar[0], other: similar[1] } };
  },
  'DELETE ques/different/:one/:other': () => ({ path: similar }),
  'POST ques/merge/:kept/:gone': async (_, school) => {
    const { seen } = (await school.as('teacher').get(`ques/merge/${similar.join('/')}`)).body.data;
    return { path: similar, body: { seen } };
  },
  'POST ques/merges/:id/undo': async (_, school) => ({
    path: [(await school.as('teacher').get(`ques/merges/${similar[0]}`)).body.data[0].id],
  }),
  'POST ques/tags': ({ question: ids }) => ({ body: { ids: String(ids), add: '期中' } }),
  'POST /api/app/collect': ({ question: ques_id }) => ({ body: { ques_id, type: 3 } }),
  'PUT /api/app/collect/cancel/:collectId/3': ({ question_collect }) => ({ path: [question_collect] }),
  'POST /api/app/myExam/correction': ({ question: ques_id }) => ({
    body: { ques_id, type: 3, error_msg: '答案应为2' },
  }),
  'POST hw/publish': (made, school) => ({ body: publication(made, school) }),
  'POST arrangeHomework/homework/publish': (made, school) => ({
    body: { ...publication(made, school), arrange_id: made.coming, arrange_type: 4 },
  }),
  'GET hw/class/publish/:id/:classIds?': ({ partly }, { classes }) => ({ path: [partly, classes.k2] }),
  'PUT hw/update/ending_time/:id/:seconds?': ({ homework }) => ({ path: [homework, noon + 2 * day], body: {} }),
  'GET hw/withdraw/:id': ({ homework }) => ({ path: [homework] }),
  'DELETE ques/del/:ids?': ({ question: id }) => ({ path: [id] }),
  'GET teamClass/classTime/student/setAttendance': ({ team, held: times_id, teamStudent }) => ({
    by: 'assist',
    query: { class_id: team, times_id, clue_id: teamStudent, type: 1 },
  }),
  'PUT teacherSchedule/teacherRemark/:id': ({ session_student: pupil }) => ({
    path: [pupil],
    body: { remark: '认真' },
  }),
  'POST schedule/communication/:id': ({ coming, teamStudent }) => ({
    path: [coming],
    body: { user_id: teamStudent, content: '课后沟通' },
  }),
  'GET teacherSchedule/leave/:id': ({ later }) => ({ path: [later] }),
  'PUT stateschoolclass/:id': ({ large }) => ({
    by: 'assist',
    path: [large],
    body: { schedule_image: picture },
  }),
  'POST community/post': (_, { classes }) => ({ by: 'assist', body: { class_id: classes.k1, content: '开学了' } }),
  'POST community/comment': ({ community_post: post }) => ({ body: { post_id: post, content: '好' } }),
  'PUT community/like/:id': ({ community_post: post }) => ({ path: [post], body: { is_like: 1 } }),
  'POST community/collect': ({ community_post: post }) => ({ body: { post_id: post } }),
  'PUT community/collect/:collectId': ({ community_collect }) => ({ path: [community_collect] }),
  'POST community/report': ({ community_post: post }) => ({ body: { post_id: post, type: 1, content: '广告' } }),
  'DELETE community/post/:id': ({ community_post: post }) => ({ by: 'assist', path: [post] }),
  'GET community/group/outGroup/:id': ({ group }) => ({ path: [group] }),
  'POST announcement': (_, { classes }) => ({
    by: 'assist',
    body: { class_id: classes.k1, title: '放假', content: '<p>周一</p>' },
  }),
  'PUT announcement/:id': ({ class_notice: notice }) => ({
    by: 'assist',
    path: [notice],
    body: { title: '放假', content: '<p>周二</p>' },
  }),
  'DELETE announcement/:id': ({ class_notice: notice }) => ({ by: 'assist', path: [notice] }),
  'POST class/meeting': (_, { classes }) => ({ by: 'assist', body: { ...meeting, class_id: classes.k1 } }),
  'PUT class/meeting/:id': ({ class_meeting: id }) => ({
    by: 'assist',
    path: [id],
    body: { ...meeting, meeting_name: '家长会' },
  }),
  'DELETE class/meeting/:id': ({ class_meeting: id }) => ({ by: 'assist', path: [id] }),
  'POST courseWare/upload': ({ category }) => ({ body: pdf({ classify_id: category, ware_name: '第一讲' }) }),
  'POST teacherSchedule/detailClassTime/uploadNotes': ({ coming, ware_file: file }) => ({
    body: { class_times_id: coming, fid: file },
  }),
  'PUT courseWare/library/:id': ({ courseware: ware, category }) => ({
    path: [ware],
    body: { ware_name: '第二讲', ware_desc: '', classify_id: category },
  }),
  'POST courseWare': ({ coming, courseware: ware }) => ({ body: { times_id: coming, ware_id: ware } }),
  'DELETE courseWare/:id': ({ lesson_ware: lessonWare }) => ({ path: [lessonWare] }),
  'POST stateschoolcourseware/selectware': ({ courseware: ware }, { classes }) => ({
    body: { class_id: classes.k1, ware_ids: [ware] },
  }),
  'DELETE courseWare/library/:id': ({ courseware: ware }) => ({ path: [ware] }),
  'POST stateschoolcourseware/upload': ({ category }, { classes }) => ({
    body: pdf({ class_id: classes.k1, classify_id: category, ware_name: '班级讲义' }),
  }),
  'PUT stateschoolcourseware/:id': ({ class_ware: classWare, category, ware_file: file }) => ({
    path: [classWare],
    body: { ware_name: '新讲义', classify_id: category, ware_type: 1, ware_url: `/courseware/file/${file}` },
  }),
  'DELETE stateschoolcourseware/:id': ({ class_ware: classWare }) => ({ path: [classWare] }),
  'POST stateschoolcourseware': ({ category, ware_file: file }, { classes }) => ({
    body: {
      class_id: classes.k1,
      ware_name: '另一份',
      classify_id: category,
      ware_type: 1,
      ware_url: `/courseware/file/${file}`,
    },
  }),
  'POST leave': ({ taught, soon }, school) => ({
    by: 'assist',
    body: { ...cell(school, taught, soon), leave_cause: '事假' },
  }),
  'PUT leave/setOpStatus/:ids?': ({ attendance: leave }) => ({ by: 'assist', path: [leave], body: { op_status: 2 } }),
  'POST leave/undo/:batchId': ({ leave_batch: batch }) => ({ by: 'assist', path: [batch] }),
  'POST leave/cancel': async ({ taught, soon }, school) => {
    const body = { ...cell(school, taught, soon), uid: school.students.k2[1] };
    await school.as('assist').post('leave', { ...body, leave_cause: '病假', approve: 1 });
    return { by: 'assist', body };
  },
  'POST attendance': ({ taught, begun }, school) => ({
    by: 'assist',
    body: { ...cell(school, taught, begun), op_status: 0 },
  }),
  'POST calendar/feed': () => ({ body: {} }),
  'DELETE calendar/feed': () => ({}),
  'PUT lector/update': () => ({ body: { real_name: '新名', introduction: '简介', avatar: picture } }),
  'DELETE account/devices/:id': ({ sign_in: device }) => ({ path: [device] }),
  'DELETE account/devices': () => ({}),
  'POST attendance/rollcall/:periodId': ({ begun }, { classes, students }) => ({
    by: 'assist',
    path: [begun],
    body: { class_id: classes.k2, marks: [{ uid: students.k2[1], from: -1, to: 0 }] },
  }),
  'POST attendance/rollcall/undo/:rollId': ({ roll_id }) => ({ by: 'assist', path: [roll_id] }),
  'POST teamClass/classTime/rollcall/:id': ({ held: lesson, otherTeamStudent }) => ({
    by: 'assist',
    path: [lesson],
    body: { remark: '补记', marks: [{ clue_id: otherTeamStudent, from: 3, to: 1 }] },
  }),
  'POST teamClass/classTime/rollcall/undo/:rollId': ({ roll_id }) => ({ by: 'assist', path: [roll_id] }),
  'POST homework/reminder/:hwId/:classId?': ({ partly }) => ({ path: [partly], body: {} }),
  'POST hw/review/rejudge': ({ report0: report_id, part: ques_id }) => ({
    body: { report_id, ques_id, blank: 1, right: 1, reason: '也可写作北京市' },
  }),
  'POST hw/review/undoRejudge': ({ judgment_id }) => ({ body: { judgment_id } }),
  'POST hw/review/storeSame': ({ report0: report_id, report1, essay: ques_id }) => ({
    body: { report_id, ques_id, version: 0, user_score: 6, answers: [{ report_id: report1, version: 0 }] },
  }),
  'POST hw/review/undoSame': ({ batch_id }) => ({ body: { batch_id } }),
  'POST hw/review/storeQuestion': ({ report2: report_id, essay: ques_id }) => ({
    body: { report_id, ques_id, version: 0, user_score: 6 },
  }),
  'POST hw/review/storeReview': ({ report2: report_id }) => ({ body: { report_id } }),
  'POST hw/review/storeReviews': async ({ report3: report_id, essay: ques_id }, school) => {
    await school.as('teacher').post('hw/review/storeQuestion', { report_id, ques_id, version: 0, user_score: 6 });
    return { body: { report_id } };
  },
  'POST testDetail/rejudge': ({ exam0: report_id, examBlanks: question_id }) => ({
    body: { report_id, question_id, blank: 1, right: 1, reason: '也可写作北京市' },
  }),
  'POST testDetail/undoRejudge': ({ judgment_id }) => ({ body: { judgment_id } }),
  'POST testDetail/approveSame': ({ exam0: report_id, exam1, examEssay: question_id }) => ({
    body: { report_id, question_id, version: 0, score: 2, answers: [{ report_id: exam1, version: 0 }] },
  }),
  'POST testDetail/undoSame': ({ batch_id }) => ({ body: { batch_id } }),
  'POST testDetail/approveQuestion': ({ exam2: report_id, examEssay: question_id }) => ({
    body: { report_id, question_id, version: 0, score: 2 },
  }),
  'POST testDetail/approved': ({ exam2: report_id }) => ({ body: { report_id } }),
  'POST testDetail/approvedAll': async ({ exam3: report_id, examEssay: question_id }, school) => {
    await school.as('teacher').post('testDetail/approveQuestion', { report_id, question_id, version: 0, score: 2 });
    return { body: { report_id } };
  },
  'PUT update/password': () => ({
    by: 'otherTeacher',
    body: { old_password: 'Teach2026', new_password: 'Teach2027', new_password_confirmation: 'Teach2027' },
  }),
  'POST /api/auth/second-factor': async (_, school) => {
    secret = (await school.as('otherTeacher').post('/api/auth/second-factor/secret')).body.data.secret;
    return { by: 'otherTeacher', body: { secret, code: codeAt(secret, noon) } };
  },
  'POST /api/auth/second-factor/recovery': (_, school) => {
    school.setNow(noon + 60);
    return { by: 'otherTeacher', body: { code: codeAt(secret, noon + 60) } };
  },
  'POST /api/auth/second-factor/off': (_, school) => {
    school.setNow(noon + 120);
    return { by: 'otherTeacher', body: { code: codeAt(secret, noon + 120) } };
  },
};

const tables = [
  'question',
  'question_collect',
  'homework',
  'session_student',
  'community_post',
  'community_collect',
  'class_notice',
  'class_meeting',
  'courseware',
  'lesson_ware',
  'class_ware',
  'ware_file',
  'attendance',
  'leave_batch',
  'sign_in',
] as const;

const changing: [name: string, call: AnyCall][] = subjects
  .flatMap(({ calls }) => calls.map(({ call }) => call))
  .filter((call) => call.changes && (pathForIdentity(call, 'teacher') ?? pathForIdentity(call, 'assist')) !== undefined)
  .map((call) => [`${call.method} ${pathOfAnyRole(call)}`, call]);

it('every changing call is sent here, tested in its subject, or listed with a reason', () => {
  const known = [deeds, held, reasons].flatMap((some) => Object.keys(some));
  expect(known.sort()).toEqual(changing.map(([name]) => name).sort());
});

onBothEngines('history of changing calls', (school) => {
  async function lay(): Promise<Made> {
    const { db } = school().database;
    const { people, classes } = school();
    const id = async (made: { executeTakeFirstOrThrow(): Promise<{ id: number }> }) =>
      (await made.executeTakeFirstOrThrow()).id;
    await db
      .insertInto('class_staff')
      .values({ class_id: classes.k1, staff_id: people.assist.id, duty: 'head' })
      .execute();
    const { school_id } = await db.selectFrom('staff').select('school_id').limit(1).executeTakeFirstOrThrow();
    const group = await id(
      db
        .insertInto('community_group')
        .values({ group_type: 2, class_id: null, school_id, name: '社团', created_at: noon, user_num: 1 })
        .returning('id'),
    );
    await db
      .insertInto('community_member')
      .values({ group_id: group, user_type: 2, staff_id: people.teacher.id, student_id: null, joined_at: noon })
      .execute();
    const large = await id(db.insertInto('large_class').values({ name: '大班', school_id }).returning('id'));
    await db.updateTable('class').set({ large_class_id: large }).where('id', '=', classes.k1).execute();
    const team = await addTeam(school());
    const lesson = (start: number) => addLesson(school(), { team, start });
    const { course, periods } = await addLessons(school(), {
      type: 7,
      classes: [classes.k2],
      starts: [noon + day, noon],
    });
    picture = await school().keepPicture();
    await db
      .updateTable('staff')
      .set({ password_hash: await hashPassword('Teach2026') })
      .where('id', '=', people.otherTeacher.id)
      .execute();
    for (const device of ['一', '二'])
      await issueToken(db, people.teacher.id, { device, address: '127.0.0.1', now: noon });
    return {
      category: await id(db.insertInto('ware_classify').values({ name: '同步', sort: 1 }).returning('id')),
      group,
      large,
      team: team.id,
      teamStudent: team.students[0] as number,
      otherTeamStudent: team.students[1] as number,
      ...(await layPapers()),
      held: await lesson(lessonTimes.held),
      coming: await lesson(lessonTimes.coming),
      later: await lesson(noon + 3 * day),
      partly: await school().addHomework({
        creator: 'teacher',
        classes: [classes.k1, classes.k2],
        published: [classes.k1],
      }),
      taught: course,
      soon: periods[0] as number,
      begun: periods[1] as number,
    };
  }

  /** Four equal submissions of a homework and of an exam: a blank, and an ungraded essay. */
  async function layPapers(): Promise<Made> {
    const { db } = school().database;
    const { people, classes, students } = school();
    const made: Made = {};
    const paper = await addPaper(school(), { creator: 'teacher', classes: [classes.k2] });
    const { part, essay } = paper.questions;
    await db
      .updateTable('homework_question')
      .set({ ques_type: 7, right_answer: '北京@@3', ques_option: '[]', score: 60 })
      .where('id', '=', part)
      .execute();
    const { school_id } = await db.selectFrom('staff').select('school_id').limit(1).executeTakeFirstOrThrow();
    const exam = await addExam(db, {
      creator: people.teacher.id,
      school: school_id,
      questions: [
        { type: 7, score: 60, right: '北京@@3', stem: '<p>____ ____</p>' },
        { type: 5, score: 40, right: '略' },
      ],
    });
    for (const [place, student] of students.k2.entries()) {
      made[`report${place}`] = await submitHomeworkReport(school(), paper, student, {
        part: '北京市@@3',
        partEssay: '',
      });
      made[`exam${place}`] = await handInExam(db, exam, student, ['北京市@@3', essayOf('略')]);
    }
    return { ...made, part, essay, examBlanks: exam.questions[0], examEssay: exam.questions[1] };
  }

  const lastIds = async (): Promise<Made> => {
    const last = async (table: (typeof tables)[number]) => {
      const { rows } = await sql<{ id: number }>`select max(id) as id from ${sql.table(table)}`.execute(
        school().database.db,
      );
      return [table, Number(rows[0]?.id ?? 0)] as const;
    };
    return Object.fromEntries(await Promise.all(tables.map(last)));
  };
  const noted = async () => countOf(school().database.db.selectFrom('history').where('action', '!=', 'viewed'));

  it('gets a row from every call', async () => {
    const calls = new Map(changing);
    const made = await lay();
    const wrong: string[] = [];
    for (const [name, deed] of Object.entries(deeds)) {
      Object.assign(made, await lastIds());
      const { by = 'teacher', path = [], query = {}, body } = await deed(made, school());
      const call = calls.get(name) as AnyCall;
      const ids = path.map(String);
      const address = `${pathForIdentity(call, school().people[by].identity)}`.replaceAll(
        /:\w+\??/g,
        () => ids.shift() ?? '',
      );
      const before = await noted();
      const asked = new URLSearchParams(Object.entries(query).map(([field, value]) => [field, String(value)]));
      const method = call.method === 'GET' ? 'post' : (call.method.toLowerCase() as 'post' | 'put' | 'delete');
      const answer = await school().as(by)[method](`${address}?${asked}`, body);
      if (answer.status !== 200) wrong.push(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
      else if ((await noted()) === before) wrong.push(`${name}: nothing is noted`);
      // The undo calls need these ids.
      const { judgment_id, batch_id, roll_id } = answer.body.data ?? {};
      Object.assign(made, { judgment_id, batch_id, roll_id });
    }
    expect(wrong).toEqual([]);
  });
});

/** Builds the address of every read call with ids of a school's records, found through the lists a person sees. */
import { type createApi, subjects } from '#server/api.ts';
import { catalogueKinds } from '#server/catalogue/rules.ts';
import { type AnyCall, pathOfAnyRole } from '#server/platform/calls/call.ts';
import { addressFor, type Identity, prefixes } from '#server/school/call.ts';

export interface Asking {
  method: string;
  /** Includes prefix and query. */
  address: string;
  body?: unknown;
}

/** Sends a call as one person; with `body` it is a POST. */
export type Ask = (asking: Asking) => Promise<{ status: number; data: unknown }>;

/** Sends calls to an API with a token; `data` is undefined if the answer is a file. */
export const askAs =
  (api: ReturnType<typeof createApi>, token: string): Ask =>
  async ({ method, address, body }) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body ? { body: JSON.stringify(body) } : {};
    const response = await api.fetch(new Request(`http://school.test${address}`, { method, headers, ...sent }));
    const text = await response.text();
    return { status: response.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
  };

type Row = Record<string, unknown>;
/** By name: the first visible record of each kind. */
export type Ids = Record<string, number | string | undefined>;

const rowsOf = (data: unknown): Row[] => {
  const list = Array.isArray(data) ? data : (data as { list?: unknown } | null)?.list;
  return Array.isArray(list) ? (list as Row[]) : [];
};

/** `now`: unix seconds. */
export async function findIds(ask: Ask, role: Identity, now: number): Promise<Ids> {
  const ids: Ids = { today: new Date(now * 1000 + 8 * 3600_000).toISOString().slice(0, 10) };
  const prefix = prefixes[role];
  const read = async (path: string, body?: unknown) => {
    const { data } = await ask({ method: body ? 'POST' : 'GET', address: `${prefix}/${path}`, body });
    return data;
  };
  const put = (name: string, value: unknown) => {
    if (value !== undefined && value !== null && value !== '') ids[name] ??= value as number | string;
  };

  const homework = rowsOf(await read('hw/index?limit=50')).filter(({ status }) => status !== 2);
  const graded = homework.find(
    (one) =>
      Number(one.ending_time) < now && one.not_revised_homework_count === 0 && Number(one.submitted_homework_count) > 0,
  );
  put('homework', (graded ?? homework[0])?.id);
  put('own', homework.find(({ is_owner }) => is_owner === 1)?.id);
  if (ids.homework) {
    put('homeworkClass', rowsOf(((await read(`hw/class/published/${ids.homework}`)) as Row | null)?.published)[0]?.id);
    const students = rowsOf(await read(`homework/students/${ids.homework}?status=3&limit=100`));
    put('report', students.find(({ status }) => status === 3)?.report_id);
    put('question', rowsOf(await read(`homework/question/analysis/${ids.homework}`))[0]?._id);
  }
  put('pending', rowsOf(await read('hw/correct', {}))[0]?.report_id);
  if (ids.pending) {
    const asked = rowsOf(await read('hw/review/detail', { report_id: ids.pending, type: 1 }));
    put('asked', (asked.find(({ ques_type }) => ques_type === 5) ?? asked[0])?.id);
  }
  put('bankQuestion', rowsOf(await read('ques/index'))[0]?.id);
  put('publicQuestion', rowsOf(await read('ques/public', {}))[0]?.id);
  const courses = role === 'teacher' ? 'teacher/myCourse' : 'hw/courses/choose';
  put('course', rowsOf(await read(`${courses}?is_create_hw=1`))[0]?.id);
  const ware = rowsOf(await read('courseWare'))[0];
  put('fid', ware?.fid);
  put('ware', ware?.id);
  for (const exam of rowsOf(await read('test/list?limit=20'))) {
    const reports = rowsOf(await read(`testDetail/list/${exam.id}?limit=200`));
    const waiting = reports.find(({ test_status }) => test_status === 2);
    put('anyExam', exam.id);
    if (reports.length > 0) put('exam', exam.id);
    put('examReport', reports.find(({ test_status }) => test_status !== 2)?.report_id);
    put('examPending', waiting?.report_id);
  }
  if (ids.examPending) {
    const sheet = JSON.stringify(await read(`testDetail/approved/${ids.examPending}`));
    put('examQuestion', /"(?:question_id|ques_id)":(\d+)/.exec(sheet)?.[1]);
  }
  if (ids.exam) {
    const figures = (await read(`test/questionStatistics/${ids.exam}`)) as { list: Row[] } | null;
    put('examAnswered', figures?.list[0]?.question_id);
  }
  const classes = rowsOf(await read('stateschoolclass?limit=50'));
  for (const { id } of classes.slice(0, 10)) {
    put('class', id);
    put('notice', rowsOf(await read(`announcement?class_id=${id}`))[0]?.id);
    const meetings = rowsOf(await read(`class/meeting/lists/${id}`));
    put('meeting', meetings.find(({ live_status }) => live_status !== 1)?.id);
    put('post', rowsOf(await read(`community/post/class/${id}`))[0]?.id);
    put('classWare', rowsOf(await read(`stateschoolcourseware?class_id=${id}`))[0]?.id);
    put('member', rowsOf(await read(`stateschoolstudent?class_id=${id}`))[0]?.id);
    const taken = rowsOf(await read(`stateschoolcourse?class_id=${id}`));
    const attended = taken.find((one) => one.is_view_Attendance === 1);
    if (!attended || ids.attended) continue;
    put('attended', attended.id);
    put('attendedClass', id);
    put('period', rowsOf(await read(`stateschoolcourse/studyperiods/${attended.id}/${id}`))[0]?.id);
  }
  if (ids.member) {
    const [studied] = rowsOf(await read(`stateschoolstudent/studycourses/${ids.member}`));
    put('studied', studied?.course_basis_id);
  }
  const lessons = rowsOf(await read('schedule/list?limit=100'));
  put('lesson', lessons.find(({ class_type }) => class_type === 3)?.id);
  put('oneToOne', lessons.find(({ class_type }) => class_type !== 3)?.id);
  put('lessonStudent', lessons[0]?.user_id);
  for (const { id } of lessons.slice(0, 30)) {
    put('lessonHomework', rowsOf(await read(`arrangeHomework/getHomeWorkRecord?type=3&type_id=${id}`))[0]?.hw_id);
  }
  if (role === 'assist') put('team', rowsOf(await read('teamClass'))[0]?.id);
  put('group', rowsOf(await read('community/group/myGroup?group_type=2'))[0]?.id);
  put('school', rowsOf(await read('schools'))[0]?.id);
  put('entry', rowsOf(await read('catalogue/grades'))[0]?.id);
  put('room', rowsOf(await read('catalogue/rooms'))[0]?.id);
  put('point', rowsOf(await read('points'))[0]?.id);
  put('circle', rowsOf(await read('circles'))[0]?.id);
  const student = rowsOf(await read('students?state=active'))[0];
  put('student', student?.id);
  put('memberClass', rowsOf(await read('students/classes?limit=50')).find((one) => Number(one.present) > 1)?.id);
  put('placed', rowsOf(await read(`classes/${ids.memberClass}/members?status=1`))[0]?.student_id);
  if (role === 'admin') {
    const all = rowsOf(await read('classes?limit=100'));
    put('administeredClass', all.find(({ class_type }) => class_type === 0)?.id);
    put('lessonClass', all.find(({ class_type, students_count }) => class_type === 3 && students_count !== 0)?.id);
    for (const { id, class_type } of all) {
      if (class_type !== 0 || ids.classGroup) continue;
      const { groups } = (await read(`classes/${id}/groups`)) as { groups: Row[] };
      if (groups.length > 0) put('grouped', id);
      put('classGroup', groups[0]?.id);
    }
    put('largeClass', rowsOf(await read('large-classes'))[0]?.id);
    put('administeredLesson', rowsOf(await read('lessons?status=2'))[0]?.id);
    if (ids.lessonClass) {
      put('contract', rowsOf(await read(`group-classes/${ids.lessonClass}/contracts`))[0]?.id);
      const offered = (await read(`lessons/options/${ids.lessonClass}`)) as { courses: Row[]; lecturers: Row[] };
      put('lessonCourse', offered.courses[0]?.id);
      put('lessonLecturer', offered.lecturers[0]?.id);
    }
  }
  put('holiday', rowsOf(await read('holidays'))[0]?.id);
  put('token', rowsOf(await read('tokens'))[0]?.id);
  put('rosterClient', rowsOf(await read('roster-clients'))[0]?.id);
  put('appliedImport', rowsOf(await read('import?state=applied'))[0]?.id);
  put('identityLink', rowsOf(await read('identity/links'))[0]?.id);
  const exams = role === 'admin' ? rowsOf(await read('exams')) : [];
  put('administeredExam', exams.find(({ state }) => state !== 'draft')?.id);
  put('examDraft', exams.find(({ state }) => state === 'draft')?.id);
  if (ids.examDraft) {
    const { detail } = (await read(`exams/${ids.examDraft}/paper`)) as { detail: { section: Row; question: Row[] }[] };
    put('draftSection', detail[0]?.section.id);
    put('draftQuestion', detail[0]?.question[0]?.id);
  }
  put('staff', rowsOf(await read('staff')).find(({ identity }) => identity === 'teacher')?.id);
  const taught = rowsOf(await read('courses')).find(({ periods }) => Number(periods) > 0);
  put('taught', taught?.id);
  if (taught) {
    put('taughtPeriod', rowsOf(await read(`courses/${taught.id}/periods`))[0]?.id);
    put('taughtChapter', rowsOf(await read(`courses/${taught.id}/chapters`))[0]?.id);
  }
  if (role === 'admin') {
    put('handedOut', rowsOf(await read('handouts?state=all'))[0]?.id);
    put('reported', rowsOf(await read('posts/reported?state=all'))[0]?.id);
    put('correction', rowsOf(await read('corrections?state=all'))[0]?.id);
    put('bankQuestionOfSchool', rowsOf(await read('questions'))[0]?.id);
  }
  return ids;
}

/** Path parameters in order, then the query; or the body of a POST that only reads. */
type Values = (ids: Ids) => { path?: unknown[]; query?: Record<string, unknown>; body?: Record<string, unknown> }[];

const plain: Values = () => [{}];
const by =
  (...names: string[]): Values =>
  (ids) =>
    names.map((name) => ({ path: [ids[name]] }));
const ofHomework: Values = (ids) => [{ path: [ids.homework] }, { path: [ids.lessonHomework] }];
const inClass: Values = (ids) => [
  { path: [ids.homework] },
  { path: [ids.homework, ids.homeworkClass] },
  { path: [ids.lessonHomework] },
];
const studentsOf: Values = ({ homework: hw_id, homeworkClass: class_id, question: ques_id }) => [
  { query: { hw_id, ques_id, class_id: 0 } },
  { query: { hw_id, ques_id, class_id } },
];
const figuresOf: Values = ({ homework: hw_id, homeworkClass: class_id }) => [
  { path: [hw_id], query: { hw_id, class_id: 0 } },
  { path: [hw_id], query: { hw_id, class_id } },
];
const ofReport: Values = ({ pending, report }) =>
  [1, 2].flatMap((type) => [
    { body: { report_id: pending, type } },
    { body: { report_id: report, type, class_id: 0 } },
  ]);
const byQuestion: Values = ({ pending, asked, homeworkClass }) =>
  [undefined, 'shuffled'].flatMap((order) => [
    { body: { report_id: pending, ques_id: asked, order } },
    { body: { report_id: pending, ques_id: asked, class_id: 0, order } },
    { body: { report_id: pending, ques_id: asked, class_id: homeworkClass, order } },
  ]);
const ofExamQuestion: Values = ({ examPending, examQuestion }) => [
  { body: { report_id: examPending, question_id: examQuestion } },
  { body: { report_id: examPending, question_id: examQuestion, order: 'shuffled' } },
];
const ofClass: Values = (ids) => [{ query: { class_id: ids.class } }, { query: { class_id: ids.attendedClass } }];
const month: Values = ({ today }) => [
  { query: { date: today } },
  { query: { date: '2026-02-01', until: '2027-02-01' } },
];

/** Keyed by the lecturer's path, or the assistant's if lecturers lack the call. */
const values: Record<string, Values> = {
  workbench: plain,
  'workbench/counts': plain,
  search: () => ['王', 'wx', '1', '0001', '一次', '100%_\\'].map((q) => ({ query: { q } })),
  'hw/names': ({ class: class_id }) => [{}, { query: { class_id } }],
  'hw/usualScore': plain,
  'hw/review/pinned': plain,
  'hw/index': () => [{}, { query: { show_other: 1 } }, { query: { page: 3 } }],
  'class/homework/:classId': by('class', 'homeworkClass'),
  'hw/publish/button/:id': by('own', 'homework'),
  'hw/class/published/:id': by('own', 'homework'),
  'hw/review/id': ({ homework: hw_id, homeworkClass: class_id, member: uid }) => [{ body: { hw_id, class_id, uid } }],
  'teacher/myCourse': () => [{}, { query: { is_create_hw: 1 } }],
  'hw/choose/periods/:courseId': by('course'),
  'hw/publish/classes': ({ course }) =>
    [1, 2, 3].map((publish_scope) => ({ query: { course_basis_id: course, publish_scope } })),
  'hw/history': plain,
  'hw/choose/:ids?': by('own', 'homework'),
  'hw/copy/:id': by('own', 'homework'),
  'hw/remedial/:id': ({ own, homework, question: ques_ids }) => [
    { path: [own] },
    { path: [homework] },
    { path: [homework], query: { ques_ids } },
  ],
  // Drafts of the publish form have no list; the id is one that does not exist.
  'hw/draft/:id': () => [{ path: ['1'] }],
  'arrangeHomework/getClassHomeWorkRecord': ({ team }) => [{ query: { class_id: team, type: 3 } }],
  'arrangeHomework/getHomeWorkRecord': ({ lesson }) => [{ query: { type: 3, type_id: lesson } }],
  'hw/correct': () => [{ body: {} }],
  'hw/correct/groups': () => [{ body: {} }, { body: { nickname: '王', publish_start: '2026-01-01' } }],
  'hw/correct/quantity': plain,
  'hw/review/list': ofReport,
  'hw/review/detail': ofReport,
  'hw/review/question': byQuestion,
  'hw/review/same': byQuestion,
  'testDetail/approvedSame': ofExamQuestion,
  'student/report/:reportId': by('report', 'pending'),
  'class/student/report/:reportId/:classId': ({ report, homeworkClass }) => [{ path: [report, homeworkClass] }],
  'testDetail/review/id': ({ exam: test_id }) => [{ body: { test_id } }],
  'testDetail/approved/:reportId': by('examPending', 'examReport'),
  'testDetail/approvedQuestion': ofExamQuestion,
  'testDetail/approvedHistory/:reportId': by('examPending', 'examReport'),
  'homework/students/:hwId': ofHomework,
  'class/homework/students/:classId/:hwId': ({ homework, homeworkClass }) => [{ path: [homeworkClass, homework] }],
  'arrangeHomework/homework/students/:hwId': by('lessonHomework'),
  'class/homework/absent/:classId': by('class', 'homeworkClass'),
  'homework/reminder/:hwId/:classId?': inClass,
  'homework/:hwId': ({ homework, homeworkClass, report }) => [
    { path: [homework] },
    { path: [homework], query: { class_id: homeworkClass } },
    { path: [homework], query: { report_id: report } },
  ],
  'class/homework/detail/:classId/:hwId': ({ homework, homeworkClass }) => [{ path: [homeworkClass, homework] }],
  'arrangeHomework/homework/:hwId': by('lessonHomework'),
  'homework/question/analysis/:hwId/:classId?': inClass,
  'homework/transcripts/detail/:hwId/:classId?': inClass,
  'homework/transcripts/:hwId/:classId?': inClass,
  'homework/export/transcripts/:hwId/:classId?': inClass,
  'homework/grade/distribution/students/:hwId/:classId?': ({ homework, homeworkClass }) => [
    { path: [homework], query: { min: 0, max: 60 } },
    { path: [homework, homeworkClass], query: { min: 60, max: 100 } },
  ],
  'homework/export/answer/students': ({ homework: hw_id, question: ques_id }) => [
    { query: { hw_id, ques_id, class_id: 0, group: 'wrong' } },
  ],
  'homework/export/grade/distribution/students/:hwId/:classId?': ({ homework }) => [
    { path: [homework], query: { band: 60 } },
  ],
  'homework/grade/distribution/:hwId/:classId?': inClass,
  'homework/questionsTypeStatistics/:hwId': figuresOf,
  'homework/questionsStatistics/:hwId': figuresOf,
  'student/homework/progress/:reportId': by('report', 'pending'),
  'student/homework/:reportId': by('report', 'pending'),
  'hw/preview/:hwId': ofHomework,
  'teacher/homework/download/:hwId': by('homework'),
  'homework/answer/detail/:hwId/:classId?': inClass,
  'class/homework/answer/detail/:hwId/:classId?': inClass,
  'homework/answer/right/students': studentsOf,
  'homework/answer/part/students': studentsOf,
  'homework/answer/wrong/students': studentsOf,
  'homework/answered/students': studentsOf,
  'homework/unanswer/students': studentsOf,
  'homework/answer/waiting/students': studentsOf,
  'class/homework/answer/right/students': studentsOf,
  'class/homework/answer/part/students': studentsOf,
  'class/homework/answer/wrong/students': studentsOf,
  'class/homework/answered/students': studentsOf,
  'class/homework/unanswer/students': studentsOf,
  'class/homework/answer/waiting/students': studentsOf,
  'test/list': () => [{}, { query: { waiting: 1 } }],
  'test/names': plain,
  'teacher/testClassify': plain,
  'testDetail/getTestInfo/:id': by('exam', 'anyExam'),
  'testDetail/list/:id': by('exam', 'anyExam'),
  'test/getInfo/:id': by('exam', 'anyExam'),
  'test/studentStatistics': ({ exam }) => [
    { body: { test_id: exam } },
    { body: { test_id: exam, is_pass: 1, is_effective: 1, sort_field: 'user_score', sort: 'desc' } },
  ],
  'test/export': ({ exam }) => [{ body: { test_id: exam } }],
  'test/getSchoolInfo': plain,
  'test/questionStatistics/:id': by('exam', 'anyExam'),
  'test/answerStudents/:id/:questionId': ({ exam, examAnswered }) =>
    ['part', 'wrong', 'unanswered', 'waiting'].map((group) => ({ path: [exam, examAnswered], query: { group } })),
  'test/export/answerStudents/:id/:questionId': ({ exam, examAnswered }) => [
    { path: [exam, examAnswered], query: { group: 'wrong' } },
  ],
  'testDetail/preview/:id': by('exam', 'anyExam'),
  'testDetail/download/:id': ({ exam }) => [{ path: [exam], body: { variant: 'paper' } }],
  'testDetail/report/:reportId': by('examReport', 'examPending'),
  'download/pdf': () => [{ body: { html: '<p>一页</p>', css: '' } }],
  '/exports/:token': () => [{ path: ['0'.repeat(43)] }],
  'ques/index': () => [{}, { query: { with_preview: 1 } }, { query: { for_picker: 1 } }],
  'ques/public': () => [{ body: {} }, { body: { with_preview: 1 } }],
  'ques/point': plain,
  'ques/point/pick': plain,
  'ques/show/:ids': by('bankQuestion'),
  'ques/public/detail/:ids': by('publicQuestion'),
  'ques/display': () => [{ body: { texts: ['<p>$x^2$</p>'] } }],
  'ques/template/:format': () => [{ path: [1] }, { path: [2] }],
  'ques/importing/:importId': () => [{ path: ['1'] }],
  'schedule/list': () => [{}, { query: { status: 1, class_type: 3 } }],
  'schedule/detail/:id': by('lesson', 'oneToOne'),
  'teacherSchedule/scheduleDetail/:id': by('lesson', 'oneToOne'),
  'teacherSchedule/detailClassTime/:id': by('lesson', 'oneToOne'),
  'teacherSchedule/getClassTimeStudent/:id': by('lesson', 'oneToOne'),
  'schedule/communication/:id': ({ lesson, lessonStudent }) => [{ path: [lesson], query: { user_id: lessonStudent } }],
  teamClass: plain,
  'teamClass/:id': by('team'),
  'teamClass/student/getTeamClassStudentList/:id': by('team'),
  'teamClass/classTime/list/:id': by('team'),
  'teamClass/classTime/student/classAttendance/:id': by('team'),
  'teamClass/classTime/rollcall/:id': by('lesson', 'oneToOne'),
  'commonFilter/classify': plain,
  'commonFilter/grade': plain,
  'commonFilter/subject': plain,
  'commonFilter/room': plain,
  stateschoolclass: () => [{}, { query: { only_mine: 1 } }],
  'stateschoolclass/large/list': plain,
  'stateschoolclass/:id': by('class', 'attendedClass'),
  stateschoolstudent: ofClass,
  stateschoolcourse: ofClass,
  'community/post/class/:classId': by('class', 'attendedClass'),
  'community/post/mine': () => [1, 2, 3].map((tab) => ({ query: { tab } })),
  'community/post/:id': by('post'),
  'community/group/myGroup': () => [1, 2].map((group_type) => ({ query: { group_type } })),
  'community/group/post/:id': by('group'),
  'community/group/:id': by('group'),
  announcement: ofClass,
  'announcement/:id': by('notice'),
  'class/meeting/lists/:classId': by('class', 'attendedClass'),
  'class/meeting/code/:id': by('meeting'),
  'class/meeting/statistics/:id': by('meeting'),
  'class/meeting/:id': by('meeting'),
  courseWare: () => [{}, { query: { is_own: 1, ware_type: 1 } }],
  courseWareClassify: plain,
  'courseWare/preview/info': ({ fid }) => [{ query: { fid } }],
  'courseWare/file/:fid': by('fid'),
  'courseWare/library/:id': by('ware'),
  'courseWare/lesson': ({ lesson }) => [{ query: { times_id: lesson, times_type: 1 } }],
  stateschoolcourseware: ofClass,
  'stateschoolcourseware/:id': by('classWare'),
  'stateschoolclass/studyanalysis/:classId': by('class', 'attendedClass'),
  'stateschoolclass/studyanalysis/export': ({ class: class_id }) => [{ body: { class_id } }],
  'leave/getLeaveList/:classId': by('class', 'attendedClass'),
  'leave/inbox': () => [{}, { query: { waiting: 1, title: '课', nickname: '王', start: '2026-01-01' } }],
  'leave/inbox/undoable': plain,
  'leave/pending/:classId': by('class', 'attendedClass'),
  'leave/undoable/:classId': by('class', 'attendedClass'),
  'attendance/rollcall/:periodId': ({ period, attendedClass }) => [
    { path: [period] },
    { path: [period], query: { class_id: attendedClass } },
  ],
  'stateschoolstudent/:id': by('member'),
  'stateschoolstudent/studycourses/:id': by('member'),
  'stateschoolstudent/studyperiods/:id': ({ member, studied }) => [{ path: [member], query: { course_id: studied } }],
  'stateschoolstudent/exportStudy': ({ member: id }) => [{ body: { id } }],
  'stateschoolcourse/:id': ({ attended, attendedClass }) => [{ path: [attended], query: { class_id: attendedClass } }],
  'stateschoolcourse/studyperiods/:id/:classId': ({ attended, attendedClass }) => [{ path: [attended, attendedClass] }],
  'stateschoolcourse/studystudents/:id/:classId': ({ attended, attendedClass, period, member }) => [
    { path: [attended, attendedClass], query: { period_id: period } },
    { path: [attended, attendedClass], query: { uid: member } },
  ],
  'stateschoolcourse/exportStudy': ({ attended, attendedClass }) => [{ body: { id: attended, class: attendedClass } }],
  'teacher/month/course': month,
  'teacher/courseCalendar': month,
  'stateschoolclass/monthCourse/:classId': ({ class: id, today }) => [{ path: [id], query: { date: today } }],
  'stateschoolclass/classCalendar/:classId': ({ class: id, today }) => [{ path: [id], query: { date: today } }],
  'calendar/feed': () => [{}],
  'live/enter': ({ lesson, period, meeting }) => [
    { query: { type: 'course', id: lesson } },
    { query: { type: 'period', id: period } },
    { query: { type: 'meeting', id: meeting } },
  ],
  information: plain,
  '/api/auth/me': plain,
  '/api/auth/second-factor': plain,
  'account/devices': plain,
  'account/identities': plain,
  'admin/overview': plain,
  'admin/staff': () => [{}, { query: { state: 'new', name: '王' } }, { query: { page: 3 } }],
  'admin/staff/schools': plain,
  'admin/staff/:id': by('staff'),
  'admin/settings': plain,
  'admin/system': plain,
  'admin/backups': plain,
  'admin/identity': plain,
  'admin/identity/links': () => [{}, { query: { state: 'waiting', name: '王', provider: 'cas' } }],
  'admin/identity/links/:id': by('identityLink'),
  'admin/roster-clients': () => [{}, { query: { state: 'in-use', name: '平台' } }],
  'admin/roster-clients/schools': plain,
  'admin/roster-clients/:id': by('rosterClient'),
  'admin/tokens': () => [{}, { query: { state: 'ended', name: '学习' } }],
  'admin/tokens/schools': plain,
  'admin/tokens/:id': by('token'),
  'admin/tokens/:id/webhook': by('token'),
  'admin/jobs': plain,
  'admin/holidays': () => [{}, { query: { year: 2026 } }],
  'admin/holidays/national': () => [{ query: { year: 2026 } }, { query: { year: 2027 } }, { query: { year: 2150 } }],
  'admin/holidays/years': plain,
  'admin/schools': () => [{}, { query: { state: 'away', name: '校' } }],
  'admin/schools/:id': by('school'),
  'admin/rooms/schools': plain,
  'admin/catalogue/:kind': () =>
    catalogueKinds.flatMap((kind) => [{ path: [kind] }, { path: [kind], query: { all: 1, name: '一', page: 3 } }]),
  'admin/catalogue/:kind/:id': ({ entry, room }) => [{ path: ['grades', entry] }, { path: ['rooms', room] }],
  'admin/points': ({ point }) => [{}, { query: { open: point } }, { query: { whole: 1 } }, { query: { name: '函数' } }],
  'admin/points/:id': by('point'),
  'admin/circles': () => [{}, { query: { state: 'away', name: '圈' } }],
  'admin/circles/:id': by('circle'),
  'admin/circles/:id/members': ({ circle }) => [{ path: [circle] }, { path: [circle], query: { user_type: 1 } }],
  'admin/students': () => [
    {},
    { query: { name: 'w', sort_field: 'nickname', state: 'unplaced' } },
    { query: { page: 3 } },
  ],
  'admin/students/choices': plain,
  'admin/students/classes': plain,
  'admin/students/:id': by('student'),
  'admin/students/:id/classes': by('student'),
  'admin/students/:id/homework': by('student'),
  'admin/students/:id/exams': by('student'),
  'admin/students/:id/attendance': by('student'),
  'admin/students/:id/leave': by('student'),
  'admin/students/:id/communication': by('student'),
  'admin/students/:id/history': by('student'),
  'admin/students/:id/erasure': by('student'),
  'admin/students/:id/export': by('student'),
  'admin/classes/:id/members': by('memberClass'),
  'admin/classes/:id/membership': by('memberClass'),
  'admin/classes/:id/members/joining': ({ memberClass, student }) => [{ path: [memberClass], query: { ids: student } }],
  'admin/classes/:id/members/leaving': ({ memberClass, placed }) => [{ path: [memberClass], query: { ids: placed } }],
  'admin/courses': () => [{}, { query: { title: 'sx', state: 'active', type: 2 } }, { query: { page: 3 } }],
  'admin/courses/choices': plain,
  'admin/courses/:id': by('taught'),
  'admin/courses/:id/chapters': by('taught'),
  'admin/courses/:id/periods': by('taught'),
  'admin/periods/:id': by('taughtPeriod'),
  'admin/courses/:id/periods/preview': ({ taught, today }) => [
    {
      path: [taught],
      body: { weekdays: [1, 3], time: '19:30', first_day: today, count: 20, minutes: 60, periods_type: 1 },
    },
  ],
  'admin/courses/:id/copy/preview': ({ taught, today }) => [
    { path: [taught], body: { title: '副本', first_day: today } },
  ],
  'admin/classes': () => [{}, { query: { class_type: 3, state: 'running' } }, { query: { name: 'gao', page: 2 } }],
  'admin/classes/options': plain,
  'admin/classes/:id': by('administeredClass', 'lessonClass'),
  'admin/classes/:id/history': by('administeredClass'),
  'admin/classes/:id/groups': by('administeredClass'),
  'admin/classes/:id/groups/:groupId': ({ grouped, classGroup }) => [{ path: [grouped, classGroup] }],
  'admin/large-classes': plain,
  'admin/large-classes/:id': by('largeClass'),
  'admin/group-classes': () => [{}, { query: { class_type: 1 } }],
  'admin/group-classes/:id': by('lessonClass'),
  'admin/group-classes/:id/contracts': by('lessonClass'),
  'admin/group-classes/:id/contracts/:memberId': ({ lessonClass, contract }) => [{ path: [lessonClass, contract] }],
  'admin/lessons': () => [{}, { query: { status: 2 } }, { query: { start_at: '2026-01-01' } }],
  'admin/lessons/:id': by('administeredLesson'),
  'admin/lessons/options/:classId': by('lessonClass'),
  'admin/lessons/preview': ({ lessonClass: class_id, lessonCourse: course_id, lessonLecturer, today: first_day }) => [
    { body: { class_id, course_id, lecturer_id: lessonLecturer, first_day, start: '09:00', end: '10:00' } },
  ],
  'admin/exams': () => [{}, { query: { state: 'running', name: '考' } }, { query: { page: 3 } }],
  'admin/exams/choices': plain,
  'admin/exams/:id': by('administeredExam', 'examDraft'),
  'admin/exams/:id/paper': by('administeredExam', 'examDraft'),
  'admin/exams/:id/questions/:questionId': ({ examDraft, draftQuestion }) => [{ path: [examDraft, draftQuestion] }],
  'admin/exams/bank': ({ staff: owner_id }) => [
    { query: { bank: 'public' } },
    { query: { bank: 'mine' } },
    { query: { bank: 'colleague', owner_id } },
  ],
  'admin/exams/bank/choices': plain,
  'admin/exams/template/:format': () => [{ path: [1] }, { path: [2] }],
  'admin/exams/importing/:importId': () => [{ path: ['1'] }],
  'admin/import': () => [{}, { query: { state: 'applied' } }, { query: { waiting: '1' } }],
  'admin/import/sources': plain,
  'admin/import/template': plain,
  'admin/import/export': () => [{ body: {} }, { body: { form: 'oneroster' } }],
  'admin/import/:id': () => [{ path: [1] }],
  'admin/import/:id/mapping': () => [{ path: [1] }, { path: [1], query: { kind: 'staff' } }],
  'admin/import/:id/rows': () => [{ path: [1], query: { kind: 'student', verdict: 'new', name: '王' } }],
  'admin/import/:id/remarks': () => [{ path: [1] }],
  'admin/import/:id/refused': () => [{ path: [1] }],
  'admin/import/:id/undo': by('appliedImport'),
  'admin/import/:id/week': () => [{ path: [1] }, { path: [1], query: { day: '2026-11-20' } }],
  'admin/import/timetable': () => [{}, { query: { school_id: 1 } }],
  'admin/import/roll-over': () => [{}, { query: { school_id: 1 } }],
  'admin/handouts': () => [{}, { query: { state: 'all', name: '讲义', start: '2026-01-01' } }],
  'admin/handouts/schools': plain,
  'admin/handouts/undoable': plain,
  'admin/handouts/:id/file': by('handedOut'),
  'admin/posts/reported': () => [{}, { query: { state: 'all', name: '一' } }],
  'admin/posts/reported/schools': plain,
  'admin/posts/reported/:id': by('reported'),
  'admin/questions': () => [{}, { query: { bank: 'own', owner: '王', ques_stem: '一' } }],
  'admin/questions/points': plain,
  'admin/questions/share/effect': ({ bankQuestionOfSchool }) => [
    { query: { ids: bankQuestionOfSchool, is_public: 1 } },
  ],
  'admin/questions/:id': by('bankQuestionOfSchool'),
  'admin/questions/display': () => [{ body: { texts: ['一'] } }],
  'admin/corrections': () => [{}, { query: { state: 'all', name: '一' } }],
  'admin/corrections/:id': by('correction'),
  'admin/history': () => [
    {},
    { query: { who: 'admin', record: 'staff', action: 'edit', start: '2026-01-01' } },
    { query: { student: '一' } },
  ],
  'admin/history/export': () => [{ body: {} }],
  'ques/corrections/:id': by('publicQuestion'),
  'files/:year/:month/:name': () => [{ path: [2026, 11, 'none.png'] }],
};

export const readingCalls: AnyCall[] = subjects.flatMap(({ calls }) =>
  calls.map(({ call }) => call).filter((call) => !call.changes),
);

/** The call's first path; administrators' calls with the prefix, since other roles share their paths. */
const nameOf = (call: AnyCall): string =>
  call.roles?.length === 1 ? `${call.roles[0]}/${pathOfAnyRole(call)}` : pathOfAnyRole(call);

/** Lists read calls without sample values, and sample values without a call. */
export function unaskedReadings(): string[] {
  const known = new Set(Object.keys(values));
  const declared = new Set(readingCalls.map(nameOf));
  return [...declared].filter((name) => !known.has(name)).concat([...known].filter((name) => !declared.has(name)));
}

const filled = (path: string, given: readonly unknown[]): string => {
  let at = 0;
  return path
    .split('/')
    .map((part) => {
      if (!part.startsWith(':')) return part;
      const value = given[at];
      at += 1;
      // Without a record of that kind: another person's id, which answers 404.
      return value === undefined ? (part.endsWith('?') ? '' : '1') : String(value);
    })
    .join('/')
    .replace(/\/$/, '');
};

const known = (fields: Record<string, unknown> | undefined): [string, unknown][] =>
  Object.entries(fields ?? {}).filter(([, value]) => value !== undefined);

const withQuery = (address: string, query: readonly [string, unknown][]): string =>
  query.length === 0
    ? address
    : `${address}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, String(value)]))}`;

/** Field names of an object schema, also behind a pipe. */
function fieldsOf(schema: unknown): string[] {
  const { entries, pipe } = (schema ?? {}) as { entries?: object; pipe?: unknown[] };
  return entries ? Object.keys(entries) : pipe ? fieldsOf(pipe[0]) : [];
}

/**
 * Lists the addresses of a call for a person: without filters, and with `filters` also with each filter alone. Empty if
 * the role lacks the call.
 */
export function askingsOf(call: AnyCall, role: Identity, ids: Ids, each: 'plain' | 'filters'): Asking[] {
  const path = addressFor(call, role);
  const asked = values[nameOf(call)];
  if (path === undefined || !asked) return [];
  const { method } = call;
  const plainly = asked(ids).map(({ path: given = [], query, body }): Asking => {
    const address = withQuery(filled(path, given), call.query ? known(query) : []);
    return method === 'GET' ? { method, address } : { method, address, body: Object.fromEntries(known(body)) };
  });
  const [first] = plainly;
  if (!first || each === 'plain') return plainly;
  const filters = fieldsOf(call.query ?? call.body).flatMap((name) =>
    ['1', '一'].map((value): [string, unknown] => [name, value]),
  );
  const [start = '', ownQuery] = first.address.split('?');
  const own = [...new URLSearchParams(ownQuery)];
  const filtered = filters
    .filter(([name]) => method === 'GET' && !own.some(([taken]) => taken === name))
    .map((filter): Asking => ({ method, address: withQuery(start, [...own, filter]) }));
  const posted = filters
    .filter(([name]) => method !== 'GET' && !(name in (first.body as object)))
    .map(([name, value]): Asking => ({ ...first, body: { ...(first.body as object), [name]: value } }));
  return [...plainly, ...filtered, ...posted];
}

/** Addresses of screens that need a record and that no first page links to. */
export function screensOf(ids: Ids): string[] {
  const { homework, homeworkClass, report, pending, exam, examPending, examReport } = ids;
  const addresses: [string, Record<string, unknown>][] = [
    ['/homework/detail', { hw_id: homework, class_id: 0 }],
    ['/homework/detail', { hw_id: ids.lessonHomework, from: 'arrange' }],
    ['/classes/homework', { hw_id: homework, class_id: homeworkClass }],
    ['/homework/statistics', { hw_id: homework, class_id: 0 }],
    ['/homework/student-statistics', { hw_id: homework, class_id: 0, report_id: report }],
    ['/homework/student', { report_id: report }],
    ['/homework/preview', { hw_id: homework }],
    ['/homework/answers', { hw_id: homework, class_id: 0 }],
    ['/homework/approve', { report_id: pending, class_id: 0 }],
    ['/homework/approve', { report_id: pending, class_id: 0, ques_id: ids.asked, by: 'question' }],
    ['/homework/approve/finish-all', { report_id: pending, class_id: 0, ques_id: ids.asked, by: 'question' }],
    ['/homework/approve/comments', { report_id: pending, class_id: 0, ques_id: ids.asked, by: 'question' }],
    ['/homework/approve/same', { report_id: pending, class_id: 0, ques_id: ids.asked, by: 'question' }],
    ['/homework/approve/view', { report_id: report, class_id: 0 }],
    ['/homework/publish', { type: 'copy', id: ids.own }],
    ['/homework/publish', { arrange_id: ids.lesson, arrange_type: 4 }],
    ['/homework/publish/course', {}],
    ['/homework/publish/history', {}],
    ['/homework/publish/questions', {}],
    ['/homework/publish/question', {}],
    ['/homework/question', { id: ids.bankQuestion }],
    ['/homework/question/correction', { id: ids.publicQuestion }],
    ['/homework/question/edit', { id: ids.bankQuestion }],
    ['/exams/detail', { id: exam }],
    ['/exams/preview', { id: exam }],
    ['/exams/preview/download', { id: exam }],
    ['/exams/approve', { report_id: examPending }],
    ['/exams/approve', { report_id: examPending, ques_id: ids.examQuestion, by: 'question' }],
    ['/exams/approve/finish-all', { report_id: examPending, ques_id: ids.examQuestion, by: 'question' }],
    ['/exams/approve/comments', { report_id: examPending, ques_id: ids.examQuestion }],
    ['/exams/approve/same', { report_id: examPending, ques_id: ids.examQuestion, by: 'question' }],
    ['/exams/approve/view', { report_id: examReport }],
    ['/classes/student', { id: ids.member, class_id: ids.class }],
    ['/classes/meeting', { class_id: ids.class }],
    ['/classes/notice', { class_id: ids.class }],
    ['/courseware/preview', { fid: ids.fid }],
    ['/courseware/lesson', { times_id: ids.lesson, times_type: 3 }],
    ['/sessions/communication', { id: ids.lesson, user_id: ids.lessonStudent }],
    ['/curriculum/detail', { id: ids.team, tab: 1 }],
    ['/live', { type: 'course', id: ids.lesson }],
    ...['continue', 'deadline'].flatMap((dialog): [string, Record<string, unknown>][] => [
      [`/homework/detail/${ids.own}/${dialog}`, { hw_id: ids.own }],
      [`/classes/homework/${ids.own}/${dialog}`, { hw_id: ids.own, class_id: homeworkClass }],
    ]),
    ['/homework/approve/finish', { report_id: pending, class_id: 0 }],
    ['/exams/approve/finish', { report_id: examPending }],
    [`/sessions/class/evaluate/${ids.lessonStudent}`, { id: ids.lesson }],
    [`/sessions/one-to-one/evaluate/${ids.lessonStudent}`, { id: ids.lesson }],
    ['/admin', {}],
    ['/admin/staff/edit', { id: ids.staff }],
    ...['', '/disable', '/enable', '/password', '/sign-out', '/second-factor'].map(
      (dialog): [string, Record<string, unknown>] => [`/admin/staff/detail${dialog}`, { id: ids.staff }],
    ),
    ['/admin/students/add', {}],
    ['/admin/students/edit', { id: ids.student }],
    ...['', '/disable', '/enable', '/delete', '/erase'].map((dialog): [string, Record<string, unknown>] => [
      `/admin/students/detail${dialog}`,
      { id: ids.student },
    ]),
    ['/admin/students/pick', { class_id: ids.memberClass }],
    ['/admin/students/join', { ids: ids.student }],
    ['/admin/students/class', { id: ids.memberClass }],
    ['/admin/students/class/join', { id: ids.memberClass, ids: ids.student }],
    ['/admin/students/class/leave', { id: ids.memberClass, ids: ids.placed }],
    ...['edit', 'put-away', 'restore', 'delete'].flatMap((dialog): [string, Record<string, unknown>][] => [
      [`/admin/schools/${ids.school}/${dialog}`, {}],
      [`/admin/catalogue/${ids.entry}/${dialog}`, {}],
      [`/admin/catalogue/${ids.room}/${dialog}`, { kind: 'rooms' }],
    ]),
    ...['school', 'sign-in', 'keeping', 'messages', 'live'].map((tab): [string, Record<string, unknown>] => [
      '/admin/settings',
      { tab },
    ]),
    ['/admin/tokens', {}],
    ['/admin/tokens/add', {}],
    ['/admin/tokens/webhook', { token: ids.token }],
    ['/admin/tokens/end', { token: ids.token }],
    ['/admin/identity', {}],
    ...['oidc', 'cas', 'wecom', 'dingtalk', 'feishu'].map((kind): [string, Record<string, unknown>] => [
      '/admin/identity/provider',
      { kind },
    ]),
    ['/admin/staff/identities', {}],
    ['/admin/staff/identities/add', { link: ids.identityLink }],
    ...['approve', 'reject', 'remove'].map((dialog): [string, Record<string, unknown>] => [
      `/admin/staff/identities/${dialog}`,
      { link: ids.identityLink },
    ]),
    ['/admin/roster-clients', {}],
    ['/admin/roster-clients/add', {}],
    ['/admin/roster-clients/end', { client: ids.rosterClient }],
    ['/admin/system', {}],
    ['/admin/holidays', {}],
    ['/admin/backups', {}],
    ['/admin/jobs', {}],
    ['/admin/holidays/national', { year: 2027 }],
    ['/admin/holidays/remove', { day: ids.holiday }],
    ['/login/code', {}],
    ['/account/second-factor', {}],
    ['/admin/schools/add', {}],
    ['/admin/catalogue/add', { kind: 'rooms' }],
    ['/admin/catalogue/add', { kind: 'exam-categories' }],
    ['/admin/points', { open: ids.point }],
    ['/admin/points/add', { under: ids.point }],
    ['/admin/points/many', {}],
    [`/admin/points/${ids.point}/edit`, {}],
    ['/admin/points/move', { id: ids.point }],
    ['/admin/points/merge', { id: ids.point }],
    ...[ids.entry, ids.room].map((entry, at): [string, Record<string, unknown>] => [
      `/admin/catalogue/${entry}/merge`,
      { kind: ['grades', 'rooms'][at] },
    ]),
    ['/admin/courses', { title: 'sx' }],
    ['/admin/courses/add', {}],
    ...['edit', 'copy', 'detail', 'detail/cover', 'detail/put-away', 'detail/delete', 'detail/chapter'].map(
      (screen): [string, Record<string, unknown>] => [`/admin/courses/${screen}`, { id: ids.taught }],
    ),
    ['/admin/courses/detail', { id: ids.taught, tab: 'chapters' }],
    ...['move', 'delete'].map((dialog): [string, Record<string, unknown>] => [
      `/admin/courses/detail/periods/${ids.taughtPeriod}/${dialog}`,
      { id: ids.taught },
    ]),
    ...['rename', 'delete'].map((dialog): [string, Record<string, unknown>] => [
      `/admin/courses/detail/chapters/${ids.taughtChapter}/${dialog}`,
      { id: ids.taught, tab: 'chapters' },
    ]),
    ['/admin/courses/periods/add', { course_id: ids.taught }],
    ['/admin/courses/periods/series', { course_id: ids.taught }],
    ['/admin/courses/periods/edit', { id: ids.taughtPeriod }],
    ['/admin/classes/edit', { id: ids.administeredClass }],
    ...['particulars', 'staff', 'courses', 'groups', 'history'].map((tab): [string, Record<string, unknown>] => [
      '/admin/classes/detail',
      { id: ids.administeredClass, tab },
    ]),
    ...['end', 'reopen', 'remove', 'groups/add'].map((dialog): [string, Record<string, unknown>] => [
      `/admin/classes/detail/${dialog}`,
      { id: ids.administeredClass },
    ]),
    ...['edit', 'remove'].map((dialog): [string, Record<string, unknown>] => [
      `/admin/classes/detail/groups/${ids.classGroup}/${dialog}`,
      { id: ids.grouped },
    ]),
    ['/admin/classes/detail', { id: ids.lessonClass, tab: 'contracts' }],
    [`/admin/classes/detail/contracts/${ids.contract}`, { id: ids.lessonClass, tab: 'contracts' }],
    ['/admin/classes/large/add', {}],
    [`/admin/classes/large/${ids.largeClass}/edit`, {}],
    ['/admin/group-classes/edit', { id: ids.lessonClass }],
    ['/admin/lessons/add', { class_id: ids.lessonClass }],
    ['/admin/lessons/edit', { id: ids.administeredLesson }],
    ...['cancel', 'move', 'restore'].map((deed): [string, Record<string, unknown>] => [
      `/admin/lessons/${deed}`,
      { pick: ids.administeredLesson },
    ]),
    ['/admin/circles/add', {}],
    ['/admin/circles/detail/restore', { id: ids.circle }],
    ['/admin/courses/detail/restore', { id: ids.taught }],
    ...['section', `${ids.draftSection}/edit`, `${ids.draftSection}/delete`, `question/${ids.draftQuestion}`].map(
      (dialog): [string, Record<string, unknown>] => [`/admin/exams/paper/${dialog}`, { id: ids.examDraft }],
    ),
    ['/admin/exams/paper/questions', { id: ids.examDraft, section: ids.draftSection }],
    ['/admin/exams/question/add', { id: ids.examDraft, section: ids.draftSection }],
    ['/admin/exams/question/edit', { id: ids.examDraft, question: ids.draftQuestion }],
    ['/admin/exams/import', { id: ids.examDraft, section: ids.draftSection }],
    ...['edit', 'paper', 'detail', 'detail/publish', 'detail/delete'].map((what): [string, Record<string, unknown>] => [
      `/admin/exams/${what}`,
      { id: ids.examDraft },
    ]),
    ...['', '/edit', '/put-away', '/class', '/people'].map((dialog): [string, Record<string, unknown>] => [
      `/admin/circles/detail${dialog}`,
      { id: ids.circle },
    ]),
    ...['edit', 'detail', 'paper'].map((what): [string, Record<string, unknown>] => [
      `/admin/exams/${what}`,
      { id: ids.administeredExam },
    ]),
    ...['publish', 'extend', 'close', 'withdraw', 'delete'].map((dialog): [string, Record<string, unknown>] => [
      `/admin/exams/detail/${dialog}`,
      { id: ids.administeredExam },
    ]),
    ...[1, 4].map((status): [string, Record<string, unknown>] => [
      '/admin/waiting/handouts/decide',
      { ids: ids.handedOut, status },
    ]),
    ...['', '/delete', '/dismiss', '/comment/1'].map((dialog): [string, Record<string, unknown>] => [
      `/admin/waiting/posts/detail${dialog}`,
      { id: ids.reported },
    ]),
    ...['/detail', '/detail/answer', '/edit'].map((screen): [string, Record<string, unknown>] => [
      `/admin/waiting/questions${screen}`,
      { id: ids.correction },
    ]),
    ...['/share', '/move'].map((dialog): [string, Record<string, unknown>] => [
      `/admin/questions${dialog}`,
      { chosen: ids.bankQuestionOfSchool },
    ]),
    ['/admin/questions/detail', { id: ids.bankQuestionOfSchool }],
    ['/setup/none', {}],
    ['/login', {}],
    ['/exports/none', {}],
    ['/nothing-is-here', {}],
  ];
  // Without a record of that kind: another person's id, which answers 404.
  return addresses.map(([address, query]) => withQuery(address.replaceAll('undefined', '1'), known(query)));
}

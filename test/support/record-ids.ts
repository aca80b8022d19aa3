/** Finds ids of a school's records, through the lists that a person sees. */

import { type Identity, prefixes } from '#server/school/call.ts';
import type { SendRequest } from './requests.ts';

type Row = Record<string, unknown>;

/** Id of the first visible record of each kind, by name of the kind. */
export type Ids = Record<string, number | string | undefined>;

const rowsOf = (data: unknown): Row[] => {
  const list = Array.isArray(data) ? data : (data as { list?: unknown } | null)?.list;
  return Array.isArray(list) ? (list as Row[]) : [];
};

/** `now` is in unix seconds. */
export async function findIds(send: SendRequest, role: Identity, now: number): Promise<Ids> {
  const ids: Ids = { today: new Date(now * 1000 + 8 * 3600_000).toISOString().slice(0, 10) };
  const prefix = prefixes[role];
  const read = async (path: string, body?: unknown) => {
    const { data } = await send({ method: body ? 'POST' : 'GET', address: `${prefix}/${path}`, body });
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
    put('adminClass', all.find(({ class_type }) => class_type === 0)?.id);
    put('lessonClass', all.find(({ class_type, students_count }) => class_type === 3 && students_count !== 0)?.id);
    for (const { id, class_type } of all) {
      if (class_type !== 0 || ids.classGroup) continue;
      const { groups } = (await read(`classes/${id}/groups`)) as { groups: Row[] };
      if (groups.length > 0) put('grouped', id);
      put('classGroup', groups[0]?.id);
    }
    put('largeClass', rowsOf(await read('large-classes'))[0]?.id);
    put('adminLesson', rowsOf(await read('lessons?status=2'))[0]?.id);
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
  put('learnerLink', rowsOf(await read('identity/learners'))[0]?.id);
  const exams = role === 'admin' ? rowsOf(await read('exams')) : [];
  put('adminExam', exams.find(({ state }) => state !== 'draft')?.id);
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

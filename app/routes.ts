/** Every address. The id of a route is its screen's name, which other applications rely on. */
import { index, layout, type RouteConfig, type RouteConfigEntry, route } from '@react-router/dev/routes';
import { account, signIn, signOut } from './account/screens.ts';
import * as analysis from './analysis/screens.ts';
import {
  attendanceMark,
  courseAttendance,
  leaveDecision,
  leaveStream,
  lessonAttendance,
  studentDetail,
  studentPeriods,
} from './attendance/screens.ts';
import { feedFile, joinCodes, subscription, teachCalendar } from './calendar/screens.ts';
import {
  classDetail,
  classManage,
  classSchedule,
  wareChoice as classWareChoice,
  wareEdit as classWareEdit,
  wareAdd,
  wareRemoval,
} from './classes/screens.ts';
import {
  circlePost,
  communityGroup,
  communityPost,
  groupLeaving,
  memberCommunity,
  postDeletion,
  postReport,
} from './community/screens.ts';
import * as correction from './correction/screens.ts';
import {
  lessonCourseware,
  wareChoice,
  wareEdit,
  wareFile,
  wareLibrary,
  warePreview,
  wareRemove,
  wareSend,
  wareUpload,
} from './courseware/screens.ts';
import { examDetail, examDownload, examManage, examPreview, examSheet } from './exams/screens.ts';
import { madeFile } from './export/screens.ts';
import { fileUpload, storedFile } from './files/screens.ts';
import { attendance as teamAttendance, teamDetail, teamManage } from './group-classes/screens.ts';
import * as homework from './homework/screens.ts';
import { type Dialog, pathOver, type Screen } from './lib/screen.ts';
import { liveRoom } from './live/screens.ts';
import { meetingCodes, meetingDeletion, meetingFigures, meetingForm } from './meetings/screens.ts';
import { noticeDeletion, noticeForm, noticeView } from './notices/screens.ts';
import * as questions from './questions/screens.ts';
import {
  attendance,
  communicationList,
  evaluate,
  groupSession,
  handout,
  handoutSend,
  leave,
  leaveFromList,
  oneToOneSession,
  sessionManage,
} from './sessions/screens.ts';
import { apiCalls, appearance, healthz, home, notFound, readyz } from './shell/screens.ts';

/** A screen where its declaration says, with what opens over it. */
const at = ({ path, id }: { path: string; id: string }, file: string, dialogs: RouteConfigEntry[] = []) =>
  route(path, file, { id }, dialogs);

/** What opens over the screen that it is mounted in; over several it has an id in each. */
const over = ({ path }: Pick<Dialog, 'path'>, file: string, id?: string) => route(path, file, id ? { id } : {});

/** Of a homework, over whichever screen offers them. */
const dispatchDialogs = (screen: string) => [
  route(homework.deadline.path, 'homework/deadline.tsx', { id: `${screen}/deadline` }),
  route(homework.furtherClasses.path, 'homework/continue.tsx', { id: `${screen}/continue` }),
];

/** The analysis of one homework, over all classes or in one. */
const homeworkDetail = (screen: Screen) =>
  at(screen, 'analysis/homework-detail.tsx', [
    ...dispatchDialogs(screen.id),
    route(analysis.bandStudents.path, 'analysis/band-students.tsx', { id: `${screen.id}/students` }),
  ]);

/** Over the grading desk, of homework and of exams; `prefix` of the ids. */
const deskDialogs = (prefix: string) => [
  route(correction.finish.path, 'correction/finish.tsx', { id: `correction/${prefix}finish` }),
  route(correction.finishAll.path, 'correction/finish-all.tsx', { id: `correction/${prefix}finish-all` }),
  route(correction.sameMark.path, 'correction/same.tsx', { id: `correction/${prefix}same` }),
];

/** Over the calendar of the person and of a class. */
const calendarDialogs = (screen: string) => [
  over(joinCodes, 'calendar/codes.tsx', `${screen}/codes`),
  over(subscription, 'calendar/subscribe.tsx', `${screen}/subscribe`),
];

/** Over a class: what its circle, its announcements and its meetings ask or show. */
const classDialogs = [
  over(postDeletion, 'community/delete-posts.tsx', 'ClassDetail/delete-posts'),
  over(noticeView, 'notices/view.tsx'),
  over(noticeDeletion, 'notices/delete.tsx'),
  over(meetingCodes, 'meetings/codes.tsx'),
  over(meetingDeletion, 'meetings/delete.tsx'),
];

/** One scheduled lesson: of a group class, or one-to-one. */
const sessionRoutes = (screen: typeof groupSession | typeof oneToOneSession) => [
  at(screen, 'sessions/session.tsx', [
    route(leave.path, 'sessions/leave.tsx', { id: `${screen.id}/leave` }),
    route(handout.path, 'sessions/handout.tsx', { id: `${screen.id}/handout` }),
    route(evaluate.path, 'sessions/evaluate.tsx', { id: `${screen.id}/evaluate` }),
    route(attendance.path, 'sessions/attendance.tsx', { id: `${screen.id}/attendance` }),
  ]),
  route(pathOver(screen, handoutSend), 'sessions/handout-send.ts', { id: `${screen.id}/send` }),
];

export default [
  index('shell/home.ts', { id: home.id }),
  at(signIn, 'account/login.tsx'),
  at(signOut, 'account/logout.ts'),
  at(appearance, 'shell/appearance.ts'),
  at(apiCalls, 'shell/api.ts'),
  at(feedFile, 'calendar/feed.ts'),
  at(healthz, 'shell/api.ts'),
  at(readyz, 'shell/api.ts'),

  layout('export/by-token.ts', [layout('shell/layout.tsx', { id: 'ExportFrame' }, [at(madeFile, 'export/file.tsx')])]),

  layout('shell/layout.tsx', [
    at(homework.homeworkManage, 'homework/manage.tsx', [
      route(homework.recall.path, 'homework/recall.tsx'),
      route(questions.removeQuestions.path, 'questions/delete.tsx'),
      ...dispatchDialogs('HomeworkManage'),
    ]),
    homeworkDetail(analysis.homeworkDetail),
    homeworkDetail(analysis.classHomeworkDetail),
    at(noticeForm, 'notices/post.tsx'),
    at(meetingForm, 'meetings/arrange.tsx'),
    at(meetingFigures, 'meetings/statistics.tsx'),
    at(memberCommunity, 'community/member.tsx'),
    at(communityPost, 'community/show.tsx', [over(postReport, 'community/report.tsx', 'CommunityShow/report')]),
    at(circlePost, 'community/detail.tsx', [over(postReport, 'community/report.tsx', 'CommunityDetail/report')]),
    at(communityGroup, 'community/group.tsx', [
      over(groupLeaving, 'community/leave.tsx'),
      over(postDeletion, 'community/delete-posts.tsx', 'CommunityGroupShow/delete-posts'),
    ]),
    at(classManage, 'classes/manage.tsx', [over(classSchedule, 'classes/schedule.tsx')]),
    at(classDetail, 'classes/detail.tsx', [
      over(wareAdd, 'classes/wares/upload.tsx', 'ClassWareAdd'),
      over(classWareEdit, 'classes/wares/upload.tsx', 'ClassWareEdit'),
      over(wareRemoval, 'classes/wares/remove.tsx'),
      ...calendarDialogs('ClassDetail'),
      ...classDialogs,
      over(classWareChoice, 'classes/wares/choose.tsx'),
      over(leaveDecision, 'attendance/decide.tsx'),
    ]),
    at(leaveStream, 'attendance/leave-stream.ts'),
    at(studentDetail, 'attendance/student.tsx', [over(studentPeriods, 'attendance/student-periods.tsx')]),
    at(courseAttendance, 'attendance/course.tsx', [
      route(lessonAttendance.path, 'attendance/lesson.tsx', [over(attendanceMark, 'attendance/mark.tsx')]),
    ]),
    at(analysis.homeworkStatistics, 'analysis/homework-statistics.tsx'),
    at(analysis.studentStatistics, 'analysis/student-statistics.tsx'),
    at(analysis.homeworkPreview, 'analysis/homework-preview.tsx'),
    at(analysis.homeworkAnswers, 'analysis/homework-answers.tsx', [
      route(analysis.studentsByAnswer.path, 'analysis/answer-students.tsx'),
    ]),
    at(homework.publish, 'homework/publish/publish.tsx', [
      route(homework.pickCourse.path, 'homework/publish/course.tsx'),
      route(homework.pickHistory.path, 'homework/publish/history.tsx'),
      route(questions.pickQuestions.path, 'homework/publish/questions.tsx'),
    ]),
    at(homework.publishQuestion, 'homework/publish/question.tsx'),
    at(homework.publishSend, 'homework/publish/send.ts'),
    at(homework.publishChoices, 'homework/publish/choices.ts'),
    at(questions.questionDetail, 'questions/detail.tsx', [
      route(questions.reportMistake.path, 'questions/correction.tsx'),
    ]),
    at(questions.questionAdd, 'questions/add.tsx'),
    at(questions.questionEdit, 'questions/edit.tsx'),
    at(questions.questionImport, 'questions/import.tsx'),
    at(questions.questionTemplate, 'questions/template.ts'),
    at(questions.questionDisplay, 'questions/display.ts'),
    at(examManage, 'exams/manage.tsx'),
    at(examDetail, 'exams/detail.tsx'),
    at(examPreview, 'exams/preview.tsx'),
    at(examDownload, 'exams/download.tsx'),
    at(examSheet, 'exams/approve-view.tsx'),
    at(wareLibrary, 'courseware/library.tsx', [
      route(wareUpload.path, 'courseware/upload.tsx', { id: 'CoursewareUpload' }),
      route(wareEdit.path, 'courseware/edit.tsx'),
      route(wareRemove.path, 'courseware/remove.tsx'),
    ]),
    at(lessonCourseware, 'courseware/lesson.tsx', [
      route(wareUpload.path, 'courseware/upload.tsx', { id: 'LessonCoursewareUpload' }),
      route(wareRemove.path, 'courseware/detach.tsx'),
    ]),
    at(wareChoice, 'courseware/choose.tsx'),
    at(warePreview, 'courseware/preview.tsx'),
    at(wareSend, 'courseware/send.ts'),
    at(wareFile, 'courseware/file.ts'),
    at(correction.homeworkApprove, 'correction/approve.tsx', deskDialogs('')),
    at(correction.homeworkApproveSave, 'correction/save.ts'),
    at(correction.homeworkApproveData, 'correction/report.ts'),
    at(correction.homeworkApproveImage, 'correction/image.ts'),
    at(correction.examApprove, 'correction/approve.tsx', deskDialogs('exam-')),
    at(correction.examApproveSave, 'correction/save.ts'),
    at(correction.examApproveData, 'correction/report.ts'),
    at(correction.examApproveImage, 'correction/image.ts'),
    at(correction.homeworkSheet, 'correction/approve-view.tsx'),
    at(correction.homeworkStudent, 'correction/student-report.tsx'),
    at(account, 'account/account.tsx'),
    at(liveRoom, 'live/room.tsx'),
    at(teachCalendar, 'calendar/teach-calendar.tsx', calendarDialogs('TeachCalendar')),
    at(sessionManage, 'sessions/manage.tsx', [
      route(leaveFromList.path, 'sessions/leave.tsx', { id: `${sessionManage.id}/leave` }),
    ]),
    ...sessionRoutes(groupSession),
    ...sessionRoutes(oneToOneSession),
    at(communicationList, 'sessions/communication.tsx'),
    at(teamManage, 'group-classes/manage.tsx'),
    at(teamDetail, 'group-classes/detail.tsx', [route(teamAttendance.path, 'group-classes/attendance.tsx')]),
    at(fileUpload, 'files/upload.ts'),
    at(storedFile, 'files/serve.ts'),
    at(notFound, 'shell/not-found.tsx'),
  ]),
] satisfies RouteConfig;

/** Every address. The id of a route is its screen's name, which other applications rely on. */
import { layout, type RouteConfig, type RouteConfigEntry, route } from '@react-router/dev/routes';
import { account, signIn, signOut } from './account/screens.ts';
import * as analysis from './analysis/screens.ts';
import {
  attendanceMark,
  courseAttendance,
  leaveDecision,
  leaveInbox,
  leaveStream,
  lessonAttendance,
  periodRoll,
  studentDetail,
  studentPeriods,
} from './attendance/screens.ts';
import { feedFile, joinCodes, subscription, teachCalendar } from './calendar/screens.ts';
import {
  classDetail,
  classManage,
  classSchedule,
  classWareAdd,
  classWareChoice,
  classWareEdit,
  classWareRemoval,
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
  wareDetach,
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
import { teamAttendance, teamDetail, teamManage } from './group-classes/screens.ts';
import * as homework from './homework/screens.ts';
import type { Addressable } from './lib/address.ts';
import { liveRoom } from './live/screens.ts';
import { meetingCodes, meetingDeletion, meetingFigures, meetingForm } from './meetings/screens.ts';
import { noticeDeletion, noticeForm, noticeView } from './notices/screens.ts';
import * as questions from './questions/screens.ts';
import { searchScreen } from './search/screens.ts';
import {
  communicationList,
  evaluate,
  groupSession,
  handout,
  handoutSend,
  leave,
  leaveFromList,
  oneToOneSession,
  sessionAttendance,
  sessionManage,
  sessionRoll,
} from './sessions/screens.ts';
import {
  apiCalls,
  appearance,
  browsers,
  healthz,
  home,
  notFound,
  readyz,
  schoolLogo,
  shortcuts,
} from './shell/screens.ts';

/** What opens over screens; over which is declared with each. */
const dialogs: [dialog: Addressable, file: string][] = [
  [homework.recall, 'homework/recall.tsx'],
  [homework.deadline, 'homework/deadline.tsx'],
  [homework.furtherClasses, 'homework/continue.tsx'],
  [homework.pickCourse, 'homework/publish/course.tsx'],
  [homework.pickHistory, 'homework/publish/history.tsx'],
  [questions.pickQuestions, 'homework/publish/questions.tsx'],
  [questions.removeQuestions, 'questions/delete.tsx'],
  [questions.reportMistake, 'questions/correction.tsx'],
  [analysis.bandStudents, 'analysis/band-students.tsx'],
  [analysis.studentsByAnswer, 'analysis/answer-students.tsx'],
  [analysis.questionStudents, 'analysis/question-students.tsx'],
  [analysis.reminding, 'analysis/remind.tsx'],
  [correction.finish, 'correction/finish.tsx'],
  [correction.finishAll, 'correction/finish-all.tsx'],
  [correction.pinned, 'correction/pinned.tsx'],
  [correction.sameMark, 'correction/same.tsx'],
  [joinCodes, 'calendar/codes.tsx'],
  [subscription, 'calendar/subscribe.tsx'],
  [classSchedule, 'classes/schedule.tsx'],
  [classWareAdd, 'classes/wares/upload.tsx'],
  [classWareEdit, 'classes/wares/upload.tsx'],
  [classWareRemoval, 'classes/wares/remove.tsx'],
  [classWareChoice, 'classes/wares/choose.tsx'],
  [leaveDecision, 'attendance/decide.tsx'],
  [studentPeriods, 'attendance/student-periods.tsx'],
  [lessonAttendance, 'attendance/lesson.tsx'],
  [attendanceMark, 'attendance/mark.tsx'],
  [postReport, 'community/report.tsx'],
  [groupLeaving, 'community/leave.tsx'],
  [postDeletion, 'community/delete-posts.tsx'],
  [noticeView, 'notices/view.tsx'],
  [noticeDeletion, 'notices/delete.tsx'],
  [meetingCodes, 'meetings/codes.tsx'],
  [meetingDeletion, 'meetings/delete.tsx'],
  [wareUpload, 'courseware/upload.tsx'],
  [wareEdit, 'courseware/edit.tsx'],
  [wareRemove, 'courseware/remove.tsx'],
  [wareDetach, 'courseware/detach.tsx'],
  [leave, 'sessions/leave.tsx'],
  [leaveFromList, 'sessions/leave.tsx'],
  [handout, 'sessions/handout.tsx'],
  [evaluate, 'sessions/evaluate.tsx'],
  [sessionAttendance, 'sessions/attendance.tsx'],
  [teamAttendance, 'group-classes/attendance.tsx'],
];
const opening = dialogs.flatMap(([{ places }, file]) => places.map((place) => ({ ...place, file })));

const over = (screen: string): RouteConfigEntry[] =>
  opening.filter(({ under }) => under === screen).map(({ id, path, file }) => route(path, file, { id }, over(id)));

/** A screen with what opens over it. */
const at = ({ id, pattern }: { id: string; pattern: string }, file: string) => route(pattern, file, { id }, over(id));

export default [
  at(signIn, 'account/login.tsx'),
  at(signOut, 'account/logout.ts'),
  at(appearance, 'shell/appearance.ts'),
  at(schoolLogo, 'shell/logo.ts'),
  at(browsers, 'shell/browsers.tsx'),
  at(apiCalls, 'shell/api.ts'),
  at(feedFile, 'calendar/feed.ts'),
  at(healthz, 'shell/api.ts'),
  at(readyz, 'shell/api.ts'),

  layout('export/by-token.ts', [layout('shell/layout.tsx', { id: 'ExportFrame' }, [at(madeFile, 'export/file.tsx')])]),

  layout('shell/layout.tsx', [
    at(home, 'workbench/home.tsx'),
    at(searchScreen, 'search/search.tsx'),
    at(shortcuts, 'help/shortcuts.tsx'),
    at(homework.homeworkManage, 'homework/manage.tsx'),
    at(analysis.homeworkDetail, 'analysis/homework-detail.tsx'),
    at(analysis.classHomeworkDetail, 'analysis/homework-detail.tsx'),
    at(noticeForm, 'notices/post.tsx'),
    at(meetingForm, 'meetings/arrange.tsx'),
    at(meetingFigures, 'meetings/statistics.tsx'),
    at(memberCommunity, 'community/member.tsx'),
    at(communityPost, 'community/show.tsx'),
    at(circlePost, 'community/detail.tsx'),
    at(communityGroup, 'community/group.tsx'),
    at(classManage, 'classes/manage.tsx'),
    at(classDetail, 'classes/detail.tsx'),
    at(leaveInbox, 'attendance/inbox.tsx'),
    at(leaveStream, 'attendance/leave-stream.ts'),
    at(studentDetail, 'attendance/student.tsx'),
    at(periodRoll, 'attendance/roll.tsx'),
    at(courseAttendance, 'attendance/course.tsx'),
    at(analysis.homeworkStatistics, 'analysis/homework-statistics.tsx'),
    at(analysis.studentStatistics, 'analysis/student-statistics.tsx'),
    at(analysis.homeworkPreview, 'analysis/homework-preview.tsx'),
    at(analysis.homeworkAnswers, 'analysis/homework-answers.tsx'),
    at(homework.publish, 'homework/publish/publish.tsx'),
    at(homework.publishQuestion, 'homework/publish/question.tsx'),
    at(homework.publishSend, 'homework/publish/send.ts'),
    at(homework.publishKeep, 'homework/publish/keep.ts'),
    at(homework.publishChoices, 'homework/publish/choices.ts'),
    at(questions.questionDetail, 'questions/detail.tsx'),
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
    at(wareLibrary, 'courseware/library.tsx'),
    at(lessonCourseware, 'courseware/lesson.tsx'),
    at(wareChoice, 'courseware/choose.tsx'),
    at(warePreview, 'courseware/preview.tsx'),
    at(wareSend, 'courseware/send.ts'),
    at(wareFile, 'courseware/file.ts'),
    at(correction.homeworkApprove, 'correction/approve.tsx'),
    at(correction.homeworkApproveSave, 'correction/save.ts'),
    at(correction.homeworkApproveData, 'correction/report.ts'),
    at(correction.homeworkApproveImage, 'correction/image.ts'),
    at(correction.examApprove, 'correction/approve.tsx'),
    at(correction.examApproveSave, 'correction/save.ts'),
    at(correction.examApproveData, 'correction/report.ts'),
    at(correction.examApproveImage, 'correction/image.ts'),
    at(correction.homeworkSheet, 'correction/approve-view.tsx'),
    at(correction.homeworkStudent, 'correction/student-report.tsx'),
    at(account, 'account/account.tsx'),
    at(liveRoom, 'live/room.tsx'),
    at(teachCalendar, 'calendar/teach-calendar.tsx'),
    at(sessionManage, 'sessions/manage.tsx'),
    at(groupSession, 'sessions/session.tsx'),
    at(oneToOneSession, 'sessions/session.tsx'),
    at(sessionRoll, 'sessions/roll.tsx'),
    at(handoutSend, 'sessions/handout-send.ts'),
    at(communicationList, 'sessions/communication.tsx'),
    at(teamManage, 'group-classes/manage.tsx'),
    at(teamDetail, 'group-classes/detail.tsx'),
    at(fileUpload, 'files/upload.ts'),
    at(storedFile, 'files/serve.ts'),
    at(notFound, 'shell/not-found.tsx'),
  ]),
] satisfies RouteConfig;

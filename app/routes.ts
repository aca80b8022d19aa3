/** Every address. The id of a route is the name that the specification gives the screen. */
import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

/** Of a homework, over whichever screen offers them. */
const dispatchDialogs = (screen: string) => [
  route(':id/deadline', 'homework/deadline.tsx', { id: `${screen}/deadline` }),
  route(':id/continue', 'homework/continue.tsx', { id: `${screen}/continue` }),
];

/** The analysis of one homework, over all classes or in one. */
const homeworkDetail = (path: string, screen: string) =>
  route(path, 'analysis/homework-detail.tsx', { id: screen }, [
    ...dispatchDialogs(screen),
    route('students', 'analysis/band-students.tsx', { id: `${screen}/students` }),
  ]);

/** Over the calendar of the person and of a class. */
const calendarDialogs = (screen: string) => [
  route('codes', 'calendar/codes.tsx', { id: `${screen}/codes` }),
  route('subscribe', 'calendar/subscribe.tsx', { id: `${screen}/subscribe` }),
];

/** Over a class: what its circle, its announcements and its meetings ask or show. */
const classDialogs = [
  route('delete-posts', 'community/delete-posts.tsx', { id: 'ClassDetail/delete-posts' }),
  route('notice/:notice/view', 'notices/view.tsx'),
  route('notice/:notice/delete', 'notices/delete.tsx'),
  route('meeting/:meeting/codes', 'meetings/codes.tsx'),
  route('meeting/:meeting/delete', 'meetings/delete.tsx'),
];

/** One scheduled lesson: of a group class, or one-to-one. */
const sessionDetail = (path: string, screen: string) =>
  route(path, 'sessions/session.tsx', { id: screen }, [
    route('leave', 'sessions/leave.tsx', { id: `${screen}/leave` }),
    route('handout', 'sessions/handout.tsx', { id: `${screen}/handout` }),
    route('evaluate/:student', 'sessions/evaluate.tsx', { id: `${screen}/evaluate` }),
  ]);

export default [
  index('shell/home.ts'),
  route('login', 'account/login.tsx', { id: 'Login' }),
  route('logout', 'account/logout.ts'),
  route('appearance', 'shell/appearance.ts'),
  route('api/*', 'shell/api.ts', { id: 'api' }),
  route('calendar/feed/:file', 'calendar/feed.ts'),
  route('healthz', 'shell/api.ts', { id: 'healthz' }),
  route('readyz', 'shell/api.ts', { id: 'readyz' }),

  layout('export/by-token.ts', [
    layout('shell/layout.tsx', { id: 'ExportFrame' }, [route('exports/:token', 'export/file.tsx')]),
  ]),

  layout('shell/layout.tsx', [
    route('homework', 'homework/manage.tsx', { id: 'HomeworkManage' }, [
      route(':id/recall', 'homework/recall.tsx'),
      route('questions/delete', 'questions/delete.tsx'),
      ...dispatchDialogs('HomeworkManage'),
    ]),
    homeworkDetail('homework/detail', 'HomeworkDetail'),
    homeworkDetail('classes/homework', 'ClassesHomeworkDetail'),
    route('classes/notice', 'notices/post.tsx', { id: 'PostNotice' }),
    route('classes/meeting', 'meetings/arrange.tsx', { id: 'AddClassMeeting' }),
    route('classes/meeting/statistics', 'meetings/statistics.tsx', { id: 'ClassMeetingStatistics' }),
    route('community', 'community/member.tsx', { id: 'MemberCommunity' }),
    route('community/show/:id', 'community/show.tsx', { id: 'CommunityShow' }, [
      route('report', 'community/report.tsx', { id: 'CommunityShow/report' }),
    ]),
    route('community/detail', 'community/detail.tsx', { id: 'CommunityDetail' }, [
      route('report', 'community/report.tsx', { id: 'CommunityDetail/report' }),
    ]),
    route('community/group/:id', 'community/group.tsx', { id: 'CommunityGroupShow' }, [
      route('leave', 'community/leave.tsx'),
      route('delete-posts', 'community/delete-posts.tsx', { id: 'CommunityGroupShow/delete-posts' }),
    ]),
    route('classes', 'classes/manage.tsx', { id: 'ClassManage' }, [route(':id/schedule', 'classes/schedule.tsx')]),
    route('classes/detail', 'classes/detail.tsx', { id: 'ClassDetail' }, [
      route('wares/add', 'classes/wares/upload.tsx', { id: 'ClassWareAdd' }),
      route('wares/:ware/edit', 'classes/wares/upload.tsx', { id: 'ClassWareEdit' }),
      route('wares/:ware/remove', 'classes/wares/remove.tsx'),
      ...calendarDialogs('ClassDetail'),
      ...classDialogs,
      route('wares/choose', 'classes/wares/choose.tsx'),
      route('leave/decide', 'attendance/decide.tsx'),
    ]),
    route('classes/leave/stream', 'attendance/leave-stream.ts'),
    route('classes/student', 'attendance/student.tsx', { id: 'StudentDetail' }, [
      route('periods', 'attendance/student-periods.tsx'),
    ]),
    route('classes/attendance', 'attendance/course.tsx', { id: 'AttendInfo' }, [
      route('lesson', 'attendance/lesson.tsx', [route('mark', 'attendance/mark.tsx')]),
    ]),
    route('homework/statistics', 'analysis/homework-statistics.tsx', { id: 'HomeworkStatis' }),
    route('homework/student-statistics', 'analysis/student-statistics.tsx', { id: 'HomeworkStudentStatis' }),
    route('homework/preview', 'analysis/homework-preview.tsx', { id: 'HomeworkPreview' }),
    route('homework/answers', 'analysis/homework-answers.tsx', { id: 'HomeworkAnswerPreview' }, [
      route('students', 'analysis/answer-students.tsx'),
    ]),
    route('homework/publish', 'homework/publish/publish.tsx', { id: 'HomeworkPublish' }, [
      route('course', 'homework/publish/course.tsx'),
      route('history', 'homework/publish/history.tsx'),
      route('questions', 'homework/publish/questions.tsx'),
    ]),
    route('homework/publish/question', 'homework/publish/question.tsx'),
    route('homework/publish/send', 'homework/publish/send.ts'),
    route('homework/publish/choices', 'homework/publish/choices.ts'),
    route('homework/question', 'questions/detail.tsx', { id: 'HomeworkQuesDetail' }, [
      route('correction', 'questions/correction.tsx'),
    ]),
    route('homework/question/add', 'questions/add.tsx', { id: 'HomeworkAddQues' }),
    route('homework/question/edit', 'questions/edit.tsx', { id: 'HomeworkEditQues' }),
    route('homework/question/import', 'questions/import.tsx', { id: 'HomeworkQuesImport' }),
    route('homework/question/template/:format', 'questions/template.ts'),
    route('homework/question/display', 'questions/display.ts'),
    route('exams', 'exams/manage.tsx', { id: 'ExamManage' }),
    route('exams/detail', 'exams/detail.tsx', { id: 'ExamDetail' }),
    route('courseware', 'courseware/library.tsx', { id: 'Courseware' }, [
      route('upload', 'courseware/upload.tsx', { id: 'CoursewareUpload' }),
      route(':id/edit', 'courseware/edit.tsx'),
      route(':id/remove', 'courseware/remove.tsx'),
    ]),
    route('courseware/lesson', 'courseware/lesson.tsx', { id: 'LessonCourseware' }, [
      route('upload', 'courseware/upload.tsx', { id: 'LessonCoursewareUpload' }),
      route(':id/remove', 'courseware/detach.tsx'),
    ]),
    route('courseware/choose', 'courseware/choose.tsx', { id: 'CoursewareChoose' }),
    route('courseware/preview', 'courseware/preview.tsx', { id: 'CoursewarePreview' }),
    route('courseware/send', 'courseware/send.ts'),
    route('courseware/file/:fid', 'courseware/file.ts'),
    route('homework/approve', 'correction/approve.tsx', { id: 'HomeworkApprove' }, [
      route('finish', 'correction/finish.tsx'),
      route('finish-all', 'correction/finish-all.tsx'),
      route('same', 'correction/same.tsx'),
    ]),
    route('homework/approve/save', 'correction/save.ts'),
    route('homework/approve/report', 'correction/report.ts'),
    route('homework/approve/image', 'correction/image.ts'),
    route('exams/approve', 'correction/exam-approve.tsx', { id: 'ExamPaperApprove' }, [
      route('finish', 'correction/exam-finish.tsx'),
      route('finish-all', 'correction/exam-finish-all.tsx'),
      route('same', 'correction/exam-same.tsx'),
    ]),
    route('exams/approve/save', 'correction/exam-save.ts'),
    route('exams/approve/report', 'correction/exam-report.ts'),
    route('exams/approve/image', 'correction/image.ts', { id: 'exam-approve-image' }),
    route('homework/approve/view', 'correction/approve-view.tsx', { id: 'HomeworkApproveView' }),
    route('homework/student', 'correction/student-report.tsx', { id: 'HomeworkStudent' }),
    route('account', 'account/account.tsx', { id: 'Account' }),
    route('exams/preview', 'exams/preview.tsx', { id: 'ExamPaperPreview' }),
    route('exams/preview/download', 'exams/download.tsx'),
    route('exams/approve/view', 'exams/approve-view.tsx', { id: 'ExamPaperApproveView' }),
    route('live', 'live/room.tsx', { id: 'LiveRoom' }),
    route('calendar', 'calendar/teach-calendar.tsx', { id: 'TeachCalendar' }, calendarDialogs('TeachCalendar')),
    route('sessions', 'sessions/manage.tsx', { id: 'ScheduleManage' }, [
      route(':id/leave', 'sessions/leave.tsx', { id: 'ScheduleManage/leave' }),
    ]),
    sessionDetail('sessions/class', 'CurriculumTimeDetail'),
    sessionDetail('sessions/one-to-one', 'OtoTimeDetail'),
    route('sessions/class/handout/send', 'sessions/handout-send.ts', { id: 'CurriculumTimeDetail/send' }),
    route('sessions/one-to-one/handout/send', 'sessions/handout-send.ts', { id: 'OtoTimeDetail/send' }),
    route('sessions/communication', 'sessions/communication.tsx', { id: 'ScheduleCommunication' }),
    route('curriculum', 'group-classes/manage.tsx', { id: 'CurriculumManage' }),
    route('curriculum/detail', 'group-classes/detail.tsx', { id: 'CurriculumDetail' }, [
      route('attendance', 'group-classes/attendance.tsx'),
    ]),
    route('files', 'files/upload.ts'),
    route('files/:year/:month/:name', 'files/serve.ts'),
    route('*', 'shell/not-found.tsx'),
  ]),
] satisfies RouteConfig;

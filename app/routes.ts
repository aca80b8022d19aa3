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
    route('classes/detail', 'classes/detail.tsx', { id: 'ClassDetail' }, calendarDialogs('ClassDetail')),
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
    route('homework/approve/same-list', 'correction/same-list.ts'),
    route('exams/approve', 'correction/exam-approve.tsx', { id: 'ExamPaperApprove' }, [
      route('finish', 'correction/exam-finish.tsx'),
    ]),
    route('exams/approve/save', 'correction/exam-save.ts'),
    route('exams/approve/report', 'correction/exam-report.ts'),
    route('exams/approve/image', 'correction/image.ts', { id: 'exam-approve-image' }),
    route('homework/approve/view', 'correction/approve-view.tsx', { id: 'HomeworkApproveView' }),
    route('homework/student', 'correction/student-report.tsx', { id: 'HomeworkStudent' }),
    route('calendar', 'calendar/teach-calendar.tsx', { id: 'TeachCalendar' }, calendarDialogs('TeachCalendar')),
    route('files', 'files/upload.ts'),
    route('files/:year/:month/:name', 'files/serve.ts'),
    route('*', 'shell/not-found.tsx'),
  ]),
] satisfies RouteConfig;

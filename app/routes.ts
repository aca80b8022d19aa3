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

export default [
  index('shell/home.ts'),
  route('login', 'account/login.tsx', { id: 'Login' }),
  route('logout', 'account/logout.ts'),
  route('appearance', 'shell/appearance.ts'),
  route('api/*', 'shell/api.ts', { id: 'api' }),
  route('healthz', 'shell/api.ts', { id: 'healthz' }),
  route('readyz', 'shell/api.ts', { id: 'readyz' }),

  layout('export/by-token.ts', [
    layout('shell/layout.tsx', { id: 'ExportFrame' }, [route('exports/:token', 'export/file.tsx')]),
  ]),

  layout('shell/layout.tsx', [
    route('homework', 'homework/manage.tsx', { id: 'HomeworkManage' }, [
      route(':id/recall', 'homework/recall.tsx'),
      ...dispatchDialogs('HomeworkManage'),
    ]),
    homeworkDetail('homework/detail', 'HomeworkDetail'),
    homeworkDetail('classes/homework', 'ClassesHomeworkDetail'),
    route('homework/statistics', 'analysis/homework-statistics.tsx', { id: 'HomeworkStatis' }),
    route('homework/student-statistics', 'analysis/student-statistics.tsx', { id: 'HomeworkStudentStatis' }),
    route('homework/preview', 'analysis/homework-preview.tsx', { id: 'HomeworkPreview' }),
    route('homework/answers', 'analysis/homework-answers.tsx', { id: 'HomeworkAnswerPreview' }, [
      route('students', 'analysis/answer-students.tsx'),
    ]),
    route('*', 'shell/not-found.tsx'),
  ]),
] satisfies RouteConfig;

import { deleteCourse, showCourse } from '#server/courses/contract.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { courseDelete, courseDetail, courseScreen } from './screens.ts';

const dialog = confirmDialog({
  call: deleteCourse,
  at: courseDelete,
  params: courseDetail.at,
  verb: '删除',
  kind: '课程',
  question: '课程和它的空章节会被删除，不能恢复。确定删除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const course = await client.send(showCourse, { params });
  return { name: course.title, refusal: course.delete_fault };
});

export const action = dialogAction(dialog, { next: () => courseScreen.href() });

export default dialog.Page;

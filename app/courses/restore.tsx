import { restoreCourse, showCourse } from '#server/courses/contract.ts';
import { restoreFault } from '#server/courses/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { courseDetail, courseRestore } from './screens.ts';

const dialog = confirmDialog({
  call: restoreCourse,
  at: courseRestore,
  params: courseDetail.at,
  verb: '恢复',
  kind: '课程',
  question: '恢复后可以再向该课程布置作业，确定恢复吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const course = await client.send(showCourse, { params });
  return { name: course.title, refusal: restoreFault(course) };
});

export const action = dialogAction(dialog);

export default dialog.Page;

/** Dialog that archives a course: nothing more can be published to it, but all its data stays. */
import { archiveCourse, showCourse } from '#server/courses/contract.ts';
import { archivedFault } from '#server/courses/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { courseArchive, courseDetail } from './screens.ts';

const dialog = confirmDialog({
  call: archiveCourse,
  at: courseArchive,
  params: courseDetail.at,
  verb: '停用',
  kind: '课程',
  question: '停用后不再向该课程布置新的作业；课时、班级和已有的作业都会保留，可以随时恢复。确定停用吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const course = await client.send(showCourse, { params });
  return { name: course.title, effect: course.effect, refusal: archivedFault(course) };
});

export const action = dialogAction(dialog);

export default dialog.Page;

import { deleteCourse, showCourse } from '#server/courses/contract.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/delete';
import { courseDelete, courseDetail, courseScreen } from './screens.ts';

const dialog = confirmDialog({
  verb: '删除',
  kind: '课程',
  question: '课程和它的空章节会被删除，不能恢复。确定删除吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, deleteCourse);
  const course = await context.get(api).send(showCourse, { params: { id: courseDetail.at(url).id } });
  mustBeAllowed(context, course.delete_fault);
  return { name: course.title, ...courseDelete.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, courseScreen.href(), (client, idempotencyKey) =>
    client.ask(deleteCourse, { params: { id: courseDetail.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;

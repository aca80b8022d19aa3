import { restoreCourse, showCourse } from '#server/courses/contract.ts';
import { restoreFault } from '#server/courses/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/restore';
import { courseDetail, courseRestore } from './screens.ts';

const dialog = confirmDialog({ verb: '恢复', kind: '课程', question: '恢复后可以再向该课程布置作业，确定恢复吗？' });

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, restoreCourse);
  const course = await context.get(api).send(showCourse, { params: { id: courseDetail.at(url).id } });
  mustBeAllowed(context, restoreFault(course));
  return { name: course.title, ...courseRestore.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, courseRestore.behind(url), (client, idempotencyKey) =>
    client.ask(restoreCourse, { params: { id: courseDetail.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;

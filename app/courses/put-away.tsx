/** Puts a course away: nothing more is published to it, and all that it has stays. */
import { putAwayCourse, showCourse } from '#server/courses/contract.ts';
import { putAwayFault } from '#server/courses/rules.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { Route } from './+types/put-away';
import { courseDetail, coursePutAway } from './screens.ts';

export const meta: Route.MetaFunction = () => titled('停用课程');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, putAwayCourse);
  const course = await context.get(api).send(showCourse, { params: { id: courseDetail.at(url).id } });
  mustBeAllowed(context, putAwayFault(course));
  return { course, ...coursePutAway.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, coursePutAway.behind(url), (client, idempotencyKey, form) =>
    client.ask(putAwayCourse, {
      params: { id: courseDetail.at(url).id },
      body: { acknowledged: textOf(form, 'acknowledged') },
      idempotencyKey,
    }),
  );

const { DialogForm } = formOf<typeof putAwayCourse>();

export default function PutAwayCourse({ loaderData, actionData }: Route.ComponentProps) {
  const { course, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="停用课程" closeHref={closeHref}>
      <p>
        课程：<strong data-written>{course.title}</strong>
      </p>
      {course.effect && (
        <p>
          <strong>{course.effect}。</strong>
        </p>
      )}
      <p>停用后不再向该课程布置新的作业；课时、班级和已有的作业都会保留，可以随时恢复。确定停用吗？</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged: course.effect }}
        submit="确定停用"
        tone="danger"
      >
        <HiddenField name="acknowledged" />
      </DialogForm>
    </Dialog>
  );
}

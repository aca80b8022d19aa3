/** Page that cancels lessons, with a reason. */
import { cancelLessons } from '#server/sessions/lessons.contract.ts';
import { cancelReasonLimit } from '#server/sessions/rules.ts';
import { readForm } from '../../lib/form-data.ts';
import { pickedIds } from '../../lib/picked-ids.ts';
import { handleEdit } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { recordFormClass } from '../../ui/record-form.ts';
import { adminLessonCancel, adminLessonList, adminLessons } from '../screens.ts';
import type { Route } from './+types/cancel';
import { selectedLessons } from './selected-lessons.server.ts';
import { SelectedLessonsScreen } from './selected-lessons.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '排课', href: adminLessons.href() }, { label: '取消课次' }] };

export const meta: Route.MetaFunction = () => titleMeta('取消课次');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, cancelLessons);
  return { lessons: await selectedLessons(context, url), idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleEdit(
    sent,
    adminLessonCancel.at(url).back ?? adminLessonList.href({ status: 2 }),
    (client, idempotencyKey, form) =>
      client.ask(cancelLessons, {
        body: { ...readForm(cancelLessons, form), ids: pickedIds(url.searchParams) },
        idempotencyKey,
      }),
  );

const { CheckField, Form, TextField } = formOf<typeof cancelLessons>();

export default function LessonCancel({ loaderData: { lessons, idempotencyKey }, actionData }: Route.ComponentProps) {
  return (
    <SelectedLessonsScreen title="取消课次" lessons={lessons}>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ notify: 1 }}
        className={recordFormClass}
        noValidate
      >
        <HiddenField name="acknowledged" />
        <TextField name="reason" label="取消原因" withAsterisk limit={cancelReasonLimit} autoComplete="off" />
        <CheckField name="notify" label="短信通知学员" />
        <Submit color="red">确定取消课次</Submit>
      </Form>
    </SelectedLessonsScreen>
  );
}

/** PostNotice: form that posts or edits a notice of a class. */
import { showClass } from '#server/classes/contract.ts';
import { editNotice, postNotice, showNotice } from '#server/notices/contract.ts';
import { schoolFault, writeFault } from '#server/notices/rules.ts';
import { api } from '../api/client.server.ts';
import { classManage, classNotices } from '../classes/screens.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { finishForm, readButton, readPostedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { forbiddenIfFault, requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Hydrated } from '../ui/hydrated.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/post';
import { NoticeForm } from './notice-form.tsx';
import { readNotice } from './read-notice.ts';
import { noticeForm } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '班级管理', href: classManage.href() }, { label: '公告' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.notice ? '编辑公告' : '发布公告');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { class_id, id } = noticeForm.at(url);
  const notice = id ? await client.send(showNotice, { params: { id } }) : undefined;
  const classId = notice?.class_id ?? class_id ?? 0;
  const theClass = await client.send(showClass, { params: { id: classId } });
  requireAllowed(context, forbiddenIfFault(writeFault(theClass.is_header_teacher === 1, notice ? '编辑' : '发布')));
  requireAllowed(context, forbiddenIfFault(schoolFault(notice?.is_can_delete === 0, '编辑')));
  return { notice, theClass, back: classNotices.href({ id: theClass.id }), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const idempotencyKey = idempotencyField(form);
  const written = readNotice(form);
  const { class_id, id } = noticeForm.at(url);
  const outcome = id
    ? await client.ask(editNotice, { params: { id }, body: written, idempotencyKey })
    : await client.ask(postNotice, { body: { ...written, class_id }, idempotencyKey });
  form.set('content', written.content);
  return finishForm(context, outcome, classNotices.href({ id: class_id ?? 0 }), form);
}

export default function PostNotice({ loaderData, actionData }: Route.ComponentProps) {
  const { notice, theClass, back, idempotencyKey } = loaderData;
  return (
    <Screen>
      <Hydrated
        name="notice-form.island"
        component={NoticeForm}
        props={{
          title: `${notice ? '编辑公告' : '发布公告'}：${theClass.class_name}`,
          action: noticeForm.href({ class_id: theClass.id, id: notice?.id }),
          back,
          values: { title: notice?.title, content: notice?.content },
          draft: notice ? `notice ${notice.id}` : `notice of class ${theClass.id}`,
          idempotencyKey,
          refused: actionData,
        }}
      />
    </Screen>
  );
}

/** PostNotice: an announcement of a class is written, or edited. */
import { useRef, useState } from 'react';
import { showClass } from '#server/classes/contract.ts';
import { CompleteNotice, editNotice, postNotice, showNotice, type WrittenNotice } from '#server/notices/contract.ts';
import { noticeTitleLimit, schoolFault, writeFault } from '#server/notices/rules.ts';
import { api } from '../api/client.server.ts';
import { classManage, classNotices } from '../classes/screens.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { htmlOf } from '../questions/rich-text.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { ended, pressed, typedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { checkedFormOf } from '../ui/checked-form.tsx';
import { fieldsOf } from '../ui/fields-of.ts';
import { Submit } from '../ui/form.tsx';
import { type Fields, fillFields } from '../ui/keep-form.ts';
import { LinkButton } from '../ui/native-button.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/post';
import { ContentField } from './content-field.tsx';
import styles from './notice.module.css';
import { noticeForm } from './screens.ts';

export const handle: ScreenHandle = {
  hydrate: true,
  crumbs: [{ label: '班级管理', href: classManage.href() }, { label: '公告' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titled(loaderData?.notice ? '编辑公告' : '发布公告');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { class_id, id } = noticeForm.at(url);
  const notice = id ? await client.send(showNotice, { params: { id } }) : undefined;
  const classId = notice?.class_id ?? class_id ?? 0;
  const klass = await client.send(showClass, { params: { id: classId } });
  mustBeAllowed(context, forbiddenBy(writeFault(klass.is_header_teacher === 1, notice ? '编辑' : '发布')));
  mustBeAllowed(context, forbiddenBy(schoolFault(notice?.is_can_delete === 0, '编辑')));
  return { notice, klass, back: classNotices.href({ id: klass.id }), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const form = await typedForm(request, context);
  pressed(form, '');
  const idempotencyKey = idempotencyField(form);
  const written = readNotice(form);
  const { class_id, id } = noticeForm.at(url);
  const outcome = id
    ? await client.ask(editNotice, { params: { id }, body: written, idempotencyKey })
    : await client.ask(postNotice, { body: { ...written, class_id }, idempotencyKey });
  form.set('content', written.content);
  return ended(context, outcome, classNotices.href({ id: class_id ?? 0 }), form);
}

/** As the form sends it, with client JS and without. */
function readNotice(form: FormData): WrittenNotice {
  const content = textOf(form, 'content');
  return { title: textOf(form, 'title'), content: form.get('content.as') === 'html' ? content : htmlOf(content) };
}

const CheckedForm = checkedFormOf<typeof postNotice>();
const { TextField } = fieldsOf<typeof postNotice>();

export default function PostNotice({ loaderData, actionData }: Route.ComponentProps) {
  const { notice, klass, back, idempotencyKey } = loaderData;
  const form = useRef<HTMLFormElement>(null);
  const [restored, setRestored] = useState<string>();
  const restore = (fields: Fields) => {
    if (form.current) fillFields(form.current, fields);
    const kept = new Map(fields);
    const content = kept.get('content') ?? '';
    setRestored(kept.get('content.as') === 'html' ? content : htmlOf(content));
  };
  return (
    <Screen>
      <CheckedForm
        schema={CompleteNotice}
        read={readNotice}
        ref={form}
        action={noticeForm.href({ class_id: klass.id, id: notice?.id })}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ title: notice?.title, content: notice?.content }}
        draft={notice ? `notice ${notice.id}` : `notice of class ${klass.id}`}
        restore={restore}
        className={styles.form}
      >
        <h1>
          {notice ? '编辑公告' : '发布公告'}：{klass.class_name}
        </h1>
        <TextField name="title" label="标题" withAsterisk limit={noticeTitleLimit} />
        <ContentField key={restored === undefined ? 0 : 1} restored={restored} />
        <div className={styles.buttons}>
          <LinkButton href={back} variant="default">
            取消
          </LinkButton>
          <Submit>发布</Submit>
        </div>
      </CheckedForm>
    </Screen>
  );
}

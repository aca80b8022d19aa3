/** PostNotice (document 3, sections 2 and 5): `/classes/notice?class_id=`, with `id` to edit. */
import { data } from 'react-router';
import { showClass } from '#server/classes/contract.ts';
import { editNotice, noticeTitleLimit, postNotice, showNotice } from '#server/notices/contract.ts';
import { api } from '../api.server.ts';
import { classAddress } from '../classes/tabs/tab.ts';
import { htmlOf } from '../questions/question-form-data.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { buttonClass } from '../ui/button.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import type { Route } from './+types/post';
import { ContentField } from './content-field.tsx';
import styles from './notice.module.css';

export const handle: ScreenHandle = {
  hydrate: true,
  crumbs: [{ label: '班级管理', href: '/classes' }, { label: '公告' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.notice ? '编辑公告' : '发布公告'} · 教学后台` },
];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const id = url.searchParams.get('id');
  const notice = id ? await client.send(showNotice, { params: { id } }) : undefined;
  const classId = notice?.class_id ?? url.searchParams.get('class_id') ?? '0';
  const klass = await client.send(showClass, { params: { id: classId } });
  if (klass.is_header_teacher === 0) throw data({ msg: '只有班主任可以发布公告' }, { status: 403 });
  if (notice?.is_can_delete === 0) throw data({ msg: '学校发布的公告不能编辑' }, { status: 403 });
  return { notice, klass, back: classAddress(klass.id, 'notice'), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? '');
  const idempotencyKey = idempotencyField(form);
  const written = {
    title: text('title'),
    content: form.get('content.as') === 'html' ? text('content') : htmlOf(text('content')),
  };
  const id = url.searchParams.get('id');
  const outcome = id
    ? await client.ask(editNotice, { params: { id }, body: written, idempotencyKey })
    : await client.ask(postNotice, {
        body: { ...written, class_id: url.searchParams.get('class_id') ?? undefined },
        idempotencyKey,
      });
  if (outcome.ok) return done(context, outcome.msg, classAddress(Number(text('class_id')), 'notice'));
  form.set('content', written.content);
  return refused(outcome, form);
}

export default function PostNotice({ loaderData, actionData }: Route.ComponentProps) {
  const { notice, klass, back, idempotencyKey } = loaderData;
  const typed = Object.fromEntries(actionData?.typed ?? []);
  const errors = actionData?.errors;
  return (
    <main>
      <form method="post" className={styles.form}>
        <h1>
          {notice ? '编辑公告' : '发布公告'}：{klass.class_name}
        </h1>
        {actionData && (
          <p className={styles.message} role="alert">
            {actionData.msg}
          </p>
        )}
        <input type="hidden" name="idempotency_key" value={actionData?.key ?? idempotencyKey} />
        <input type="hidden" name="class_id" value={klass.id} />
        <Field label="标题" id="title" required error={errors?.title?.[0]} hint={`最多${noticeTitleLimit}个字`}>
          <input
            id="title"
            name="title"
            defaultValue={typed.title ?? notice?.title}
            className={controlClass}
            aria-invalid={errors?.title ? true : undefined}
            aria-describedby={errors?.title ? 'title-error' : undefined}
          />
        </Field>
        <ContentField initial={typed.content ?? notice?.content ?? ''} error={errors?.content?.[0]} />
        <div className={styles.buttons}>
          <a href={back} className={buttonClass('plain')}>
            取消
          </a>
          <button type="submit" className={buttonClass('primary')}>
            发布
          </button>
        </div>
      </form>
    </main>
  );
}

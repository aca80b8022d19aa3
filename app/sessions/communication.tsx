/** ScheduleCommunication: `/sessions/communication?id=&user_id=`: what was talked about, and adding to it. */
import { data } from 'react-router';
import {
  addCommunication,
  communicationLimit,
  listCommunications,
  sessionStudents,
  showSession,
} from '#server/sessions/contract.ts';
import { api } from '../api.server.ts';
import { formatTime } from '../lib/dates.ts';
import { searchOf } from '../lib/search.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import { useTimezone } from '../shell/use-school.ts';
import { buttonClass } from '../ui/button.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import { Pager } from '../ui/pager.tsx';
import type { Route } from './+types/communication';
import { sessionHref } from './address.ts';
import styles from './communication.module.css';
import { sessionTime } from './terms.ts';

export const handle = { crumbs: [{ label: '我的排课', href: '/sessions' }, { label: '沟通记录' }] };

export const meta: Route.MetaFunction = () => [{ title: '沟通记录 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const id = url.searchParams.get('id') ?? '';
  if (!/^\d{1,9}$/.test(id)) throw data({ msg: '课次不存在' }, { status: 404 });
  const [session, students] = await Promise.all([
    client.send(showSession, { params: { id } }),
    client.send(sessionStudents, { params: { id }, query: { limit: 999_999 } }),
  ]);
  // Somebody who is not in the lesson is no filter.
  const named = students.list.find(({ clue_id }) => clue_id === Number(url.searchParams.get('user_id')));
  const user_id = named?.clue_id;
  const page = url.searchParams.get('page') ?? undefined;
  const records = await client.send(listCommunications, { params: { id }, query: { user_id, page } });
  const choices = students.list.map(({ clue_id, clue_name }) => ({ clue_id, clue_name }));
  return { session, students: choices, user_id, records, key: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context.get(api).ask(addCommunication, {
    params: { id: url.searchParams.get('id') ?? '' },
    body: {
      user_id: String(form.get('user_id') ?? ''),
      content: String(form.get('content') ?? '').replaceAll('\r\n', '\n'),
    },
    idempotencyKey: idempotencyField(form),
  });
  return outcome.ok ? done(context, outcome.msg, url.pathname + url.search) : refused(outcome, form);
}

export default function ScheduleCommunication({ loaderData, actionData }: Route.ComponentProps) {
  const { session, students, user_id, records, key } = loaderData;
  const timezone = useTimezone();
  const here = (more: { user_id?: number | undefined; page?: number }) =>
    `/sessions/communication${searchOf({ id: session.id, ...more, page: more.page === 1 ? undefined : more.page })}`;
  const typed = new Map(actionData?.typed);
  const errors = actionData?.errors;
  return (
    <main className={styles.page}>
      <div className={styles.head}>
        <h1>沟通记录</h1>
        <p>
          <a href={sessionHref(session)}>{session.class_name}</a> · {sessionTime(session, timezone)}
        </p>
      </div>
      <section aria-labelledby="add" className="no-print">
        <h2 id="add">添加沟通记录</h2>
        {actionData && (
          <p className={styles.message} role="alert">
            {actionData.msg}
          </p>
        )}
        <form method="post" action={here({ user_id })} className={styles.form} noValidate>
          <input type="hidden" name="idempotency_key" value={actionData?.key ?? key} />
          <Field label="学员" id="user_id" required error={errors?.user_id?.[0]}>
            <select
              id="user_id"
              name="user_id"
              defaultValue={typed.get('user_id') ?? user_id ?? (students.length === 1 ? students[0]?.clue_id : '')}
              aria-invalid={errors?.user_id ? true : undefined}
              aria-describedby={errors?.user_id ? 'user_id-error' : undefined}
              className={controlClass}
            >
              <option value="">请选择</option>
              {students.map(({ clue_id, clue_name }) => (
                <option key={clue_id} value={clue_id}>
                  {clue_name}
                </option>
              ))}
            </select>
          </Field>
          <Field
            label="沟通内容"
            id="talk"
            required
            error={errors?.content?.[0]}
            hint={`最多 ${communicationLimit} 个字`}
          >
            <textarea
              id="talk"
              name="content"
              rows={3}
              maxLength={communicationLimit}
              defaultValue={typed.get('content')}
              aria-invalid={errors?.content ? true : undefined}
              aria-describedby={errors?.content ? 'talk-error' : undefined}
              className={controlClass}
            />
          </Field>
          <button type="submit" className={buttonClass('primary')}>
            添加
          </button>
        </form>
      </section>
      <section aria-labelledby="records">
        <div className={styles.listHead}>
          <h2 id="records">记录</h2>
          {user_id !== undefined && students.length > 1 && <a href={here({})}>查看该课次全部学员的记录</a>}
        </div>
        {records.list.length === 0 && <p className={styles.empty}>暂无沟通记录</p>}
        <ol className={styles.records}>
          {records.list.map((record) => (
            <li key={record.id}>
              <p className={styles.by}>
                <strong>{record.clue_name}</strong>
                <span>{record.nickname}</span>
                <time dateTime={new Date(record.created_at * 1000).toISOString()}>
                  {formatTime(record.created_at, timezone)}
                </time>
              </p>
              <p className={styles.content}>{record.content}</p>
            </li>
          ))}
        </ol>
      </section>
      <Pager {...records} href={(page) => here({ user_id, page })} />
    </main>
  );
}

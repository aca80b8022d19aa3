/** Communication records of a lesson, with a form that adds one. */
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { addCommunication, listCommunications, sessionStudents, showSession } from '#server/sessions/contract.ts';
import { communicationLimit } from '#server/sessions/rules.ts';
import { api } from '../api/client.server.ts';
import { readForm } from '../lib/form-data.ts';
import { handleForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { List } from '../ui/list.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/communication';
import styles from './communication.posts.module.css';
import { communicationList, sessionDetail, sessionManage } from './screens.ts';
import { SessionTime } from './session-time.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '我的排课', href: sessionManage.href() }, { label: '沟通记录' }],
};

export const meta: Route.MetaFunction = () => titleMeta('沟通记录');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const {
    place: { id },
    filter,
  } = communicationList.at(url);
  const [session, students] = await Promise.all([
    client.send(showSession, { params: { id } }),
    client.send(sessionStudents, { params: { id }, query: { limit: maxListLimit } }),
  ]);
  // The id in the address counts only if that student is in the lesson.
  const named = students.list.find(({ clue_id }) => clue_id === filter.user_id);
  const user_id = named?.clue_id;
  const records = await client.send(listCommunications, { params: { id }, filter: { ...filter, user_id } });
  const choices = students.list.map(({ clue_id, clue_name }) => ({ clue_id, clue_name }));
  return { session, students: choices, user_id, records, idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleForm(sent, url.pathname + url.search, (client, idempotencyKey, form) =>
    client.ask(addCommunication, {
      params: communicationList.at(url).place,
      body: readForm(addCommunication, form),
      idempotencyKey,
    }),
  );

const { AreaField, Form, SelectField } = formOf<typeof addCommunication>();

export default function ScheduleCommunication({ loaderData, actionData }: Route.ComponentProps) {
  const { session, students, user_id, records, idempotencyKey } = loaderData;
  const view = useAddress(communicationList);
  return (
    <Screen className={styles.page}>
      <div className={styles.head}>
        <h1>沟通记录</h1>
        <p>
          <a href={sessionDetail(session).href({ id: session.id })}>{session.class_name}</a> ·{' '}
          <SessionTime session={session} />
        </p>
      </div>
      <section aria-labelledby="add" className="no-print">
        <h2 id="add">添加沟通记录</h2>
        <Form
          action={view.with({ user_id, page: undefined })}
          idempotencyKey={idempotencyKey}
          refused={actionData}
          values={{ user_id: user_id ?? (students.length === 1 ? students[0]?.clue_id : '') }}
          draft={`communication ${session.id} ${user_id ?? ''}`}
          className={styles.form}
          noValidate
        >
          <SelectField
            name="user_id"
            label="学员"
            withAsterisk
            placeholder="请选择"
            choices={students.map(({ clue_id, clue_name }) => [clue_id, clue_name] as const)}
          />
          <AreaField
            name="content"
            id="talk"
            label="沟通内容"
            withAsterisk
            limit={communicationLimit}
            rows={3}
            maxLength={communicationLimit}
          />
          <Submit>添加</Submit>
        </Form>
      </section>
      <section aria-labelledby="records">
        <div className={styles.listHead}>
          <h2 id="records">记录</h2>
          {user_id !== undefined && students.length > 1 && (
            <a href={view.with({ user_id: undefined, page: undefined })}>查看该课次全部学员的记录</a>
          )}
        </div>
        <List
          view={view}
          result={records}
          nothing="暂无沟通记录"
          body={(rows) => (
            <ol className={styles.records}>
              {rows.map((record) => (
                <li key={record.id}>
                  <p className={styles.by}>
                    <strong>{record.clue_name}</strong>
                    <span>{record.nickname}</span>
                    <NearMoment at={record.created_at} />
                  </p>
                  <p className={styles.content}>{record.content}</p>
                </li>
              ))}
            </ol>
          )}
        />
      </section>
    </Screen>
  );
}

/**
 * Dialog that reminds students by text message: 一键催交 (all) or 催交 (one). Shows the text, its recipients, and the
 * students who do not get it.
 */
import { type ReminderPlan, reminderPlan, sendReminders } from '#server/analysis/contract.ts';
import { api } from '../api/client.server.ts';
import { handleForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogClose, DialogForm } from '../ui/dialog.tsx';
import { NearMoment } from '../ui/moment.tsx';
import type { Route } from './+types/remind';
import styles from './remind.analysis.module.css';
import { detailScreens, reminderDialog } from './screens.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(nameOf(loaderData?.student_id));

const nameOf = (studentId: number | undefined) => (studentId === undefined ? '一键催交' : '催交');

const scopeAt = (url: URL) => {
  const { hw_id: hwId, class_id } = detailScreens.at(url);
  return { hwId, classId: class_id || '' };
};

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { student_id } = reminderDialog.at(url);
  const plan = await client.send(reminderPlan, { params: scopeAt(url), query: { student_id } });
  // If only students who cannot be reminded are left, the dialog stays: it lists them and has no button to send.
  if (plan.recent.total + plan.unreachable.total === 0) requireAllowed(context, plan.refusal);
  return { plan, student_id, now: client.now(), ...reminderDialog.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleForm(sent, reminderDialog.behind(url), (client, idempotencyKey) => {
    const { student_id } = reminderDialog.at(url);
    const body = student_id === undefined ? {} : { student_ids: [student_id] };
    return client.ask(sendReminders, { params: scopeAt(url), body, idempotencyKey });
  });

export default function Remind({ loaderData, actionData }: Route.ComponentProps) {
  const { plan, student_id, now, closeHref, idempotencyKey } = loaderData;
  const isOne = student_id !== undefined;
  const { homework_name, content, refusal, ready, recent, unreachable } = plan;
  return (
    <Dialog title={nameOf(student_id)} closeHref={closeHref} width={620} message={refusal?.msg}>
      <p>
        作业：<strong>{homework_name}</strong>
      </p>
      {ready.total > 0 && (
        <>
          <Group
            title={isOne ? '将发送一条短信给' : `将向 ${ready.total} 名学员各发送一条短信`}
            students={ready}
            now={now}
          />
          <figure className={styles.text}>
            <figcaption>短信内容{!isOne && '（每人开头为各自的姓名）'}</figcaption>
            <blockquote data-written="">{content}</blockquote>
          </figure>
        </>
      )}
      {recent.total > 0 && (
        <Group
          title={isOne ? '12小时内已催交，不再发送' : `${recent.total} 名学员12小时内已催交，不再发送`}
          students={recent}
          now={now}
        />
      )}
      {unreachable.total > 0 && (
        <Group
          title={isOne ? '没有手机号，无法发送' : `${unreachable.total} 名学员没有手机号，无法发送`}
          students={unreachable}
          now={now}
        />
      )}
      {ready.total > 0 ? (
        <DialogForm
          closeHref={closeHref}
          idempotencyKey={idempotencyKey}
          refused={actionData}
          submit={isOne ? '发送短信' : `发送给 ${ready.total} 人`}
        />
      ) : (
        <DialogClose closeHref={closeHref} words="返回" />
      )}
    </Dialog>
  );
}

interface GroupProps {
  title: string;
  students: ReminderPlan['ready'];
  now: number;
}

/** Names of students, with class and last reminder. */
function Group({ title, students: { total, list }, now }: GroupProps) {
  return (
    <details className={styles.group} open={total <= 10}>
      <summary>{title}</summary>
      <ul>
        {list.map(({ id, nickname, class_name, reminded_at, reminded_by }) => (
          <li key={id}>
            {nickname}
            <span>
              {class_name}
              {reminded_at !== null && (
                <>
                  ，已催交：
                  <NearMoment at={reminded_at} now={now} />（{reminded_by}）
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {total > list.length && <p>等 {total} 人</p>}
    </details>
  );
}

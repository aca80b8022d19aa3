/** List of the learner's leave requests with their states, and a button to withdraw each. */
import { readButton, readPostedForm, redirectBack } from '../shell/form-action.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Empty } from '../ui/empty.tsx';
import { Form, Submit } from '../ui/form.tsx';
import { Screen } from '../ui/screen.tsx';
import { Tag, type TagTone } from '../ui/tag.tsx';
import type { Route } from './+types/leave';
import { allRows } from './all-rows.server.ts';
import { EmptyAnswer, LeaveList } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import { useLearner } from './layout.tsx';
import styles from './learn.learn.module.css';
import { LearnerTime } from './moment.tsx';
import { learnLessons } from './screens.ts';
import { leaveNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('我的请假');

export async function loader({ context }: Route.LoaderArgs) {
  const rows = await allRows(context.get(learnerContext), 'leave', LeaveList);
  return { rows: rows.sort((a, b) => b.requested_at - a.requested_at) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const [, id = ''] = readButton(await readPostedForm(request, context), 'cancel');
  const outcome = await context.get(learnerContext).post(`leave/${encodeURIComponent(id)}/cancel`, {}, EmptyAnswer);
  return redirectBack(context, outcome, url);
}

const tones: Record<number, TagTone> = { 1: 'warn', 2: 'good', 3: 'bad' };

export default function LearnerLeave({ loaderData: { rows } }: Route.ComponentProps) {
  const now = useLearner()?.now ?? 0;
  return (
    <Screen title="我的请假">
      <p>
        请假从课表开始：<a href={learnLessons.href()}>选择课时</a>
      </p>
      {rows.length === 0 && <Empty>还没有请过假</Empty>}
      {rows.length > 0 && (
        <ul className={styles.rows}>
          {rows.map((row) => (
            <li key={row.id}>
              <strong>{row.period.title}</strong>{' '}
              <Tag tone={tones[row.op_status] ?? 'plain'}>{leaveNames[row.op_status] ?? '已结束'}</Tag>
              <p>
                {row.course.name} · <LearnerTime at={row.period.start_play} />
              </p>
              <p className={styles.said}>{row.leave_cause}</p>
              {row.decided_at !== null && [2, 3].includes(row.op_status) && (
                <p>
                  {row.decided_by} <LearnerTime at={row.decided_at} /> {leaveNames[row.op_status]}
                </p>
              )}
              {[1, 2].includes(row.op_status) && row.period.start_play > now && (
                <Form>
                  <Submit intent={`cancel ${row.id}`} variant="default">
                    撤回请假
                  </Submit>
                </Form>
              )}
            </li>
          ))}
        </ul>
      )}
    </Screen>
  );
}

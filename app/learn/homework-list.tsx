/** List of the learner's homework, open and past. */

import { formatScore } from '#server/platform/text/rules.ts';
import { titleMeta } from '../shell/title.ts';
import { Empty } from '../ui/empty.tsx';
import { Screen } from '../ui/screen.tsx';
import { SwitchLinks } from '../ui/switch-links.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/homework-list';
import { allRows } from './all-rows.server.ts';
import { HomeworkList, type HomeworkRow } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import styles from './learn.learn.module.css';
import { TimeUntil } from './moment.tsx';
import { homeworkTabs, learnHomework, learnHomeworkList } from './screens.ts';
import { homeworkStateNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('我的作业');

const tabNames = { open: '待提交', done: '已完成' } as const;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { state } = learnHomeworkList.at(url);
  const rows = await allRows(context.get(learnerContext), `homework?state=${state}`, HomeworkList);
  // Sorts open homework by the earliest deadline, past homework by the latest.
  const order = state === 'open' ? 1 : -1;
  return { state, rows: rows.sort((a, b) => order * (a.ending_time - b.ending_time)) };
}

export default function LearnerHomeworkList({ loaderData: { state, rows } }: Route.ComponentProps) {
  return (
    <Screen title="我的作业">
      <SwitchLinks
        label="作业"
        links={homeworkTabs.map((tab) => ({
          label: tabNames[tab],
          href: learnHomeworkList.href({ state: tab }),
          current: tab === state,
        }))}
      />
      {rows.length === 0 && <Empty>{state === 'open' ? '没有要交的作业' : '还没有交过的作业'}</Empty>}
      <HomeworkRows rows={rows} />
    </Screen>
  );
}

export function HomeworkRows({ rows }: { rows: readonly HomeworkRow[] }) {
  if (rows.length === 0) return null;
  return (
    <ul className={styles.rows}>
      {rows.map((row) => (
        <li key={row.id}>
          <a href={learnHomework.href({ id: row.id })}>{row.name}</a>
          <p>
            {row.course.name}
            {row.period_title && ` · ${row.period_title}`}
          </p>
          <p>
            {row.state === 'open' ? (
              <>
                截止 <TimeUntil at={row.ending_time} over="已截止" />
              </>
            ) : (
              <>
                <Tag tone={row.state === 'graded' ? 'good' : row.state === 'missed' ? 'bad' : 'plain'}>
                  {homeworkStateNames[row.state]}
                </Tag>
                {row.user_score !== null &&
                  (row.is_set_score === 1 ? ` 正确率 ${row.correct_rate}%` : ` ${formatScore(row.user_score)} 分`)}
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

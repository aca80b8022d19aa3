/** List of the learner's exams, open and past. */
import { formatScore } from '#server/platform/text/rules.ts';
import { titleMeta } from '../shell/title.ts';
import { Empty } from '../ui/empty.tsx';
import { Screen } from '../ui/screen.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/exams';
import { allRows } from './all-rows.server.ts';
import { ExamList, type ExamRow } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import styles from './learn.learn.module.css';
import { LearnerTime } from './moment.tsx';
import { learnExam } from './screens.ts';
import { examStateNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('我的考试');

const order: Record<ExamRow['state'], number> = { running: 0, published: 1, closed: 2, withdrawn: 3 };

export async function loader({ context }: Route.LoaderArgs) {
  const rows = await allRows(context.get(learnerContext), 'exams', ExamList);
  const shown = rows.filter(({ state }) => state !== 'withdrawn');
  return { rows: shown.sort((a, b) => order[a.state] - order[b.state] || (b.start_at ?? 0) - (a.start_at ?? 0)) };
}

export default function LearnerExams({ loaderData: { rows } }: Route.ComponentProps) {
  return (
    <Screen title="我的考试">
      {rows.length === 0 && <Empty>还没有考试</Empty>}
      <ExamRows rows={rows} />
    </Screen>
  );
}

export function ExamRows({ rows }: { rows: readonly ExamRow[] }) {
  if (rows.length === 0) return null;
  return (
    <ul className={styles.rows}>
      {rows.map((row) => (
        <li key={row.id}>
          <a href={learnExam.href({ id: row.id })}>{row.name}</a>
          <p>
            <Tag tone={row.attempt ? 'warn' : row.state === 'running' ? 'accent' : 'plain'}>
              {row.attempt ? '作答中' : row.handed_in > 0 && row.may_go_on === 0 ? '已交卷' : examStateNames[row.state]}
            </Tag>{' '}
            {row.end_at !== null && (
              <>
                <LearnerTime at={row.end_at} /> 结束
              </>
            )}
          </p>
          <p>
            {row.ques_num}题{row.score > 0 && ` · ${formatScore(row.score)}分`}
            {row.limit_time > 0 && ` · ${Math.floor(row.limit_time / 60)}分钟`}
            {row.handed_in > 1 && ` · 已交卷${row.handed_in}次`}
            {row.score > 0 && row.result?.user_score != null && ` · 得分 ${formatScore(row.result.user_score)}`}
          </p>
        </li>
      ))}
    </ul>
  );
}

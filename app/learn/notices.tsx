/** Notices of the learner's classes, the latest first. */
import { titleMeta } from '../shell/title.ts';
import { Empty } from '../ui/empty.tsx';
import { Screen } from '../ui/screen.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/notices';
import { allRows } from './all-rows.server.ts';
import { NoticeList } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import styles from './learn.learn.module.css';
import { LearnerTime } from './moment.tsx';
import { learnNotice } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('公告');

export async function loader({ context }: Route.LoaderArgs) {
  const rows = await allRows(context.get(learnerContext), 'notices', NoticeList);
  return { rows: rows.sort((one, other) => other.updated_at - one.updated_at || other.id - one.id) };
}

export default function LearnerNotices({ loaderData: { rows } }: Route.ComponentProps) {
  return (
    <Screen title="公告">
      {rows.length === 0 && <Empty>还没有公告</Empty>}
      {rows.length > 0 && (
        <ul className={styles.rows}>
          {rows.map((row) => (
            <li key={row.id}>
              <a href={learnNotice.href({ id: row.id })}>{row.title}</a>{' '}
              {row.read_at === null && <Tag tone="warn">未读</Tag>}
              <p>
                {row.class.name} · {row.nickname} · <LearnerTime at={row.updated_at} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Screen>
  );
}

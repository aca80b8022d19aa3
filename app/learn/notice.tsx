/** A notice. Opening the page marks the notice as read. */
import { titleMeta } from '../shell/title.ts';
import { RichHtml } from '../ui/rich-html.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/notice';
import { Notice } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import { withLearnerFiles } from './file-address.ts';
import styles from './learn.learn.module.css';
import { LearnerTime } from './moment.tsx';
import { learnNotice, learnNotices } from './screens.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.notice.title ?? '公告');

export async function loader({ context, url }: Route.LoaderArgs) {
  return { notice: await context.get(learnerContext).get(`notices/${learnNotice.at(url).id}`, Notice) };
}

export default function LearnerNotice({ loaderData: { notice } }: Route.ComponentProps) {
  return (
    <Screen className={styles.card}>
      <p>
        <a href={learnNotices.href()}>返回公告</a>
      </p>
      <h1>{notice.title}</h1>
      <p>
        {notice.class.name} · {notice.nickname} · <LearnerTime at={notice.updated_at} />
      </p>
      <RichHtml html={withLearnerFiles(notice.content)} />
    </Screen>
  );
}

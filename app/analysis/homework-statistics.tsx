/** HomeworkStatis: statistics by question type and by question, as tables and charts. */

import { ChartSpace } from '../shell/chart-space.tsx';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { Island } from '../ui/island.tsx';
import type { Route } from './+types/homework-statistics';
import { crumbsTo } from './crumbs.ts';
import styles from './statistics.analysis.module.css';
import { loadStatistics } from './statistics.server.ts';
import { StatisticsScreen } from './statistics-screen.tsx';
import { QuestionTable, TypeTable } from './statistics-tables.tsx';
import { statisticsTabNames } from './terms.ts';

export const handle: ScreenHandle = { crumbs: crumbsTo('作业统计') };

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData
    ? titleMeta(statisticsTabNames[loaderData.place.tab], loaderData.header.homework_name)
    : titleMeta('作业统计');

export const loader = ({ context, url }: Route.LoaderArgs) => loadStatistics(context, url);

export default function HomeworkStatistics({ loaderData }: Route.ComponentProps) {
  const { place, types, questions } = loaderData;
  const charts = place.tab === 1;
  return (
    <StatisticsScreen statistics={loaderData}>
      {charts && types && (
        <Island name="rate-chart.island" props={{ types, questions }} fallback={<ChartSpace height={760} />} />
      )}
      <section className={styles.block}>
        <h2>题型统计</h2>
        <TypeTable types={types ?? []} />
      </section>
      <section className={styles.block}>
        <h2>题目统计</h2>
        <QuestionTable questions={questions ?? []} />
      </section>
    </StatisticsScreen>
  );
}

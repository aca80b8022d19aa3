/** HomeworkStatis (document 2, section 2.2): the tables by type and by question, and their charts. */
import type { ScreenHandle } from '../shell/frame.tsx';
import { ChartSpace } from '../ui/chart-space.tsx';
import { Island } from '../ui/island.tsx';
import type { Route } from './+types/homework-statistics';
import { crumbsTo } from './crumbs.ts';
import styles from './statistics.module.css';
import { loadStatistics } from './statistics.server.ts';
import { StatisticsScreen } from './statistics-screen.tsx';
import { QuestionTable, TypeTable } from './statistics-tables.tsx';

export const handle: ScreenHandle = { crumbs: crumbsTo('作业统计') };

export const meta: Route.MetaFunction = () => [{ title: '作业统计 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const charts = url.searchParams.get('tab') === '1';
  return { charts, ...(await loadStatistics(context, url)) };
}

export default function HomeworkStatistics({ loaderData }: Route.ComponentProps) {
  const { charts, types, questions } = loaderData;
  return (
    <StatisticsScreen statistics={loaderData} current={charts ? 'charts' : 'tables'}>
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

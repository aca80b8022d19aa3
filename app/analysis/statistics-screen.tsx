/** Frame of both tabs of HomeworkStatis: the homework, and on how many reports its statistics are based. */
import type { ReactNode } from 'react';
import { homeworkMessages, recalledStatus } from '#server/homework/rules.ts';
import { Empty } from '../ui/empty.tsx';
import { Screen } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { populationText } from './population.tsx';
import { homeworkStatistics } from './screens.ts';
import styles from './statistics.analysis.module.css';
import type { Statistics } from './statistics.server.ts';
import { statisticsTabNames } from './terms.ts';

export function StatisticsScreen({ statistics, children }: { statistics: Statistics; children: ReactNode }) {
  const { place, header, types } = statistics;
  return (
    <Screen>
      <header className={styles.header}>
        <h1>{header.homework_name}</h1>
        <p>
          {header.class_name}
          {header.status !== recalledStatus &&
            `，${populationText({ submitted: header.submit, graded: header.revise })}`}
        </p>
      </header>
      <Tabs
        label="作业统计"
        current={String(place.tab)}
        tabs={[
          { key: '0', label: statisticsTabNames[0], href: homeworkStatistics.href({ ...place, tab: 0 }) },
          { key: '1', label: statisticsTabNames[1], href: homeworkStatistics.href({ ...place, tab: 1 }) },
        ]}
      />
      {types ? children : <Empty>{homeworkMessages.recordsGone}</Empty>}
    </Screen>
  );
}

/** Correct rate and score rate, by type as bars and by question as lines (document 2, sections 2.2 and 9). */
import { BarChart, LineChart } from '@mantine/charts';
import '../ui/chart.css';
import type { QuestionStatistics, TypeStatistics } from '#server/analysis/contract.ts';
import { mountIsland } from '../ui/mount-island.tsx';
import styles from './statistics.module.css';

const barSize = 28;

const scale = {
  h: 300,
  withLegend: true,
  tickLine: 'y',
  dataKey: 'name',
  yAxisProps: { domain: [0, 100], ticks: [0, 20, 40, 60, 80, 100] },
  // Of a short answer there is no correct rate: a dash, as in the table.
  valueFormatter: (rate: number | null) => (rate === null || rate === undefined ? '-' : `${rate}%`),
} as const;

const series = [
  { name: 'correct_rate', label: '正确率', color: 'var(--series-1)' },
  { name: 'score_rate', label: '得分率', color: 'var(--series-2)', strokeDasharray: '6 3' },
];

function RateCharts({ types, questions }: { types: TypeStatistics[]; questions: QuestionStatistics[] }) {
  return (
    <div className={styles.charts}>
      <figure>
        <figcaption>各题型正确率与得分率</figcaption>
        <BarChart
          {...scale}
          data={types.map(({ name, correct_rate, score_rate }) => ({ name, correct_rate, score_rate }))}
          series={series}
          barProps={{ barSize }}
        />
      </figure>
      <figure>
        <figcaption>各题正确率与得分率</figcaption>
        <LineChart
          {...scale}
          data={questions.map(({ number, correct_rate, score_rate }) => ({ name: number, correct_rate, score_rate }))}
          series={series}
          curveType="linear"
          connectNulls={false}
        />
      </figure>
    </div>
  );
}

mountIsland('rate-chart.island', RateCharts);

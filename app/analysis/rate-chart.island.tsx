/** Charts of the correct rate and the score rate: bars by question type, lines by question. */
import { BarChart, LineChart } from '@mantine/charts';
import '../ui/chart.script.css';
import type { QuestionStatistics, TypeStatistics } from '#server/analysis/question.contract.ts';
import { mountIsland } from '../ui/client/mount-island.tsx';
import { submittedText } from './population.tsx';
import styles from './statistics.analysis.module.css';

const barSize = 28;

const scale = {
  h: 300,
  withLegend: true,
  tickLine: 'y',
  dataKey: 'name',
  yAxisProps: { domain: [0, 100], ticks: [0, 20, 40, 60, 80, 100] },
  // Short answers have no correct rate. Their dash is the same as in the table.
  valueFormatter: (rate: number | null) => (rate === null || rate === undefined ? '-' : `${rate}%`),
  // Keeps series without a value in the tooltip, which would leave them out by default.
  tooltipProps: { filterNull: false },
} as const;

const series = [
  { name: 'correct_rate', label: '完全正确率', color: 'var(--series-1)' },
  { name: 'score_rate', label: '得分率', color: 'var(--series-2)', strokeDasharray: '6 3' },
];

/** Makes the chart's values reachable by keyboard, under an accessible name. */
const accessibleChart = (name: string) => ({ accessibilityLayer: true, 'aria-label': name });

function RateCharts({ types, questions }: { types: TypeStatistics[]; questions: QuestionStatistics[] }) {
  const whose = submittedText(types[0]?.submitted ?? 0);
  return (
    <div className={styles.charts}>
      <figure>
        <figcaption>
          各题型完全正确率与得分率<span>{whose}</span>
        </figcaption>
        <BarChart
          {...scale}
          barChartProps={accessibleChart('各题型完全正确率与得分率')}
          data={types.map(({ name, correct_rate, score_rate }) => ({ name, correct_rate, score_rate }))}
          series={series}
          barProps={{ barSize }}
        />
      </figure>
      <figure>
        <figcaption>
          各题完全正确率与得分率<span>{whose}</span>
        </figcaption>
        <LineChart
          {...scale}
          lineChartProps={accessibleChart('各题完全正确率与得分率')}
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

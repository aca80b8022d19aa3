/** Score distribution of an exam as a bar chart. A table below the chart has the numbers. */
import { BarChart } from '@mantine/charts';
import '../ui/chart.script.css';
import { mountIsland } from '../ui/client/mount-island.tsx';
import styles from './detail.analysis.module.css';
import type { ScoreBand } from './scores.tsx';

function ScoreChart({ bands }: { bands: ScoreBand[] }) {
  return (
    <figure className={styles.chart}>
      <figcaption>各分数段占比</figcaption>
      <BarChart
        h={280}
        data={bands.map(({ label, percent }) => ({ label: label.replace('-', '～'), percent }))}
        dataKey="label"
        series={[{ name: 'percent', label: '占比', color: 'var(--series-1)' }]}
        tickLine="y"
        yAxisProps={{ domain: [0, 100], ticks: [0, 20, 40, 60, 80, 100] }}
        valueFormatter={(percent) => `${percent}%`}
        barProps={{ barSize: 28 }}
      />
    </figure>
  );
}

mountIsland('score-chart.island', ScoreChart);

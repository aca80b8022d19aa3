/** Grade distribution as a doughnut chart. A table below the chart has the numbers. */
import { DonutChart } from '@mantine/charts';
import '../ui/chart.script.css';
import type { DistributionSummary } from '#server/analysis/transcript.contract.ts';
import { mountIsland } from '../ui/client/mount-island.tsx';
import styles from './distribution.analysis.module.css';
import { bandColors, bandNames } from './terms.ts';

function Doughnut({ summary }: { summary: DistributionSummary }) {
  const bands = summary.grade_distribution;
  const shown = bands.filter(({ number }) => number > 0);
  return (
    <div className={styles.doughnut}>
      <DonutChart
        size={220}
        thickness={44}
        paddingAngle={shown.length > 1 ? 2 : 0}
        // A single band gets no border: there is no other segment beside it.
        strokeWidth={shown.length > 1 ? 1 : 0}
        withTooltip
        tooltipDataSource="segment"
        chartLabel={`${summary.total} 人`}
        valueFormatter={(number) => `${number} 人`}
        data={shown.map(({ id, number }) => ({ name: bandNames[id], value: number, color: bandColors[id] }))}
      />
      <ul>
        {bands.map(({ id, number, correct_rate }) => (
          <li key={id}>
            <span className={styles.swatch} style={{ background: bandColors[id] }} />
            {bandNames[id]}：{number} 人（{correct_rate}%）
          </li>
        ))}
      </ul>
    </div>
  );
}

mountIsland('distribution-chart.island', Doughnut);

/** Texts that say on how many reports a figure is based, with a warning if they are few. */
import { formatPercent } from '../lib/amounts.ts';
import styles from './population.module.css';

/** A rate over fewer reports than this gets a warning. */
export const smallSample = 5;

export interface Population {
  submitted: number;
  graded: number;
}

export const populationText = ({ submitted, graded }: Population): string =>
  `已提交 ${submitted} 份，其中已批改 ${graded} 份`;

/** Says on how many submitted reports a rate is based, with a warning if they are few. */
export const submittedText = (n: number): string => withSampleWarning(`基于已提交的 ${n} 份作业`, n);

const withSampleWarning = (title: string, n: number) => (n < smallSample ? `${title}；样本较少，仅供参考` : title);

/** Number of reports, shown beside a rate if they are few. */
export const SampleSize = ({ n }: { n: number }) => n < smallSample && <span className={styles.few}>（n={n}）</span>;

/** A whole percentage over `n` reports. Shows `n` too if it is small. */
export function RateWithSample({ percent, n, title }: { percent: number; n: number; title: string }) {
  return (
    <span title={withSampleWarning(title, n)}>
      {formatPercent(percent)}
      <SampleSize n={n} />
    </span>
  );
}

export const TitledFigure = ({ value, title }: { value: number | string; title: string }) => (
  <span title={title}>{value}</span>
);

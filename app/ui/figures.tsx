/** Figures in the form in which they are read. */
import type { ReactNode } from 'react';
import styles from './figures.module.css';

/** Seconds as whole minutes, truncated. */
export const minutes = (seconds: number): string => `${Math.floor(seconds / 60)} 分钟`;

export const percentText = (percent: number): string => `${percent}%`;

/** Below this many reports a rate says little, and says so. */
export const fewReports = 5;

/** Whose reports a figure is made of. */
export interface Population {
  submitted: number;
  graded: number;
}

export const populationText = ({ submitted, graded }: Population): string =>
  `已提交 ${submitted} 份，其中已批改 ${graded} 份`;

/** Over whose reports a rate of the submitted ones is, and that they are few. */
export const submittedText = (n: number): string => cautioned(`基于已提交的 ${n} 份作业`, n);

const cautioned = (title: string, n: number) => (n < fewReports ? `${title}；样本较少，仅供参考` : title);

/** The number of reports, beside a rate over few of them. */
export const FewReports = ({ n }: { n: number }) => n < fewReports && <span className={styles.few}>（n={n}）</span>;

/** A whole percentage over `n` reports; with few of them the number stands beside it. */
export function Rate({ percent, n, title }: { percent: number; n: number; title: string }) {
  return (
    <span title={cautioned(title, n)}>
      {percentText(percent)}
      <FewReports n={n} />
    </span>
  );
}

export const Figure = ({ value, title }: { value: number | string; title: string }) => (
  <span title={title}>{value}</span>
);

/** Figures side by side, each under its name; what it is about is said where the pointer rests. */
export const Figures = ({ figures }: { figures: (readonly [name: string, value: ReactNode, about?: string])[] }) => (
  <dl className={styles.figures}>
    {figures.map(([name, value, about]) => (
      <div key={name} title={about}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** A percentage with a bar, for tables that accompany a chart. */
import type { ReactNode } from 'react';
import styles from './share-bar.module.css';

interface ShareBarProps {
  /** Percentage. Null shows a dash. */
  percent: number | null;
  /** Number of decimals. Default 0; only exams have one. */
  decimals?: 0 | 1;
  /** Tooltip of the bar. */
  title?: string;
  tone?: 'first' | 'second';
  /** Colour of the bar, if the colour has a meaning. */
  color?: string | undefined;
  /** Shown after the number. */
  note?: ReactNode;
}

export function ShareBar({ percent, decimals = 0, title, tone = 'first', color, note }: ShareBarProps) {
  if (percent === null) return <span title={title}>-</span>;
  return (
    <span className={styles.share} data-tone={tone} title={title}>
      <span className={styles.track}>
        <span style={{ width: `${percent}%`, background: color }} />
      </span>
      <span className={styles.number}>
        {percent.toFixed(decimals)}%{note}
      </span>
    </span>
  );
}

/** A share as a bar behind its number: the table that says what a chart draws. */
import type { ReactNode } from 'react';
import styles from './share-bar.module.css';

interface ShareBarProps {
  /** A dash where there is none. */
  percent: number | null;
  /** Of the number; 0 by default, for percentages are whole save those of exams. */
  decimals?: 0 | 1;
  /** Of what, on hover. */
  title?: string;
  tone?: 'first' | 'second';
  /** Of the bar, where it says something by itself. */
  color?: string | undefined;
  /** Stands behind the number. */
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

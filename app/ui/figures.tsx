import type { ReactNode } from 'react';
import styles from './figures.module.css';

interface FiguresProps {
  /** Names and values. `about` is the tooltip. */
  figures: readonly (readonly [name: string, value: ReactNode, about?: string])[];
  /** True if the figures are inside a card. */
  inCard?: boolean;
}

/** Figures side by side, each below its name. */
export const Figures = ({ figures, inCard }: FiguresProps) => (
  <dl className={styles.figures} data-in-card={inCard || undefined}>
    {figures.map(([name, value, about]) => (
      <div key={name} title={about}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

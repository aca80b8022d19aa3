import type { ReactNode } from 'react';
import styles from './figures.module.css';

interface FiguresProps {
  /** `about` is said where the pointer rests. */
  figures: readonly (readonly [name: string, value: ReactNode, about?: string])[];
  /** They stand in a card already. */
  inCard?: boolean;
}

/** Figures side by side, each under its name. */
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

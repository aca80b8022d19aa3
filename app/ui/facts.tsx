/** What is known of a record: its terms, each with what it is. */
import type { ReactNode } from 'react';
import styles from './facts.module.css';

interface FactsProps {
  /** `Fact`s. */
  children: ReactNode;
  /** Under each other, in as many columns as there is room for. */
  inColumns?: boolean;
  'aria-label'?: string;
}

export const Facts = ({ inColumns, ...list }: FactsProps) => (
  <dl className={inColumns ? `${styles.facts} ${styles.columns}` : styles.facts} {...list} />
);

export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

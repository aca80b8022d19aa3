/** Facts about a record as a description list. */
import type { ReactNode } from 'react';
import styles from './facts.module.css';

interface FactsProps {
  children: ReactNode;
  /** True to use as many columns as fit. */
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

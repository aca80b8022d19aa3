import type { ReactNode } from 'react';
import styles from './draft.module.css';

/** Box that offers to restore a draft. `children` are its text and its buttons. */
export const DraftOffer = ({ label, children }: { label: string; children: ReactNode }) => (
  <section className={styles.offer} aria-label={label} role="alert">
    {children}
  </section>
);

import type { ReactNode } from 'react';
import styles from './draft.module.css';

/** Offers to restore a draft; `children` has the text and the buttons. */
export const DraftOffer = ({ label, children }: { label: string; children: ReactNode }) => (
  <section className={styles.offer} aria-label={label} role="alert">
    {children}
  </section>
);

import type { ReactNode } from 'react';
import styles from './draft.module.css';

/** Offers what was typed before and not sent: `children` say what it is, and have the buttons. */
export const DraftOffer = ({ label, children }: { label: string; children: ReactNode }) => (
  <section className={styles.offer} aria-label={label} role="alert">
    {children}
  </section>
);

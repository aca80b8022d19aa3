/** What can be done with a list, above it. On paper its words stay. */
import type { ReactNode } from 'react';
import styles from './toolbar.module.css';

interface ToolbarProps {
  /** At its beginning: a sentence, or what must not stand beside the rest. */
  start?: ReactNode;
  children: ReactNode;
}

export const Toolbar = ({ start, children }: ToolbarProps) => (
  <div className={styles.toolbar} data-scrolls="">
    {start && <div className={styles.start}>{start}</div>}
    {children}
  </div>
);

/** Actions above a list. In print, texts stay but buttons are left out. */
import type { ReactNode } from 'react';
import styles from './toolbar.module.css';

interface ToolbarProps {
  /** Shown at the start: a sentence, or an action that is separate from the others. */
  start?: ReactNode;
  children: ReactNode;
}

export const Toolbar = ({ start, children }: ToolbarProps) => (
  <div className={styles.toolbar} data-scrolls="">
    {start && <div className={styles.start}>{start}</div>}
    {children}
  </div>
);

/** Actions above a list. Their text is printed, the buttons are not. */
import type { ReactNode } from 'react';
import styles from './toolbar.module.css';

interface ToolbarProps {
  /** Shown at the start: a sentence, or an action apart from the others. */
  start?: ReactNode;
  children: ReactNode;
}

export const Toolbar = ({ start, children }: ToolbarProps) => (
  <div className={styles.toolbar} data-scrolls="">
    {start && <div className={styles.start}>{start}</div>}
    {children}
  </div>
);

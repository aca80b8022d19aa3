/**
 * More about a word, beside it while the pointer or the focus is on it: no script, and the pointer may go into it
 * (WCAG 2.2, 1.4.13). It hangs on the page and not on its table, so that a table which scrolls does not cut it off.
 */
import type { ReactNode } from 'react';
import styles from './hint.module.css';

interface HintProps {
  /** Of the hint, unique on the page. */
  id: string;
  /** The word itself. */
  children: ReactNode;
  content: ReactNode;
  /** Said instead of the word where the word is only a sign. */
  label?: string;
  /** `end`: towards the left, for words at the right edge. */
  align?: 'start' | 'end';
}

export function Hint({ id, children, content, label, align = 'start' }: HintProps) {
  return (
    <div className={styles.hint} data-words={label === undefined || undefined}>
      <button type="button" className={label ? styles.sign : styles.word} aria-label={label} aria-describedby={id}>
        {children}
      </button>
      <div className={styles.more} data-align={align} id={id} role="tooltip">
        <div>{content}</div>
      </div>
    </div>
  );
}

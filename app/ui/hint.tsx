/**
 * A hint beside a word, shown on hover and focus without script. The pointer may move into it (WCAG 2.2, 1.4.13). It is
 * positioned relative to the page, so that a scrolling table does not clip it.
 */
import type { ReactNode } from 'react';
import styles from './hint.module.css';

interface HintProps {
  /** Element id, unique on the page. */
  id: string;
  children: ReactNode;
  content: ReactNode;
  /** Accessible name, if the word is only an icon. */
  label?: string;
  /** `end` opens the hint to the left, for words at the right edge. */
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

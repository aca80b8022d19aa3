import styles from './button.module.css';

export type ButtonKind = 'primary' | 'plain' | 'danger';

/** For a native button or for a link that acts as one. */
export function buttonClass(kind: ButtonKind): string {
  return `${styles.button} ${styles[kind]}`;
}

/** A small action of a table row; for links and buttons. */
export const rowAction = styles.row ?? '';

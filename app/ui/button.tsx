/** Buttons where Mantine's cannot be: cells of dense tables, a `<summary>`, and what scripts make without React. */
import { Button, UnstyledButton } from '@mantine/core';
import styles from './button.module.css';

/** Mantine's look for another element. */
export function buttonClass(kind: 'primary' | 'plain' | 'danger'): string {
  return `${UnstyledButton.classes.root} ${Button.classes.root} ${styles.button} ${styles[kind]}`;
}

/** A small action of a table row; for links and buttons. */
export const rowAction = styles.row ?? '';

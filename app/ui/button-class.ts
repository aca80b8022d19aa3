/** Mantine's look of a button for what cannot be one: a `<summary>`, and what scripts make without React. */
import { Button, UnstyledButton } from '@mantine/core';
import styles from './button.module.css';

export function buttonClass(kind: 'primary' | 'plain' | 'danger'): string {
  return `${UnstyledButton.classes.root} ${Button.classes.root} ${styles.button} ${styles[kind]}`;
}

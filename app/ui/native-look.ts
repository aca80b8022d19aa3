/** What native elements wear where a component cannot stand, or would weigh too much. */
import { Button, UnstyledButton } from '@mantine/core';
import button from './button.module.css';
import control from './control.module.css';
import links from './switch-links.module.css';

/** Mantine's look of a button for what cannot be one: a `<summary>`, and what scripts make without React. */
export function buttonClass(kind: 'primary' | 'plain' | 'danger'): string {
  return `${UnstyledButton.classes.root} ${Button.classes.root} ${button.button} ${button[kind]}`;
}

/** A small action of a table row; for links and buttons. */
export const rowAction = button.row ?? '';

/** Of inputs, selects and text areas that stand many in a row. */
export const controlClass = control.control ?? '';

/** Links of a `<nav>` of which one is the present view, side by side as one control. */
export const switchLinks = links.links ?? '';

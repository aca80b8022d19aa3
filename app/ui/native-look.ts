/** What native elements wear where a component cannot stand, or would weigh too much. */
import { Button, Checkbox, Input, InputWrapper, UnstyledButton } from '@mantine/core';
import button from './button.module.css';
import control from './control.module.css';
import links from './switch-links.module.css';
import theme from './theme.module.css';

/** Mantine's look of a button for what cannot be one: a `<summary>`, and what scripts make without React. */
export function buttonClass(kind: 'primary' | 'plain' | 'danger'): string {
  return `${UnstyledButton.classes.root} ${Button.classes.root} ${button.button} ${button[kind]}`;
}

/**
 * Mantine's look of a labelled field, for those of filters, which stand eight to a page and are computed for none: an
 * element of Mantine's costs the server thirty of its own kind. What they wear beside is Mantine's default.
 */
export const fieldLook = {
  root: InputWrapper.classes.root,
  label: `${theme.label} ${InputWrapper.classes.label}`,
  wrapper: `${theme.inputs} ${Input.classes.wrapper}`,
  input: `${theme.input} ${Input.classes.input}`,
  section: Input.classes.section,
  variant: 'default',
} as const;

/** Mantine's look of a box with its words beside it, for the same reason. */
export const boxLook = {
  root: Checkbox.classes.root,
  inner: Checkbox.classes.inner,
  input: Checkbox.classes.input,
  icon: Checkbox.classes.icon,
  label: `${Checkbox.classes.labelWrapper} ${Checkbox.classes.label}`,
} as const;

/** A small action of a table row; for links and buttons. */
export const rowAction = button.row ?? '';

/** The one of them that most people come for. */
export const mainAction = `${button.row} ${button.main}`;

/** Of inputs, selects and text areas that stand many in a row. */
export const controlClass = control.control ?? '';

/** Links of a `<nav>` of which one is the present view, side by side as one control. */
export const switchLinks = links.links ?? '';

/**
 * Mantine's button as an element of its own kind, for what stands many in a page: of Mantine's each makes four of them
 * and computes its colours anew. Its looks are Mantine's rules and ours (button.module.css), which compute nothing.
 */
import { Button, UnstyledButton } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import button from './button.module.css';
import theme from './theme.module.css';

export interface ButtonLook {
  variant?: 'default' | undefined;
  /** It takes something away. */
  color?: 'red' | undefined;
}

export function LinkButton({ variant, color, className, children, ...link }: ButtonLook & ComponentProps<'a'>) {
  return (
    <a {...link} className={lookOf({ variant, color }, className)}>
      <Words>{children}</Words>
    </a>
  );
}

export function NativeButton({ variant, color, className, children, ...own }: ButtonLook & ComponentProps<'button'>) {
  return (
    <button type="button" {...own} className={lookOf({ variant, color }, className)}>
      <Words>{children}</Words>
    </button>
  );
}

const common = `${theme.button} ${Button.classes.root} ${UnstyledButton.classes.root}`;

function lookOf({ variant, color }: ButtonLook, own: string | undefined): string {
  const look = variant === 'default' ? `${common} ${button.plain}` : color ? `${common} ${button.danger}` : common;
  return own ? `${look} ${own}` : look;
}

const Words = ({ children }: { children: ReactNode }) => (
  <span className={Button.classes.inner}>
    <span className={Button.classes.label}>{children}</span>
  </span>
);

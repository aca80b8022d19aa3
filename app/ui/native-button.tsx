/**
 * Mantine's button as an element of its own kind: Mantine's computes its colours and styles anew for each, a twentieth of
 * what a list costs. Its looks are Mantine's rules and ours (button.module.css), which compute nothing.
 */
import { Button, UnstyledButton } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import button from './button.module.css';

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

const common = `${button.whole} ${Button.classes.root} ${UnstyledButton.classes.root}`;

const plain = `${common} ${button.plain}`;
const taking = `${plain} ${button.taking}`;
const danger = `${common} ${button.danger}`;

function lookOf({ variant, color }: ButtonLook, own: string | undefined): string {
  const look = variant === 'default' ? (color ? taking : plain) : color ? danger : common;
  return own ? `${look} ${own}` : look;
}

const Words = ({ children }: { children: ReactNode }) => (
  <span className={Button.classes.inner}>
    <span className={Button.classes.label}>{children}</span>
  </span>
);

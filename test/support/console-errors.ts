import { format } from 'node:util';
import { expect } from 'vitest';

let printed: string[] = [];
let expected: RegExp[] = [];

/**
 * Lets the running test print errors that match, and asks for at least one of them. Tests that run at the same time in
 * one file (`test.concurrent`) cannot be told apart.
 */
export function expectConsoleError(pattern: RegExp): void {
  expected.push(pattern);
}

/** From now on every console.error is remembered as well as printed; those expected are only remembered. */
export function watchConsoleErrors(): void {
  // Files that share a process share the console, too.
  if (console.error === watching) return;
  const print = console.error;
  watching = (...values: unknown[]) => {
    const text = format(...values);
    printed.push(text);
    if (!expected.some((pattern) => pattern.test(text))) print(...values);
  };
  console.error = watching;
}
let watching: typeof console.error | undefined;

/** Fails when an error was printed that nobody expected, or an expected one was not; then forgets both. */
export function assertConsoleErrors(): void {
  const unexpected = printed.filter((text) => !expected.some((pattern) => pattern.test(text)));
  const missing = expected.filter((pattern) => !printed.some((text) => pattern.test(text)));
  printed = [];
  expected = [];
  expect(unexpected, 'printed by console.error').toEqual([]);
  expect(missing, 'expected from console.error').toEqual([]);
}

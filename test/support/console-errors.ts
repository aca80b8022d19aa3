import { format } from 'node:util';
import { expect } from 'vitest';

let printed: string[] = [];
let expected: RegExp[] = [];

/**
 * Allows the running test to print errors that match, and requires at least one. Not for `test.concurrent`: concurrent
 * tests in one file share the console.
 */
export function expectConsoleError(pattern: RegExp): void {
  expected.push(pattern);
}

/** Records every console.error from now on. Unexpected errors are also printed. */
export function watchConsoleErrors(): void {
  // Files that run in the same process share the console, so it is wrapped only once.
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

/** Fails on an unexpected error, or if an expected one is missing. Then forgets both. */
export function assertConsoleErrors(): void {
  const unexpected = printed.filter((text) => !expected.some((pattern) => pattern.test(text)));
  const missing = expected.filter((pattern) => !printed.some((text) => pattern.test(text)));
  printed = [];
  expected = [];
  expect(unexpected, 'printed by console.error').toEqual([]);
  expect(missing, 'expected from console.error').toEqual([]);
}

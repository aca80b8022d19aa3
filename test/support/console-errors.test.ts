import { expect, test } from 'vitest';
import { assertConsoleErrors, expectConsoleError } from './console-errors.ts';

test.fails('fails a test that prints an error', () => {
  console.error('Warning: each child in a list should have a unique key');
});

test('passes a test that prints an expected error', () => {
  expectConsoleError(/^disk (is )?full: 3$/);
  console.error('disk %s: %d', 'full', 3);
});

test.fails('fails a test whose expected error is missing', () => {
  expectConsoleError(/disk full/);
});

// Does what the hook after every test does: errors that were printed or expected earlier no longer count.
test('forgets the errors of the previous test', () => {
  expect(assertConsoleErrors).not.toThrow();
});

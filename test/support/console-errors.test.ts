import { expect, test } from 'vitest';
import { expectConsoleError } from './console-errors.ts';

test.fails('an error that is printed fails the test', () => {
  console.error('Warning: each child in a list should have a unique key');
});

test('an error that is expected does not', () => {
  expectConsoleError(/^disk (is )?full: 3$/);
  console.error('disk %s: %d', 'full', 3);
});

test.fails('an expected error must come', () => {
  expectConsoleError(/disk full/);
});

test('the next test starts afresh', () => {
  expect(true).toBe(true);
});

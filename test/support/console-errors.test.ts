import { expect, test } from 'vitest';
import { assertConsoleErrors, expectConsoleError } from './console-errors.ts';

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

// As the hook after every test does it: what an earlier one printed or expected is nobody's any more.
test('the next test starts afresh', () => {
  expect(assertConsoleErrors).not.toThrow();
});

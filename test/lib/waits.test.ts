import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('no test waits for a time instead of a state', () => {
  const files = globSync('test/**/*.{ts,tsx}', { exclude: ['test/bench/**', 'test/lib/waits.test.ts'] });
  const waiting = /\.waitForTimeout\(|await new Promise\(\(resolve\) => setTimeout\(resolve, \d{3,}\)\);\n\s*expect/;
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => waiting.test(readFileSync(file, 'utf8')))).toEqual([]);
});

import { describe } from 'vitest';

/** Options of a test or `describe` that only `npm run test:all` runs. */
export const thorough = { tags: ['thorough'] };

/** Runs a `describe` for every value: the first in `npm test` too, the others in `npm run test:all` only. */
export function describeWays<Way>(ways: readonly Way[]): (title: string, tests: (way: Way) => void) => void {
  return (title, tests) => {
    describe.each(ways.slice(0, 1))(title, tests);
    describe.each(ways.slice(1))(title, thorough, tests);
  };
}

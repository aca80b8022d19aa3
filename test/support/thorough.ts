import { describe } from 'vitest';

/** Options of a test or `describe` that `npm run test:all` runs and `npm test` does not. */
export const thorough = { tags: ['thorough'] };

/** `describe` for every way: the first runs in `npm test`, the others in `npm run test:all` only. */
export function describeWays<Way>(ways: readonly Way[]): (title: string, tests: (way: Way) => void) => void {
  return (title, tests) => {
    describe.each(ways.slice(0, 1))(title, tests);
    describe.each(ways.slice(1))(title, thorough, tests);
  };
}

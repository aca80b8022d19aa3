/**
 * Speed goals. `npm run bench` judges them. `npm test` allows ten times as much: on a busy machine a goal is missed
 * without any defect, but nothing may hang.
 */
import { expect, inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** True in `npm run bench`. */
    goals: boolean;
  }
}

export const judgesGoals = inject('goals') === true;

/** Checks a goal. `value` and the maximum are in milliseconds unless a unit is given. */
export function goal(measure: string, value: number, most: number, unit = ' ms'): void {
  if (judgesGoals) {
    const written = `${value.toFixed(1)}${unit} (goal ≤ ${most}${unit})`;
    process.stdout.write(`${value <= most ? 'ok  ' : 'MISS'} ${measure}: ${written}\n`);
  }
  expect.soft(value, measure).toBeLessThanOrEqual(judgesGoals ? most : 10 * most);
}

import { schoolTime } from '../api/process.server.ts';
import { textOf } from '../lib/form-data.ts';

/**
 * Returns the seconds that the learner spent on the homework: earlier visits, plus at most one day for this page. The
 * server also caps them at the age of the homework.
 */
export function timeSpent(fields: Pick<FormData, 'get'>): number {
  const [spent = 0, opened = 0] = ['spent', 'opened'].map((name) => Number(textOf(fields, name)) || 0);
  const day = 24 * 60 * 60;
  return Math.floor(Math.max(0, spent) + Math.min(day, Math.max(0, opened > 0 ? schoolTime() - opened : 0)));
}

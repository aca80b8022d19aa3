/** Holidays and make-up workdays, the same for all schools. */

import { invalid, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { latestDay } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { RuleContext } from '#server/school/context.ts';
import { settingsRefusal } from './changes.ts';
import { CompleteHolidays, type Holiday, type NewHolidays } from './holidays.contract.ts';
import { holidayMessages, maxHolidaysAtOnce, missingHoliday, takenHoliday } from './rules.ts';

type Asked = RuleContext<'actor' | 'now'>;

/** Lists entries from `from` to `to`, both inclusive, by day (`yyyy-mm-dd`). */
export const holidaysBetween = (db: Database, from: string, to: string): Promise<Holiday[]> =>
  db
    .selectFrom('holiday')
    .select(['id', 'day', 'name', 'is_workday', 'as_weekday'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute() as Promise<Holiday[]>;

export const holidaysOfYear = (db: Database, year: number): Promise<Holiday[]> => {
  return holidaysBetween(db, `${year}-01-01`, `${year}-12-31`);
};

/** Returns, from a day on, the school holidays, which planned lessons skip, and days that follow another weekday's timetable (1: Monday). */
export async function plannedAround(
  db: Database,
  from: string,
): Promise<{ closed: string[]; worked: ReadonlyMap<string, number> }> {
  const days = await holidaysBetween(db, from, latestDay);
  return {
    closed: days.filter(({ is_workday }) => is_workday === 0).map(({ day }) => day),
    worked: new Map(days.flatMap(({ day, as_weekday }) => (as_weekday === null ? [] : [[day, as_weekday] as const]))),
  };
}

/** Adds all days or none. 403: administrator of some schools only. 422: a field, or existing days. */
export async function addDays(context: Asked, written: NewHolidays): Promise<{ count: number } | Refusal> {
  const { db, actor, now } = context;
  const refusal = settingsRefusal(context);
  if (refusal) return refusal;
  const { output, errors } = validateComplete(CompleteHolidays, written);
  if (!output) return invalid(errors);
  const { from, to = from, name, is_workday } = output;
  if (to < from) return invalid({ to: [holidayMessages.order] });
  const days = daysBetween(from, to);
  if (days.length > maxHolidaysAtOnce) return invalid({ to: [holidayMessages.tooMany] });
  const taken = await holidaysBetween(db, from, to);
  if (taken.length > 0) return invalid({ from: [takenHoliday(taken.map(({ day }) => day))] });
  const as_weekday = is_workday === 1 ? (output.as_weekday ?? null) : null;
  for (const day of days) {
    const after = { day, name, is_workday, as_weekday };
    const { id } = await db.insertInto('holiday').values(after).returning('id').executeTakeFirstOrThrow();
    await recordHistory(db, { actor, now, record: 'holiday', recordId: id, action: 'add', before: null, after });
  }
  return { count: days.length };
}

/** 403: administrator of some schools only. 404: no such day. */
export async function removeDay(context: Asked, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const refusal = settingsRefusal(context);
  if (refusal) return refusal;
  const before = await db
    .deleteFrom('holiday')
    .where('id', '=', id)
    .returning(['day', 'name', 'is_workday', 'as_weekday'])
    .executeTakeFirst();
  if (!before) return missing(missingHoliday);
  await recordHistory(db, { actor, now, record: 'holiday', recordId: id, action: 'delete', before, after: null });
  return null;
}

function daysBetween(from: string, to: string): string[] {
  const day = 24 * 60 * 60 * 1000;
  const first = Date.parse(`${from}T00:00:00Z`);
  const count = Math.min(maxHolidaysAtOnce + 1, (Date.parse(`${to}T00:00:00Z`) - first) / day + 1);
  return Array.from({ length: count }, (_, index) => new Date(first + index * day).toISOString().slice(0, 10));
}

/** Holidays and make-up workdays, the same for all schools. */

import { sql } from 'kysely';
import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { editConflict, mergeEdit, versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { invalid, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { latestDay } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { changedFields, lastChangedBy, recordHistory } from '#server/platform/db/history.ts';
import type { RuleContext } from '#server/school/context.ts';
import { withSchoolLock } from '#server/school/school-lock.ts';
import { settingsRefusal } from './changes.ts';
import { emptyDayLessons, lessonsOn } from './holiday-lessons.ts';
import {
  type ChosenNationalDays,
  CompleteHoliday,
  CompleteHolidays,
  type EditedHoliday,
  type Holiday,
  type HolidayRecord,
  type HolidayYearFilter,
  type ListedHoliday,
  type NationalHolidays,
  type NewHolidays,
} from './holidays.contract.ts';
import { isByLawAlone, nationalDays } from './national-holidays.ts';
import {
  addedWithLessons,
  holidayFieldNames,
  holidayMessages,
  holidayTakenMessage,
  holidayValueText,
  maxHolidaysAtOnce,
  missingHoliday,
  nationalMessages,
  savedWithLessons,
} from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'settings'>;

/** Lists the holidays and make-up workdays from `from` to `to` (`yyyy-mm-dd`, both included), by day. */
export const holidaysBetween = (db: Database, from: string, to: string): Promise<Holiday[]> =>
  db
    .selectFrom('holiday')
    .select(['id', 'day', 'name', 'is_workday', 'as_weekday'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute() as Promise<Holiday[]>;

const holidaysOfYear = (db: Database, year: number): Promise<Holiday[]> => {
  return holidaysBetween(db, `${year}-01-01`, `${year}-12-31`);
};

/** Lists the holidays and make-up workdays of a year. Each day off has its lessons that have not begun yet. */
export async function listYear(context: RequestContext, year: number): Promise<ListedHoliday[]> {
  const days = await holidaysOfYear(context.db, year);
  const lessons = await lessonsOn(context, daysOff(days));
  return days.map((one) => ({ ...one, ...(lessons.get(one.day) ?? emptyDayLessons) }));
}

const daysOff = (days: readonly Pick<Holiday, 'day' | 'is_workday'>[]): string[] =>
  days.filter(({ is_workday }) => is_workday === 0).map(({ day }) => day);

/** Returns the years that have days off; with `by_law`, the ones whose days are the days off by law alone. */
export async function yearsWithHolidays(db: Database, { by_law }: HolidayYearFilter): Promise<number[]> {
  if (by_law === 1) return yearsByLaw(await holidaysBetween(db, '', latestDay));
  const rows = await db
    .selectFrom('holiday')
    .select(sql<string>`substr(day, 1, 4)`.as('year'))
    .distinct()
    .where('is_workday', '=', 0)
    .execute();
  return rows.map(({ year }) => Number(year)).sort((a, b) => a - b);
}

function yearsByLaw(days: readonly Holiday[]): number[] {
  const byYear = groupRows(days, ({ day }) => Number(day.slice(0, 4)));
  return [...byYear].filter(([year, ofYear]) => isByLawAlone(year, ofYear)).map(([year]) => year);
}

export interface HolidayPlan {
  /** Days off, from the beginning of the first year on. */
  closed: string[];
  /** Days that follow the timetable of another weekday (1 is Monday). */
  worked: ReadonlyMap<string, number>;
  /** Years whose days are the days off by law alone. */
  yearsByLaw: number[];
}

/**
 * Returns the days off and make-up workdays that matter when lessons are planned, from the beginning of the year of
 * `from` on.
 */
export async function holidayPlanFrom(db: Database, from: string): Promise<HolidayPlan> {
  const days = await holidaysBetween(db, `${from.slice(0, 4)}-01-01`, latestDay);
  return {
    closed: daysOff(days),
    worked: new Map(days.flatMap(({ day, as_weekday }) => (as_weekday === null ? [] : [[day, as_weekday] as const]))),
    yearsByLaw: yearsByLaw(days),
  };
}

/** Adds all days or none. 403: an administrator of some schools. 422: errors by field, or a day exists already. */
export async function addHolidayDays(
  context: RequestContext,
  written: NewHolidays,
): Promise<AnswerWithMessage<{ count: number }> | Refusal> {
  const refusal = settingsRefusal(context);
  if (refusal) return refusal;
  const { output, errors } = validateComplete(CompleteHolidays, written);
  if (!output) return invalid(errors);
  const { from, to = from, name, is_workday } = output;
  if (to < from) return invalid({ to: [holidayMessages.order] });
  const days = daysBetween(from, to);
  if (days.length > maxHolidaysAtOnce) return invalid({ to: [holidayMessages.tooMany] });
  const as_weekday = is_workday === 1 ? (output.as_weekday ?? null) : null;
  return insertDays(
    context,
    days.map((day) => ({ day, name, is_workday, as_weekday })),
    'from',
  );
}

/** Returns the national list of a year, and for each day what the school has recorded already. */
export async function nationalHolidays(context: RequestContext, year: number): Promise<NationalHolidays> {
  const { isAnnounced, days } = nationalDays(year);
  const present = new Map((await holidaysOfYear(context.db, year)).map(({ id: _, day, ...rest }) => [day, rest]));
  const missing = days.filter(({ day }) => !present.has(day));
  const lessons = await lessonsOn(context, daysOff(missing));
  return {
    year,
    is_announced: isAnnounced ? 1 : 0,
    days: days.map((one) => ({
      ...one,
      present: present.get(one.day) ?? null,
      ...(lessons.get(one.day) ?? emptyDayLessons),
    })),
  };
}

/**
 * Adds all chosen days of the national list or none. 403: an administrator of some schools. 422: no day is chosen, a
 * day is not in the list, or a day exists already.
 */
export async function adoptDays(
  context: RequestContext,
  { days: written }: ChosenNationalDays,
): Promise<AnswerWithMessage<{ count: number }> | Refusal> {
  const refusal = settingsRefusal(context);
  if (refusal) return refusal;
  const chosen = new Map(written.map(({ day = '', as_weekday }) => [day, as_weekday ?? null]));
  if (chosen.size === 0) return invalid({ days: [nationalMessages.noDays] });
  const known = new Map(
    [...new Set([...chosen.keys()].map((day) => day.slice(0, 4)))]
      .flatMap((year) => nationalDays(Number(year)).days)
      .map((one) => [one.day, one]),
  );
  const unknown = [...chosen.keys()].filter((day) => !known.has(day));
  if (unknown.length > 0) return invalid({ days: [nationalMessages.unknown(unknown)] });
  const days = [...chosen].flatMap(([day, as_weekday]) => {
    const one = known.get(day);
    return one ? [{ ...one, as_weekday: one.is_workday === 1 ? as_weekday : null }] : [];
  });
  return insertDays(
    context,
    days.sort((a, b) => (a.day < b.day ? -1 : 1)),
    'days',
  );
}

/** Inserts days with their history. `field`: form field that gets the error if a day exists already. */
async function insertDays(
  context: RequestContext,
  days: readonly Omit<Holiday, 'id'>[],
  field: 'from' | 'days',
): Promise<AnswerWithMessage<{ count: number }> | Refusal> {
  const { db, actor, now } = context;
  await withSchoolLock(db);
  const wanted = days.map(({ day }) => day);
  const present = await holidaysBetween(db, wanted[0] ?? '', wanted.at(-1) ?? '');
  const taken = present.filter(({ day }) => wanted.includes(day)).map(({ day }) => day);
  if (taken.length > 0) return invalid({ [field]: [holidayTakenMessage(taken)] });
  for (const after of days) {
    const { id } = await db.insertInto('holiday').values(after).returning('id').executeTakeFirstOrThrow();
    await recordHistory(db, { actor, now, record: 'holiday', recordId: id, action: 'add', before: null, after });
  }
  const lessons = await lessonsOn(context, daysOff(days));
  const standing = [...lessons.values()].reduce((sum, { lesson_count }) => sum + lesson_count, 0);
  return new AnswerWithMessage({ count: days.length }, standing > 0 ? { msg: addedWithLessons(standing) } : {});
}

/** Returns a day for its form. 404: no such day. */
export async function showHolidayDay({ db }: RequestContext, id: number): Promise<HolidayRecord | Refusal> {
  const before = await heldDay(db, id);
  return before ? { id, ...before, seen: versionTokenOf(before) } : missing(missingHoliday);
}

/**
 * Edits a day. 403: an administrator of some schools. 404: no such day. 422: errors by field, or another record has the
 * day. 409: somebody else changed it meanwhile.
 */
export async function editHolidayDay(
  context: RequestContext,
  id: number,
  written: EditedHoliday,
): Promise<AnswerWithMessage<null> | null | Refusal> {
  const { db, actor, now } = context;
  const refusal = settingsRefusal(context);
  if (refusal) return refusal;
  await withSchoolLock(db);
  const before = await heldDay(db, id);
  if (!before) return missing(missingHoliday);
  const { output, errors } = validateComplete(CompleteHoliday, written);
  if (!output) return invalid(errors);
  const { is_workday, as_weekday } = output;
  const complete = { ...output, as_weekday: is_workday === 1 ? (as_weekday ?? null) : null };
  const { merged, conflicts, both } = mergeEdit(written.seen, before, complete);
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'holiday', id, conflicts)) || '其他人',
      nameOf: holidayFieldNames,
      shown: holidayValueText,
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const taken = await holidaysBetween(db, merged.day, merged.day);
  if (taken.some((other) => other.id !== id)) return invalid({ day: [holidayTakenMessage([merged.day])] });
  await db.updateTable('holiday').set(merged).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'holiday',
    recordId: id,
    action: 'edit',
    before: change.before,
    after: change.after,
  });
  const isNewlyOff = merged.is_workday === 0 && (merged.day !== before.day || before.is_workday === 1);
  const standing = isNewlyOff ? ((await lessonsOn(context, [merged.day])).get(merged.day)?.lesson_count ?? 0) : 0;
  return standing > 0 ? new AnswerWithMessage(null, { msg: savedWithLessons(standing) }) : null;
}

const heldDay = (db: Database, id: number): Promise<Omit<Holiday, 'id'> | undefined> =>
  db
    .selectFrom('holiday')
    .select(['day', 'name', 'is_workday', 'as_weekday'])
    .where('id', '=', id)
    .executeTakeFirst() as Promise<Omit<Holiday, 'id'> | undefined>;

/** Removes a day. 403: an administrator of some schools. 404: no such day. */
export async function removeHolidayDay(context: RequestContext, id: number): Promise<null | Refusal> {
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

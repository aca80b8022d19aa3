/** Order of the periods of a course. */

import { missingCourse, missingPeriod } from '#server/classes/rules.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { Direction } from './chapters.contract.ts';
import { swapWithNeighbour } from './chapters.ts';
import { type CourseContext, lockedCourse, maxId } from './course-changes.ts';
import { lockedPeriod } from './period-rows.ts';

/** Moves a period up or down by one place. 404: no such period. */
export async function placePeriodOf(context: CourseContext, id: number, direction: Direction): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const period = await lockedPeriod(context, id);
  if (!period) return missing(missingPeriod);
  const periods = await periodsInOrder(db, period.course_id).execute();
  const ids = periods.map((one) => one.id);
  const placed = swapWithNeighbour(ids, id, direction);
  if (!placed) return null;
  await storeOrder(db, placed, periods);
  const [before, after] = [{ place: ids.indexOf(id) + 1 }, { place: placed.indexOf(id) + 1 }];
  await recordHistory(db, { actor, now, record: 'period', recordId: id, action: 'place', before, after });
  return null;
}

/** Sorts the periods of a course by time. 404: no such course. */
export async function sortPeriodsOf(context: CourseContext, courseId: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  if (!(await lockedCourse(context, courseId))) return missing(missingCourse);
  const periods = await periodsInOrder(db, courseId).execute();
  const ids = periods.map(({ id }) => id);
  const sorted = [...periods].sort((a, b) => a.start_play - b.start_play).map(({ id }) => id);
  if (ids.every((id, place) => id === sorted[place])) return null;
  await storeOrder(db, sorted, periods);
  await recordHistory(db, {
    actor,
    now,
    record: 'course',
    recordId: courseId,
    action: 'sort-periods',
    before: { periods: ids },
    after: { periods: sorted },
  });
  return null;
}

const periodsInOrder = (db: Database, courseId: number) =>
  db
    .selectFrom('period')
    .select(['id', 'sort', 'start_play'])
    .where('course_id', '=', courseId)
    .orderBy('sort')
    .orderBy('start_play')
    .orderBy('id');

async function storeOrder(db: Database, ids: readonly number[], before: readonly { id: number; sort: number }[]) {
  const sortOf = new Map(before.map(({ id, sort }) => [id, sort]));
  for (const [place, id] of ids.entries()) {
    if (sortOf.get(id) === place + 1) continue;
    await db
      .updateTable('period')
      .set({ sort: place + 1 })
      .where('id', '=', id)
      .execute();
  }
}

/** The highest `sort` of a course's periods; 0 without periods. */
export async function maxSort(db: Database, courseId: number): Promise<number> {
  return maxId(
    db
      .selectFrom('period')
      .select((eb) => eb.fn.max<number | null>('sort').as('last'))
      .where('course_id', '=', courseId),
  );
}

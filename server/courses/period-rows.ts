/** Rows of periods: locks, insertion, and join codes. */

import { randomInt } from 'node:crypto';
import { liveCourses } from '#server/classes/rules.ts';
import { newRecordId, recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { type CourseContext, lockedCourse, maxId } from './course-changes.ts';
import type { CompletePeriod } from './periods.contract.ts';
import { editablePeriod } from './periods.ts';
import { adminPeriods } from './visible.ts';

/** Inserts periods, each with a history row, under ids that no earlier period had. Returns the ids in order. */
export async function insertPeriods(
  { db, actor, now }: CourseContext,
  periods: readonly (CompletePeriod & { course_id: number; sort: number })[],
): Promise<number[]> {
  if (periods.length === 0) return [];
  const { id: unused } = await newRecordId(db, 'period', () =>
    maxId(db.selectFrom('period').select((eb) => eb.fn.max('id').as('last'))),
  );
  const ids: number[] = [];
  for (const [place, { minutes, ...period }] of periods.entries()) {
    const given = unused === undefined ? {} : { id: unused + place };
    const { id } = await db
      .insertInto('period')
      .values({ ...given, ...period, total_time: minutes * 60, student_code: newJoinCode(period) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordHistory(db, {
      actor,
      now,
      record: 'period',
      recordId: id,
      action: 'add',
      before: null,
      after: { course_id: period.course_id, ...editablePeriod({ ...period, minutes }) },
    });
    ids.push(id);
  }
  return ids;
}

/** Characters of a join code; those that are easily confused (0/O, 1/I) are left out. */
const codeCharacters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Generates the students' join code of a live period; '' for other types, which have no live room. */
export const newJoinCode = ({ periods_type }: { periods_type: number }): string =>
  liveCourses.includes(periods_type)
    ? `S${Array.from({ length: 7 }, () => codeCharacters[randomInt(codeCharacters.length)]).join('')}`
    : '';

/** Loads a period of the user's schools and locks its course. */
export async function lockedPeriod(context: CourseContext, id: number) {
  const { db, actor } = context;
  const found = await adminPeriods(db, actor).select('period.course_id').where('period.id', '=', id).executeTakeFirst();
  if (!found || !(await lockedCourse(context, found.course_id))) return undefined;
  return forUpdate(db)(db.selectFrom('period').selectAll('period').where('period.id', '=', id)).executeTakeFirst();
}

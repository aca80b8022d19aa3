/** The schedule picture that the classes of a large class share. */

import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { refuseWrongPicture } from '#server/platform/files/stored-picture.ts';
import type { RuleContext } from '#server/school/context.ts';
import { classMessages, classTypes, missingLargeClass } from './rules.ts';
import { visibleClasses } from './visible.ts';

type ScheduleContext = RuleContext<'storage' | 'actor' | 'now'>;

/**
 * Replaces the schedule picture of all classes of a large class. Allowed to anyone who sees one of these classes.
 * `address`: the path that `public/file` returned. 404: no such large class. At `schedule_image`: 422 no such picture,
 * 413 too large.
 */
export async function replaceSchedule(
  { db, storage, actor, now }: ScheduleContext,
  largeClassId: number,
  address: string,
): Promise<null | Refusal> {
  const theClass = await visibleClasses(db, actor)
    .select('class.schedule_image')
    .where('class.large_class_id', '=', largeClassId)
    .executeTakeFirst();
  if (!theClass) return missing(missingLargeClass);
  const messages = { none: classMessages.noSchedule, notAPicture: classMessages.notAPicture };
  const refusal = await refuseWrongPicture(storage, { field: 'schedule_image', address, said: messages });
  if (refusal) return refusal;
  await db
    .updateTable('class')
    .set({ schedule_image: address })
    .where('large_class_id', '=', largeClassId)
    .where('class_type', '=', classTypes.stateSchool)
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'large_class',
    recordId: largeClassId,
    action: 'schedule',
    before: { schedule_image: theClass.schedule_image },
    after: { schedule_image: address },
  });
  return null;
}

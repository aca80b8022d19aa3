/** The schedule picture that the classes of one large class share. */

import { invalid, missing, Refusal } from '#server/platform/calls/outcome.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { extensionOf, pictureBytes, pictureExtensions, pictureTooLarge } from '#server/platform/files/rules.ts';
import { isStorageKey } from '#server/platform/files/storage.ts';
import type { RuleContext } from '#server/school/context.ts';
import { classMessages, classTypes, missingLargeClass } from './rules.ts';
import { visibleClasses } from './visible.ts';

type ScheduleContext = RuleContext<'storage' | 'actor' | 'now'>;

/**
 * Who sees a class of the large class may replace the picture of all of them. `address` is what public/file answered:
 * its content was checked when it came. Refused: 404 no such large class of the actor; at `schedule_image` 422 none or
 * no picture that is there, 413 beyond the size of a picture.
 */
export async function replaceSchedule(
  { db, storage, actor, now }: ScheduleContext,
  largeClassId: number,
  address: string,
): Promise<null | Refusal> {
  const klass = await visibleClasses(db, actor)
    .select('class.schedule_image')
    .where('class.large_class_id', '=', largeClassId)
    .executeTakeFirst();
  if (!klass) return missing(missingLargeClass);
  const refuse = (message: string) => invalid({ schedule_image: [message] });
  if (address.trim() === '') return refuse(classMessages.noSchedule);
  const key = address.replace(/^\/files\//, '');
  if (key === address || !isStorageKey(key)) return refuse(classMessages.noSchedule);
  if (!pictureExtensions.includes(extensionOf(key))) return refuse(classMessages.notAPicture);
  const file = await storage.stat(key);
  if (!file) return refuse(classMessages.noSchedule);
  if (file.size > pictureBytes) {
    const message = pictureTooLarge(pictureBytes);
    return new Refusal('too-large', message, { errors: { schedule_image: [message] } });
  }
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
    before: { schedule_image: klass.schedule_image },
    after: { schedule_image: address },
  });
  return null;
}

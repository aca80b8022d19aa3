/** Administrators' record of a group or one-to-one class, and the fields that its form edits. */

import { lockedClass } from '#server/classes/admin-record.ts';
import { missingClass, tracesSentence } from '#server/classes/rules.ts';
import { usageOf } from '#server/classes/usage.ts';
import { versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { dayOf } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { LessonClassRecord, LessonClassRow } from './admin.contract.ts';
import { lessonClasses, lessonClassRows, withAssistants } from './admin-list.ts';

export type RequestContext = RuleContext<'actor' | 'now' | 'settings'>;

/** Returns one group or one-to-one class. 404: no such class. */
export async function lessonClassRecord(
  { db, actor, now, settings }: RequestContext,
  id: number,
): Promise<LessonClassRecord | Refusal> {
  const row = await lessonClassRows(lessonClasses(db, actor).where('class.id', '=', id), now).executeTakeFirst();
  const [theClass] = row ? await withAssistants(db, [row]) : [];
  if (!row || !theClass) return missing(missingClass);
  const fields = editableFields(
    { ...theClass, grade_id: row.grade_id, classify_id: row.classify_id },
    settings.timezone,
  );
  return {
    ...theClass,
    grade_id: fields.grade_id,
    classify_id: fields.classify_id,
    start_day: fields.start_day,
    end_effect: endEffect(await usageOf(db, { classId: id, now })) ?? '',
    seen: versionTokenOf(fields),
  };
}

/** Says what ending the class would do to others. Future lessons are not cancelled by it. */
export const endEffect = (traces: Parameters<typeof tracesSentence>[0]): string | undefined => {
  const effect = tracesSentence({ ...traces, periods: 0 });
  return effect && traces.lessons > 0 ? `${effect}不会自动取消` : effect;
};

export type EditedClass = LessonClassRow & { grade_id: number | null; classify_id: number | null };

export const editableFields = (theClass: EditedClass, timezone: string) => ({
  name: theClass.name,
  grade_id: theClass.grade_id ?? 0,
  classify_id: theClass.classify_id ?? 0,
  lecturer_id: theClass.lecturer_id,
  subject_id: theClass.subject_id,
  room_id: theClass.room_id,
  teaching_mode: theClass.teaching_mode,
  sign_type: theClass.sign_type,
  schedule: theClass.schedule,
  remarks: theClass.remarks,
  start_day: dayOf(theClass.start_time, timezone),
});

export type EditableFields = ReturnType<typeof editableFields>;

export async function lockedLessonClass(
  { db, actor, now }: RequestContext,
  id: number,
): Promise<EditedClass | Refusal> {
  const theClass = await lockedClass({ db, actor, now }, id);
  if (isRefusal(theClass)) return theClass;
  const row = await lessonClassRows(lessonClasses(db, actor).where('class.id', '=', id), now).executeTakeFirst();
  const [shown] = row ? await withAssistants(db, [row]) : [];
  if (!row || !shown) return missing(missingClass);
  return { ...shown, grade_id: row.grade_id, classify_id: row.classify_id };
}

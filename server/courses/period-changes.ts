/** Adds, edits and deletes single periods, each with a history row. */

import { courseTypeName, missingCourse, missingPeriod } from '#server/classes/rules.ts';
import { type Edit, editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import { changedFields, lastChangedBy, recordHistory } from '#server/platform/db/history.ts';
import { countOf } from '#server/platform/db/page.ts';
import { dayOf, timeOf } from '#server/school/calendar.ts';
import { clashesOf, clashesText, type PlannedSlots } from '#server/school/clashes.ts';
import { type CourseContext, lockedCourse } from './course-changes.ts';
import { maxSort } from './period-order.ts';
import { insertPeriods, lockedPeriod, newJoinCode } from './period-rows.ts';
import { CompletePeriod, type EditedPeriod, type NewPeriod } from './periods.contract.ts';
import { editablePeriod, minutesOf, periodEffect, periodRecordsOf } from './periods.ts';
import { courseKinds, courseMessages, deletePeriodFault, joinSentences } from './rules.ts';
import { adminLecturers } from './visible.ts';

/** Adds a period. 404: no such course. 422: errors by field. 409: clashes not acknowledged. */
export async function addPeriodOf(
  context: CourseContext,
  courseId: number,
  written: NewPeriod,
): Promise<{ id: number } | Refusal> {
  const { db } = context;
  if (!(await lockedCourse(context, courseId))) return missing(missingCourse);
  const { output, errors } = validateComplete(CompletePeriod, written);
  if (!output) return invalid(errors);
  const refusal =
    (await periodFieldRefusal(context, courseId, output)) ??
    requireConfirmation(
      await describeClashes(context, { slots: [clashSlotOf(output)], courseId }),
      written.acknowledged,
    );
  if (refusal) return refusal;
  const sort = (await maxSort(db, courseId)) + 1;
  const [id] = await insertPeriods(context, [{ ...output, course_id: courseId, sort }]);
  return { id: id as number };
}

/**
 * Edits a period. 404: no such period. 422: errors by field. 409: edited meanwhile, or the effect or clashes were not
 * acknowledged.
 */
export async function editPeriodOf(context: CourseContext, id: number, written: EditedPeriod): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const period = await lockedPeriod(context, id);
  if (!period) return missing(missingPeriod);
  const { output, errors } = validateComplete(CompletePeriod, written);
  if (!output) return invalid(errors);
  const before = editablePeriod({ ...period, minutes: minutesOf(period) });
  const { merged, conflicts, both } = mergeEdit(written.seen, before, output);
  const refusal =
    (await periodFieldRefusal(context, period.course_id, merged, before)) ??
    (conflicts.length > 0 ? await conflictOf(context, id, both) : undefined);
  if (refusal) return refusal;
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const unsaid = requireConfirmation(
    await describeEffect(context, period, { before, after: merged }),
    written.acknowledged,
  );
  if (unsaid) return unsaid;
  const { minutes, ...columns } = merged;
  // The form has whole minutes; while they do not change, the stored length keeps its exact seconds.
  const total_time = minutes === before.minutes ? period.total_time : minutes * 60;
  const student_code = period.student_code || newJoinCode(merged);
  await db
    .updateTable('period')
    .set({ ...columns, total_time, student_code })
    .where('id', '=', id)
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'period',
    recordId: id,
    action: 'edit',
    before: change.before,
    after: change.after,
  });
  return null;
}

/** Says what an edit of time, lecturer or type does to others, and with what the new time clashes. */
async function describeEffect(
  context: CourseContext,
  period: { id: number; course_id: number; start_play: number; total_time: number },
  { before, after }: { before: CompletePeriod; after: CompletePeriod },
): Promise<string | undefined> {
  const isMoved = before.start_play !== after.start_play || before.minutes !== after.minutes;
  const isTaughtByOther = before.lecturer_id !== after.lecturer_id;
  const isNoticed = isMoved || isTaughtByOther || before.periods_type !== after.periods_type;
  if (!isNoticed) return undefined;
  // If a past period moves into the future, it affects students like any future period.
  const at = { ...period, start_play: Math.max(before.start_play, after.start_play) };
  const effect = await periodEffect(context.db, at, context.now);
  const plan = { slots: [clashSlotOf(after)], courseId: period.course_id, except: { periodIds: [period.id] } };
  return joinSentences(effect, isMoved || isTaughtByOther ? await describeClashes(context, plan) : undefined);
}

/** Deletes a period. 404: no such period. 409: it has records, or the effect was not acknowledged. */
export async function removePeriod(context: CourseContext, id: number, acknowledged: string): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const period = await lockedPeriod(context, id);
  if (!period) return missing(missingPeriod);
  const fault = deletePeriodFault(await periodRecordsOf(db, id));
  if (fault) return conflict(fault);
  const unsaid = requireConfirmation(await periodEffect(db, period, now), acknowledged);
  if (unsaid) return unsaid;
  await db.deleteFrom('period').where('id', '=', id).execute();
  const before = { course_id: period.course_id, ...editablePeriod({ ...period, minutes: minutesOf(period) }) };
  await recordHistory(db, { actor, now, record: 'period', recordId: id, action: 'delete', before, after: null });
  return null;
}

/** Converts a period to the time and lecturer that the search for clashes takes. */
export const clashSlotOf = ({
  start_play,
  minutes,
  lecturer_id,
}: Pick<CompletePeriod, 'start_play' | 'minutes' | 'lecturer_id'>) => ({
  start: start_play,
  end: start_play + minutes * 60,
  lecturerId: lecturer_id,
});

export const describeClashes = async (
  { db, actor, settings }: CourseContext,
  plan: PlannedSlots,
): Promise<string | undefined> => clashesText(await clashesOf(db, actor, plan), settings.timezone);

/** Refuses a chapter or lecturer that does not exist. An unchanged one may stay. */
export async function periodFieldRefusal(
  { db, actor }: CourseContext,
  courseId: number,
  fields: Pick<CompletePeriod, 'chapter_id' | 'lecturer_id' | 'periods_type'>,
  before?: CompletePeriod,
): Promise<Refusal | undefined> {
  const errors: FieldErrors = {};
  if (fields.chapter_id !== null) {
    const chapters = db
      .selectFrom('course_chapter')
      .where('id', '=', fields.chapter_id)
      .where('course_id', '=', courseId);
    if ((await countOf(chapters)) === 0) errors.chapter_id = [courseMessages.noChapter];
  }
  if (fields.lecturer_id !== null && fields.lecturer_id !== before?.lecturer_id) {
    const lecturers = adminLecturers(db, actor).where('staff.id', '=', fields.lecturer_id);
    if ((await countOf(lecturers)) === 0) errors.lecturer_id = [courseMessages.noLecturer];
  }
  const isKind = courseKinds.some((kind) => kind === fields.periods_type);
  if (!isKind && fields.periods_type !== before?.periods_type) errors.periods_type = [courseMessages.noPeriodType];
  return Object.keys(errors).length > 0 ? invalid(errors) : undefined;
}

const fieldNames: Record<keyof CompletePeriod, string> = {
  title: '课时名称',
  chapter_id: '章节',
  lecturer_id: '讲师',
  periods_type: '课时类型',
  start_play: '开始时间',
  minutes: '时长',
  advance_time: '提前进入时间',
  allow_enter: '暂不开放进入',
  is_playback: '可看回放',
  periods_extend: '开放助教直播间',
};

export async function conflictOf(
  { db, settings: { timezone } }: CourseContext,
  id: number,
  edit: Edit<CompletePeriod>,
): Promise<Refusal> {
  const [chapters, lecturers] = await Promise.all([
    db
      .selectFrom('course_chapter')
      .select(['id', 'title as name'])
      .where('id', 'in', [edit.now.chapter_id ?? 0, edit.written.chapter_id ?? 0])
      .execute(),
    db
      .selectFrom('staff')
      .select(['id', 'real_name as name'])
      .where('id', 'in', [edit.now.lecturer_id ?? 0, edit.written.lecturer_id ?? 0])
      .execute(),
  ]);
  const named = (names: readonly { id: number; name: string }[]) => (value: unknown) =>
    names.find((one) => one.id === value)?.name ?? '无';
  const flag = (value: unknown) => (value === 1 ? '是' : '否');
  const wordsOf: Partial<Record<keyof CompletePeriod, (value: unknown) => string>> = {
    chapter_id: named(chapters),
    lecturer_id: named(lecturers),
    periods_type: (value) => courseTypeName(Number(value)),
    start_play: (value) => `${dayOf(Number(value), timezone)} ${timeOf(Number(value), timezone)}`,
    minutes: (value) => `${value}分钟`,
    advance_time: (value) => `${value}分钟`,
    allow_enter: flag,
    is_playback: flag,
    periods_extend: flag,
  };
  return editConflict(edit, {
    by: (await lastChangedBy(db, 'period', id, edit.conflicts)) || '系统管理员',
    nameOf: fieldNames,
    shown: (field, value) => wordsOf[field]?.(value) ?? String(value || '空'),
  });
}

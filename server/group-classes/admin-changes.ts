/** Changes that administrators make to group and one-to-one classes, each recorded in the history. */

import { choiceErrors, readClassStaff, storeClass, storeNewClass } from '#server/classes/admin-changes.ts';
import { checkChosenStaff } from '#server/classes/class-staff.ts';
import { usageOf } from '#server/classes/usage.ts';
import { editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { invalid, isRefusal, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy } from '#server/platform/db/history.ts';
import { dayStart } from '#server/school/calendar.ts';
import {
  CompleteLessonClass,
  type EditedLessonClass,
  type NewLessonClass,
  ValidNewLessonClass,
} from './admin.contract.ts';
import {
  type EditableFields,
  type EditedClass,
  editableFields,
  endEffect,
  lockedLessonClass,
  type RequestContext,
} from './admin-record.ts';
import { endTeamFault, reopenTeamFault, teamMessages } from './rules.ts';

/** Adds a group or one-to-one class. 422: errors by field. 404: a person or course outside the user's schools. */
export async function addLessonClassOf(
  context: RequestContext,
  written: NewLessonClass,
): Promise<{ id: number } | Refusal> {
  const { db, actor } = context;
  const { output, errors } = validateComplete(ValidNewLessonClass, written);
  if (!output) return invalid(errors);
  const crew = await readClassStaff({ db, actor }, written);
  if (isRefusal(crew)) return crew;
  const { class_type, school_id, head_ids: _, assistant_ids: __, course_ids: ___, ...fields } = output;
  const refusal = await fieldRefusal(context, fields, school_id);
  if (refusal) return refusal;
  const added = await storeNewClass(context, { class_type, fields, crew, said: fields });
  await db
    .insertInto('team_class')
    .values({ ...teamColumns(fields, context.settings.timezone), class_id: added.id, ended_at: null })
    .execute();
  return added;
}

/**
 * Edits a group or one-to-one class. 404: no such class. 422: errors by field. 409: edited meanwhile, or the effect was
 * not acknowledged.
 */
export async function editLessonClassOf(
  context: RequestContext,
  id: number,
  written: EditedLessonClass,
): Promise<null | Refusal> {
  const { db, actor, now, settings } = context;
  const held = await lockedLessonClass(context, id);
  if (isRefusal(held)) return held;
  const { output, errors } = validateComplete(CompleteLessonClass, written);
  if (!output) return invalid(errors);
  const before = editableFields(held, settings.timezone);
  const { merged, conflicts, both } = mergeEdit(written.seen, before, output);
  const refusal = await fieldRefusal({ db, actor }, merged, held.school_id, before);
  if (refusal) return refusal;
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'class', id, conflicts)) || '系统管理员',
      nameOf: fieldNames,
      shown: await shownFields(db),
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const { lessons } = await usageOf(db, { classId: id, now });
  const touched = change.names.some((name) => name === 'lecturer_id' || name === 'room_id' || name === 'teaching_mode');
  const unsaid = requireConfirmation(
    touched && lessons > 0 ? `已排的${lessons}节未上的课不会随之改变，可在课次中批量调整` : undefined,
    written.acknowledged,
  );
  if (unsaid) return unsaid;
  await saveTeam(db, id, {
    fields: merged,
    startChanged: change.names.includes('start_day'),
    timezone: settings.timezone,
  });
  await storeClass(context, id, {
    columns: {
      name: merged.name,
      grade_id: merged.grade_id || null,
      classify_id: merged.classify_id || null,
    },
    change,
  });
  return null;
}

const teamColumns = (fields: EditableFields, timezone: string) => ({
  subject_id: fields.subject_id || null,
  lecturer_id: fields.lecturer_id || null,
  room_id: fields.room_id || null,
  teaching_mode: fields.teaching_mode,
  sign_type: fields.sign_type,
  schedule: fields.schedule,
  remarks: fields.remarks,
  start_time: dayStart(fields.start_day, timezone),
});

/**
 * Inserts or updates the `team_class` row. An existing row keeps the exact `start_time` unless the start day was
 * changed.
 */
async function saveTeam(
  db: Database,
  id: number,
  { fields, startChanged, timezone }: { fields: EditableFields; startChanged: boolean; timezone: string },
): Promise<void> {
  const { start_time, ...columns } = teamColumns(fields, timezone);
  await db
    .insertInto('team_class')
    .values({ ...columns, start_time, class_id: id, ended_at: null })
    .onConflict((known) => known.column('class_id').doUpdateSet(startChanged ? { ...columns, start_time } : columns))
    .execute();
}

/** Ends a group or one-to-one class. 404: no such class. 409: already ended, or the effect was not acknowledged. */
export async function endLessonClassOf(
  context: RequestContext,
  id: number,
  acknowledged: string,
): Promise<null | Refusal> {
  const { db, now } = context;
  const held = await lockedLessonClass(context, id);
  if (isRefusal(held)) return held;
  const refusal =
    refuseFor('conflict', endTeamFault(held)) ??
    requireConfirmation(endEffect(await usageOf(db, { classId: id, now })), acknowledged);
  if (refusal) return refusal;
  await setEnded(context, held, now);
  return null;
}

/** Reopens an ended class. 404: no such class. 409: not ended. */
export async function reopenLessonClassOf(context: RequestContext, id: number): Promise<null | Refusal> {
  const held = await lockedLessonClass(context, id);
  if (isRefusal(held)) return held;
  const refusal = refuseFor('conflict', reopenTeamFault(held));
  if (refusal) return refusal;
  await setEnded(context, held, null);
  return null;
}

async function setEnded(context: RequestContext, held: EditedClass, ended_at: number | null): Promise<void> {
  const { db, settings } = context;
  const { start_time: _, ...columns } = teamColumns(editableFields(held, settings.timezone), settings.timezone);
  await db
    .insertInto('team_class')
    .values({ ...columns, class_id: held.id, start_time: held.start_time, ended_at })
    .onConflict((known) => known.column('class_id').doUpdateSet({ ended_at }))
    .execute();
  // The class may have ended because its validity is over; reopening removes that limit.
  const over = ended_at === null && held.valid_type === 2;
  await storeClass(context, held.id, {
    action: ended_at === null ? 'reopen' : 'end',
    columns: over ? { valid_type: 1, valid_time: 0 } : {},
    change: { before: { ended_at: held.ended_at }, after: { ended_at } },
  });
}

/** Refuses chosen records that do not exist or are archived. */
async function fieldRefusal(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  fields: Pick<EditableFields, 'grade_id' | 'classify_id' | 'lecturer_id' | 'subject_id' | 'room_id'>,
  schoolId: number,
  before?: EditableFields,
): Promise<Refusal | undefined> {
  const { lecturer_id, subject_id, room_id } = fields;
  if (lecturer_id !== 0) {
    const chosen = await checkChosenStaff(
      { db, actor },
      {
        field: 'lecturer_id',
        identity: 'teacher',
        ids: [lecturer_id],
        kept: before && before.lecturer_id !== 0 ? [before.lecturer_id] : [],
      },
    );
    if (isRefusal(chosen)) return chosen;
  }
  const errors: FieldErrors = (await choiceErrors(db, fields, { schoolId, ...(before && { before }) })) ?? {};
  const subject = db.selectFrom('subject').select('id').where('id', '=', subject_id).where('put_away_at', 'is', null);
  const room = db
    .selectFrom('room')
    .select('id')
    .where('id', '=', room_id)
    .where('school_id', '=', schoolId)
    .where('put_away_at', 'is', null);
  if (subject_id !== 0 && subject_id !== before?.subject_id && !(await subject.executeTakeFirst()))
    errors.subject_id = [teamMessages.subject];
  if (room_id !== 0 && room_id !== before?.room_id && !(await room.executeTakeFirst()))
    errors.room_id = [teamMessages.room];
  return Object.keys(errors).length > 0 ? invalid(errors) : undefined;
}

const fieldNames: Record<keyof EditableFields, string> = {
  name: '名称',
  grade_id: '年级',
  classify_id: '分类',
  lecturer_id: '讲师',
  subject_id: '科目',
  room_id: '教室',
  teaching_mode: '授课方式',
  sign_type: '计费方式',
  schedule: '上课时间说明',
  remarks: '备注',
  start_day: '开课日期',
};

async function shownFields(db: Database) {
  const [grades, classifies, subjects, rooms, lecturers] = await Promise.all([
    db.selectFrom('grade').select(['id', 'name']).execute(),
    db.selectFrom('classify').select(['id', 'name']).execute(),
    db.selectFrom('subject').select(['id', 'name']).execute(),
    db.selectFrom('room').select(['id', 'name']).execute(),
    db.selectFrom('staff').select(['id', 'real_name as name']).where('identity', '=', 'teacher').execute(),
  ]);
  const named = (of: { id: number; name: string }[]) => (value: unknown) =>
    of.find(({ id }) => id === value)?.name ?? '无';
  const wordsOf: Partial<Record<string, (value: unknown) => string>> = {
    grade_id: named(grades),
    classify_id: named(classifies),
    subject_id: named(subjects),
    room_id: named(rooms),
    lecturer_id: named(lecturers),
    teaching_mode: (value) => (value === 2 ? '线下' : '直播'),
    sign_type: (value) => (value === 2 ? '按期' : '按课时'),
  };
  return (field: string, value: unknown) => wordsOf[field]?.(value) ?? String(value || '空');
}

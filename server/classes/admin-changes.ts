/** Administrators' changes of classes, each recorded in the history. */

import { editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, newRecordId, recordHistory } from '#server/platform/db/history.ts';
import { openSchoolsOf } from '#server/school/admin-schools.ts';
import { assignCourses } from '#server/school/assignments.ts';
import type { RuleContext } from '#server/school/context.ts';
import { assignStaff } from '#server/school/staff-duties.ts';
import { CompleteClass, CompleteClassStaff, type EditedClass, type NewClass } from './admin.contract.ts';
import { editableFields, lastSecondOf, lockedClass, staffIds, staffOf } from './admin-record.ts';
import { checkChosenCourses, checkChosenStaff } from './class-staff.ts';
import {
  type ClassType,
  classTypes,
  classWritingMessages,
  endFault,
  hiddenCircleFlag,
  missingClass,
  removalFault,
  reopenFault,
  tracesSentence,
} from './rules.ts';
import { areTermsKnown, storeTerms, termIdsOf } from './terms.ts';
import { countRecords, usageOf } from './usage.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'settings'>;

/** Adds a state-school class. 422: errors by field. 404: a person or course outside the user's schools. */
export async function addSchoolClass(context: RequestContext, written: NewClass): Promise<{ id: number } | Refusal> {
  const { output: fields, errors } = validateComplete(CompleteClass, written);
  const crew = await readClassStaff(context, written);
  if (!fields || isRefusal(crew)) return isRefusal(crew) && !crew.errors ? crew : invalid(bothErrors(errors, crew));
  const term_ids = inOrder(written.term_ids ?? []);
  const wrong = await choiceErrors(context.db, { ...fields, term_ids }, { schoolId: crew.school_id });
  if (wrong) return invalid(wrong);
  const { valid_type, valid_day, is_circle_hidden, large_class_id, ...kept } = fields;
  const added = await storeNewClass(context, {
    class_type: classTypes.stateSchool,
    fields: kept,
    more: {
      valid_type,
      valid_time: valid_day === '' ? 0 : lastSecondOf(valid_day, context.settings.timezone),
      group_hidden: is_circle_hidden === 1 ? hiddenCircleFlag : 1,
      ...(await pictureOfLargeClass(context.db, large_class_id)),
    },
    crew,
    said: { ...fields, ...(term_ids.length > 0 && { term_ids }) },
  });
  await storeTerms(context.db, added.id, term_ids);
  return added;
}

const inOrder = (ids: readonly number[]): number[] => [...ids].sort((one, other) => one - other);

const bothErrors = (errors: FieldErrors, crew: unknown): FieldErrors => ({
  ...(isRefusal(crew) ? crew.errors : {}),
  ...errors,
});

export interface NewClassStaff {
  school_id: number;
  head_ids: number[];
  assistant_ids: number[];
  course_ids: number[];
}

/**
 * Validates the school, staff and courses of a new class. 422: errors by field. 404: a person or course outside the
 * user's schools.
 */
export async function readClassStaff(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  written: Pick<NewClass, 'school_id' | 'head_ids' | 'assistant_ids' | 'course_ids'>,
): Promise<NewClassStaff | Refusal> {
  const { output: crew, errors } = validateComplete(CompleteClassStaff, written);
  if (!crew) return invalid(errors);
  const known = await openSchoolsOf(db, actor).where('school.id', '=', crew.school_id).executeTakeFirst();
  if (!known) return invalid({ school_id: [classWritingMessages.noSchool] });
  const refusal = [
    await checkChosenStaff({ db, actor }, { field: 'head_ids', identity: 'teacher', ids: crew.head_ids }),
    await checkChosenStaff({ db, actor }, { field: 'assistant_ids', identity: 'assist', ids: crew.assistant_ids }),
    await checkChosenCourses({ db, actor }, { ids: crew.course_ids }),
  ].find(isRefusal);
  return refusal ?? crew;
}

/** Inserts a class of any type with its staff and courses, and its history row. */
export async function storeNewClass(
  { db, actor, now }: RequestContext,
  {
    class_type,
    fields,
    more = {},
    crew,
    said,
  }: {
    class_type: ClassType;
    fields: { name: string; grade_id: number; classify_id: number };
    more?: {
      valid_type?: number;
      valid_time?: number;
      group_hidden?: 1 | 2;
      large_class_id?: number | null;
      schedule_image?: string;
    };
    crew: NewClassStaff;
    said: object;
  },
): Promise<{ id: number }> {
  const unused = await newRecordId(db, 'class', async () => {
    const rows = db.selectFrom('class').select((eb) => eb.fn.max<number | null>('id').as('last'));
    return (await rows.executeTakeFirstOrThrow()).last ?? 0;
  });
  const { id } = await db
    .insertInto('class')
    .values({
      ...unused,
      name: fields.name,
      class_type,
      school_id: crew.school_id,
      grade_id: fields.grade_id || null,
      classify_id: fields.classify_id || null,
      large_class_id: null,
      ...more,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await assignStaff(db, { classId: id, duty: 'head', staffIds: crew.head_ids });
  await assignStaff(db, { classId: id, duty: 'assistant', staffIds: crew.assistant_ids });
  await assignCourses(db, id, crew.course_ids);
  await recordHistory(db, {
    actor,
    now,
    record: 'class',
    recordId: id,
    action: 'add',
    before: null,
    after: { class_type, ...said, ...crew },
  });
  return { id };
}

/**
 * Edits a state-school class. 404: no such class, or of another type. 422: errors by field. 409: edited meanwhile, or
 * the effect was not acknowledged.
 */
export async function editSchoolClass(
  context: RequestContext,
  id: number,
  written: EditedClass,
): Promise<null | Refusal> {
  const { db, now, settings } = context;
  const theClass = await lockedClass(context, id);
  if (isRefusal(theClass)) return theClass;
  if (theClass.class_type !== classTypes.stateSchool) return missing(missingClass);
  const { output, errors } = validateComplete(CompleteClass, written);
  if (!output) return invalid(errors);
  const before = { ...editableFields(theClass, settings.timezone), term_ids: await termIdsOf(db, id) };
  const fields = { ...output, term_ids: inOrder(written.term_ids ?? before.term_ids) };
  const { merged, conflicts, both } = mergeEdit(written.seen, before, fields);
  const wrong = await choiceErrors(db, merged, { schoolId: theClass.school_id, before });
  if (wrong) return invalid(wrong);
  if (conflicts.length > 0) {
    const shown = await shownFields(db);
    return editConflict(both, {
      by: (await lastChangedBy(db, 'class', id, conflicts)) || '系统管理员',
      nameOf: fieldNames,
      shown,
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const valid = change.names.some((name) => name === 'valid_type' || name === 'valid_day');
  const valid_time = merged.valid_day === '' ? 0 : lastSecondOf(merged.valid_day, settings.timezone);
  const ends = valid && theClass.state !== 'ended' && merged.valid_type === 2 && valid_time <= now;
  const unsaid = requireConfirmation(
    ends ? endSentence(tracesSentence(await usageOf(db, { classId: id, now }))) : undefined,
    written.acknowledged,
  );
  if (unsaid) return unsaid;
  await storeClass(context, id, {
    columns: {
      name: merged.name,
      grade_id: merged.grade_id || null,
      classify_id: merged.classify_id || null,
      group_hidden: merged.is_circle_hidden === 1 ? hiddenCircleFlag : 1,
      ...(change.names.includes('large_class_id') && (await pictureOfLargeClass(db, merged.large_class_id))),
      ...(valid && { valid_type: merged.valid_type, valid_time }),
    },
    change,
  });
  if (change.names.includes('term_ids')) await storeTerms(db, id, merged.term_ids);
  return null;
}

const endSentence = (traces: string | undefined) => `班级将立即结束${traces ? `：${traces}` : ''}`;

export async function storeClass(
  { db, actor, now }: Pick<RequestContext, 'db' | 'actor' | 'now'>,
  id: number,
  {
    columns,
    change,
    action = 'edit',
  }: {
    columns: {
      name?: string;
      grade_id?: number | null;
      classify_id?: number | null;
      large_class_id?: number | null;
      schedule_image?: string;
      group_hidden?: 1 | 2;
      valid_type?: number;
      valid_time?: number;
    };
    change: { before: object; after: object };
    action?: string;
  },
): Promise<void> {
  if (Object.keys(columns).length > 0) await db.updateTable('class').set(columns).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'class',
    recordId: id,
    action,
    before: change.before,
    after: change.after,
  });
}

/** Returns the schedule picture of a large class; a class that joins takes it over. */
async function pictureOfLargeClass(
  db: Database,
  largeClassId: number,
): Promise<{ large_class_id: number | null; schedule_image?: string }> {
  if (largeClassId === 0) return { large_class_id: null };
  const other = await db
    .selectFrom('class')
    .select('schedule_image')
    .where('large_class_id', '=', largeClassId)
    .where('schedule_image', '!=', '')
    .executeTakeFirst();
  return { large_class_id: largeClassId, ...(other && { schedule_image: other.schedule_image }) };
}

type Choices = { grade_id: number; classify_id: number; large_class_id?: number; term_ids?: number[] };

/**
 * Returns errors for chosen entries that are unknown or archived. The class may keep an archived entry that it already
 * has.
 */
export async function choiceErrors(
  db: Database,
  { grade_id, classify_id, large_class_id = 0, term_ids = [] }: Choices,
  { schoolId, before }: { schoolId: number; before?: Choices },
): Promise<FieldErrors | undefined> {
  const grade = db.selectFrom('grade').select('id').where('id', '=', grade_id).where('put_away_at', 'is', null);
  const classify = db
    .selectFrom('classify')
    .select('id')
    .where('id', '=', classify_id)
    .where('put_away_at', 'is', null);
  const large = db
    .selectFrom('large_class')
    .select('id')
    .where('id', '=', large_class_id)
    .where('school_id', '=', schoolId);
  const isNew = (id: number, was: number | undefined) => id !== 0 && id !== was;
  const errors: FieldErrors = {};
  if (isNew(grade_id, before?.grade_id) && !(await grade.executeTakeFirst()))
    errors.grade_id = [classWritingMessages.grade];
  if (isNew(classify_id, before?.classify_id) && !(await classify.executeTakeFirst()))
    errors.classify_id = [classWritingMessages.classify];
  if (isNew(large_class_id, before?.large_class_id) && !(await large.executeTakeFirst()))
    errors.large_class_id = [classWritingMessages.largeClass];
  if (!(await areTermsKnown(db, term_ids, before?.term_ids))) errors.term_ids = [classWritingMessages.term];
  return Object.keys(errors).length > 0 ? errors : undefined;
}

const fieldNames: Record<keyof ReturnType<typeof editableFields> | 'term_ids', string> = {
  name: '名称',
  grade_id: '年级',
  classify_id: '分类',
  large_class_id: '大班',
  term_ids: '学期',
  valid_type: '有效期',
  valid_day: '最后一天',
  is_circle_hidden: '隐藏班级圈子',
};

/** Converts field values to the text that a message about an edit conflict shows. */
async function shownFields(db: Database) {
  const [grades, classifies, large, terms] = await Promise.all([
    db.selectFrom('grade').select(['id', 'name']).execute(),
    db.selectFrom('classify').select(['id', 'name']).execute(),
    db.selectFrom('large_class').select(['id', 'name']).execute(),
    db.selectFrom('term').select(['id', 'name']).execute(),
  ]);
  const named = (of: { id: number; name: string }[]) => (value: unknown) =>
    of.find(({ id }) => id === value)?.name ?? '无';
  const wordsOf: Partial<Record<string, (value: unknown) => string>> = {
    grade_id: named(grades),
    classify_id: named(classifies),
    large_class_id: named(large),
    term_ids: (value) => (value as number[]).map(named(terms)).join('、') || '无',
    valid_type: (value) => (value === 2 ? '有限期' : '长期有效'),
    is_circle_hidden: (value) => (value === 1 ? '是' : '否'),
  };
  return (field: string, value: unknown) => wordsOf[field]?.(value) ?? String(value || '空');
}

/**
 * Ends a state-school class. 404: no such class. 409: already ended, of another type, or the effect was not
 * acknowledged.
 */
export async function endSchoolClass(
  context: RequestContext,
  id: number,
  acknowledged: string,
): Promise<null | Refusal> {
  const { db, now } = context;
  const theClass = await lockedClass(context, id);
  if (isRefusal(theClass)) return theClass;
  const refusal =
    refuseFor('conflict', endFault(theClass)) ??
    requireConfirmation(tracesSentence(await usageOf(db, { classId: id, now })), acknowledged);
  if (refusal) return refusal;
  await storeClass(context, id, {
    action: 'end',
    columns: { valid_type: 2, valid_time: now },
    change: {
      before: { valid_type: theClass.valid_type, valid_time: theClass.valid_time },
      after: { valid_type: 2, valid_time: now },
    },
  });
  return null;
}

/** Reopens an ended class. 404: no such class. 409: not ended, or of another type. */
export async function reopenSchoolClass(context: RequestContext, id: number): Promise<null | Refusal> {
  const theClass = await lockedClass(context, id);
  if (isRefusal(theClass)) return theClass;
  const refusal = refuseFor('conflict', reopenFault(theClass));
  if (refusal) return refusal;
  await storeClass(context, id, {
    action: 'reopen',
    columns: { valid_type: 1, valid_time: 0 },
    change: {
      before: { valid_type: theClass.valid_type, valid_time: theClass.valid_time },
      after: { valid_type: 1, valid_time: 0 },
    },
  });
  return null;
}

/** Deletes a class. 404: no such class. 409: it has records. */
export async function removeSchoolClass(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now, settings } = context;
  const theClass = await lockedClass(context, id);
  if (isRefusal(theClass)) return theClass;
  const refusal = refuseFor('conflict', removalFault(await countRecords(db, id)));
  if (refusal) return refusal;
  const before = {
    ...editableFields(theClass, settings.timezone),
    term_ids: await termIdsOf(db, id),
    ...staffIds(await staffOf(db, id)),
  };
  await db.deleteFrom('class').where('id', '=', id).execute();
  await recordHistory(db, { actor, now, record: 'class', recordId: id, action: 'remove', before, after: null });
  return null;
}

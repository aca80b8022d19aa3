/** Changes that administrators make to courses, each recorded in the history. */
import { courseTypeName, missingCourse } from '#server/classes/rules.ts';
import { type Edit, editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, newRecordId, recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf } from '#server/platform/db/page.ts';
import { refuseWrongPicture } from '#server/platform/files/stored-picture.ts';
import { openSchoolsOf } from '#server/school/admin-schools.ts';
import type { RuleContext } from '#server/school/context.ts';
import { CompleteCourse, CompleteNewCourse, type EditedCourse, type NewCourse } from './contract.ts';
import { choicesFor } from './list.ts';
import { countAffected, countRecords, editableFields } from './record.ts';
import {
  archivedFault,
  courseKinds,
  courseMessages,
  deleteCourseFault,
  effectSentence,
  restoreFault,
} from './rules.ts';
import { adminCourses } from './visible.ts';

export type CourseContext = RuleContext<'actor' | 'now' | 'settings'>;

/** Adds a course. 422: errors by field. */
export async function addCourseOf(context: CourseContext, written: NewCourse): Promise<{ id: number } | Refusal> {
  const { db, actor, now } = context;
  const { output, errors } = validateComplete(CompleteNewCourse, written);
  if (!output) return invalid(errors);
  const refusal = await fieldRefusal(context, output, output.school_id);
  if (refusal) return refusal;
  return insertCourse(context, { ...output, created_at: now, cover_img: '' }, (id) =>
    recordHistory(db, { actor, now, record: 'course', recordId: id, action: 'add', before: null, after: output }),
  );
}

/** Inserts a course under an id that no earlier course had, not even a deleted one. */
export async function insertCourse(
  { db }: Pick<CourseContext, 'db'>,
  values: CompleteCourse & { school_id: number; created_at: number; cover_img: string },
  noted: (id: number) => Promise<void>,
): Promise<{ id: number }> {
  const unused = await newRecordId(db, 'course', () =>
    maxId(db.selectFrom('course').select((eb) => eb.fn.max('id').as('last'))),
  );
  const added = await db
    .insertInto('course')
    .values({ ...unused, ...values })
    .returning('id')
    .executeTakeFirstOrThrow();
  await noted(added.id);
  return added;
}

/** Returns the highest id of a table; 0 if the table is empty. */
export async function maxId(query: { executeTakeFirst(): Promise<{ last: number | null } | undefined> }) {
  return (await query.executeTakeFirst())?.last ?? 0;
}

/**
 * Edits a course. 404: no such course. 422: errors by field. 409: edited meanwhile, or the effect was not acknowledged.
 */
export async function editCourseOf(context: CourseContext, id: number, written: EditedCourse): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const course = await lockedCourse(context, id);
  if (!course) return missing(missingCourse);
  const { output, errors } = validateComplete(CompleteCourse, written);
  if (!output) return invalid(errors);
  const before = editableFields(course);
  const { merged, conflicts, both } = mergeEdit(written.seen, before, output);
  const refusal =
    (await fieldRefusal(context, merged, course.school_id, { id, ...before })) ??
    (conflicts.length > 0 ? await conflictOf(db, id, both) : undefined);
  if (refusal) return refusal;
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  // Only changes of these fields have an effect on others: students see them, and attendance depends on the type.
  const isNoticed = change.names.some((name) => ['title', 'course_type', 'parent_id'].includes(name));
  const effect = isNoticed ? effectSentence(await countAffected(db, id, now)) : undefined;
  const unsaid = requireConfirmation(effect, written.acknowledged);
  if (unsaid) return unsaid;
  await db.updateTable('course').set(merged).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'course',
    recordId: id,
    action: 'edit',
    before: change.before,
    after: change.after,
  });
  return null;
}

/**
 * Replaces or removes the cover of a course. 404: no such course. At `cover_img`: 422 no such picture, 413 too large.
 */
export async function storeCourseCover(
  context: RuleContext<'actor' | 'now' | 'storage'>,
  id: number,
  address: string,
): Promise<null | Refusal> {
  const { db, actor, now, storage } = context;
  const course = await lockedCourse(context, id);
  if (!course) return missing(missingCourse);
  const messages = { none: courseMessages.noCover, notAPicture: courseMessages.notACover };
  const refusal =
    address === '' ? undefined : await refuseWrongPicture(storage, { field: 'cover_img', address, said: messages });
  if (refusal) return refusal;
  const { cover_img } = course;
  if (cover_img === address) return null;
  await db.updateTable('course').set({ cover_img: address }).where('id', '=', id).execute();
  const [before, after] = [{ cover_img }, { cover_img: address }];
  await recordHistory(db, { actor, now, record: 'course', recordId: id, action: 'edit', before, after });
  return null;
}

/** Archives a course. 404: no such course. 409: already archived, or the effect was not acknowledged. */
export async function archiveCourseOf(
  context: CourseContext,
  id: number,
  acknowledged: string,
): Promise<null | Refusal> {
  const { db, now } = context;
  const course = await lockedCourse(context, id);
  if (!course) return missing(missingCourse);
  const refusal =
    refuseFor('conflict', archivedFault(course)) ??
    requireConfirmation(effectSentence(await countAffected(db, id, now)), acknowledged);
  return refusal ?? keepState(context, id, { from: null, to: now, action: 'put-away', effect: acknowledged });
}

/** Restores an archived course. 404: no such course. 409: not archived. */
export async function unarchiveCourse(context: CourseContext, id: number): Promise<null | Refusal> {
  const course = await lockedCourse(context, id);
  if (!course) return missing(missingCourse);
  const refusal = refuseFor('conflict', restoreFault(course));
  return refusal ?? keepState(context, id, { from: course.put_away_at, to: null, action: 'restore' });
}

async function keepState(
  { db, actor, now }: CourseContext,
  id: number,
  { from, to, action, effect }: { from: number | null; to: number | null; action: string; effect?: string },
): Promise<null> {
  await db.updateTable('course').set({ put_away_at: to }).where('id', '=', id).execute();
  const before = { put_away_at: from };
  const after = { put_away_at: to, ...(effect && { effect }) };
  await recordHistory(db, { actor, now, record: 'course', recordId: id, action, before, after });
  return null;
}

/** Deletes a course. 404: no such course. 409: it has records. */
export async function removeCourse(context: CourseContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const course = await lockedCourse(context, id);
  if (!course) return missing(missingCourse);
  const fault = deleteCourseFault(await countRecords(db, id));
  if (fault) return conflict(fault);
  const chapters = await db.selectFrom('course_chapter').select(['id', 'title']).where('course_id', '=', id).execute();
  for (const chapter of chapters)
    await recordHistory(db, {
      actor,
      now,
      record: 'course_chapter',
      recordId: chapter.id,
      action: 'delete',
      before: { course_id: id, title: chapter.title },
      after: null,
    });
  await db.deleteFrom('course').where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'course',
    recordId: id,
    action: 'delete',
    before: { ...editableFields(course), school_id: course.school_id },
    after: null,
  });
  return null;
}

/** Loads a course of the user's schools and locks it. Changes of its periods and chapters take the same lock. */
export const lockedCourse = ({ db, actor }: Pick<CourseContext, 'db' | 'actor'>, id: number) =>
  forUpdate(db)(
    adminCourses(db, actor)
      .select([
        'course.id',
        'course.title',
        'course.course_type',
        'course.classify_id',
        'course.grade_id',
        'course.subject_id',
        'course.parent_id',
        'course.introduction',
        'course.course_extend',
        'course.school_id',
        'course.put_away_at',
        'course.cover_img',
      ])
      .where('course.id', '=', id),
  ).executeTakeFirst();

/** Refuses references to records that do not exist or are archived. A reference that does not change may stay. */
async function fieldRefusal(
  { db, actor }: CourseContext,
  fields: CompleteCourse,
  schoolId: number,
  before?: CompleteCourse & { id: number },
): Promise<Refusal | undefined> {
  const errors: FieldErrors = {};
  const schools = before ? [] : await openSchoolsOf(db, actor).execute();
  if (!before && !schools.some(({ id }) => id === schoolId)) errors.school_id = [courseMessages.noSchool];
  const isKind = courseKinds.some((kind) => kind === fields.course_type);
  if (!isKind && fields.course_type !== before?.course_type) errors.course_type = [courseMessages.noType];
  const { classify, grades, subjects } = await choicesFor(db, actor);
  const fits = (field: 'classify_id' | 'grade_id' | 'subject_id', offered: readonly { id: number }[]) =>
    fields[field] === null || fields[field] === before?.[field] || offered.some(({ id }) => id === fields[field]);
  if (!fits('classify_id', classify)) errors.classify_id = [courseMessages.noClassify];
  if (!fits('grade_id', grades)) errors.grade_id = [courseMessages.noGrade];
  if (!fits('subject_id', subjects)) errors.subject_id = [courseMessages.noSubject];
  if (fields.parent_id !== null && fields.parent_id !== before?.parent_id) {
    const parent = await adminCourses(db, actor)
      .select(['course.school_id', 'course.parent_id'])
      .where('course.id', '=', fields.parent_id)
      .executeTakeFirst();
    const isAbove = parent && parent.school_id === schoolId && parent.parent_id === null;
    if (!isAbove || fields.parent_id === before?.id) errors.parent_id = [courseMessages.parent];
    else if (before && (await countOf(db.selectFrom('course').where('parent_id', '=', before.id))) > 0)
      errors.parent_id = [courseMessages.parentOfOthers];
  }
  return Object.keys(errors).length > 0 ? invalid(errors) : undefined;
}

const fieldNames: Record<keyof CompleteCourse, string> = {
  title: '课程名称',
  course_type: '课程类型',
  classify_id: '分类',
  grade_id: '年级',
  subject_id: '科目',
  parent_id: '上级课程',
  introduction: '简介',
  course_extend: '讲师可进入助教直播间',
};

async function conflictOf(db: Database, id: number, edit: Edit<CompleteCourse>): Promise<Refusal> {
  const [classify, grades, subjects, courses] = await Promise.all([
    db.selectFrom('classify').select(['id', 'name']).execute(),
    db.selectFrom('grade').select(['id', 'name']).execute(),
    db.selectFrom('subject').select(['id', 'name']).execute(),
    db
      .selectFrom('course')
      .select(['id', 'title as name'])
      .where('id', 'in', [edit.now.parent_id ?? 0, edit.written.parent_id ?? 0])
      .execute(),
  ]);
  const named = (names: readonly { id: number; name: string }[]) => (value: unknown) =>
    names.find((one) => one.id === value)?.name ?? '无';
  const wordsOf: Partial<Record<keyof CompleteCourse, (value: unknown) => string>> = {
    classify_id: named(classify),
    grade_id: named(grades),
    subject_id: named(subjects),
    parent_id: named(courses),
    course_type: (value) => courseTypeName(Number(value)),
    course_extend: (value) => (value === 1 ? '是' : '否'),
  };
  return editConflict(edit, {
    by: (await lastChangedBy(db, 'course', id, edit.conflicts)) || '系统管理员',
    nameOf: fieldNames,
    shown: (field, value) => wordsOf[field]?.(value) ?? String(value || '空'),
  });
}

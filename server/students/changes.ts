/** Changes of students by administrators; each is recorded in the history. */

import { missingStudent } from '#server/classes/rules.ts';
import { endStays, presentStays } from '#server/enrolment/leaving.ts';
import { type Edit, editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import { type Database, isUniqueViolation } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, newRecordIds, recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { adminStudents } from '#server/school/admin-students.ts';
import type { RuleContext } from '#server/school/context.ts';
import { schoolMessages } from '#server/schools/rules.ts';
import { CompleteStudent, type EditedStudent, type NewStudent, type StudentRow } from './contract.ts';
import { addClassesToRows, studentRows } from './list.ts';
import { countRecords, disablingEffect, editableFields } from './record.ts';
import {
  erasedFault,
  faultIfDisabled,
  faultIfEnabled,
  fieldNames,
  recordsSentence,
  studentMessages,
  transferSentence,
} from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Creates a student. 422: errors by field. 409: the user has to confirm an effect first. */
export async function createStudent(context: RequestContext, written: NewStudent): Promise<{ id: number } | Refusal> {
  const { db, actor, now } = context;
  const { output: fields, errors } = validateComplete(CompleteStudent, written);
  if (!fields) return invalid(errors);
  const refusal =
    (await fieldRefusal(context, fields)) ??
    requireConfirmation(await sharedMobile(context, fields.mobile), written.acknowledged);
  if (refusal) return refusal;
  const [id] = await newRecordIds(db, { table: 'student', record: 'student', count: 1 });
  const added = await refuseTakenNumber(() =>
    db
      .insertInto('student')
      .values({ id, ...fields, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  if (isRefusal(added)) return added;
  await recordHistory(db, {
    actor,
    now,
    record: 'student',
    recordId: added.id,
    action: 'add',
    before: null,
    after: fields,
  });
  return added;
}

/**
 * Edits a student. 404: no such student. 422: errors by field. 409: somebody else edited the student meanwhile, or the
 * user has to confirm an effect first.
 */
export async function updateStudent(
  context: RequestContext,
  id: number,
  written: EditedStudent,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const student = await lockedStudent(context, id);
  if (isRefusal(student)) return student;
  const erased = refuseFor('conflict', erasedFault(student));
  if (erased) return erased;
  const { output, errors } = validateComplete(CompleteStudent, written);
  if (!output) return invalid(errors);
  const before = editableFields(student);
  const { merged, conflicts, both } = mergeEdit(written.seen, before, output);
  const refusal =
    (await fieldRefusal(context, merged, { id, before })) ??
    (conflicts.length > 0 ? await conflictOf(db, id, both) : undefined);
  if (refusal) return refusal;
  const effects = [
    merged.mobile === before.mobile ? undefined : await sharedMobile(context, merged.mobile, id),
    merged.school_id === before.school_id ? undefined : transferSentence(student.classes.length),
  ].filter((effect) => effect !== undefined);
  const unsaid = requireConfirmation(effects.length > 0 ? effects.join('；') : undefined, written.acknowledged);
  if (unsaid) return unsaid;
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const result = await refuseTakenNumber(() => db.updateTable('student').set(merged).where('id', '=', id).execute());
  if (isRefusal(result)) return result;
  await recordHistory(db, {
    actor,
    now,
    record: 'student',
    recordId: id,
    action: 'edit',
    before: change.before,
    after: change.after,
  });
  return null;
}

/**
 * Disables a student, who leaves all classes. 404: no such student. 409: already disabled, or the user has not
 * confirmed that the student leaves the classes.
 */
export async function disableStudentOf(
  context: RequestContext,
  id: number,
  { reason, acknowledged }: { reason: string; acknowledged: string },
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const student = await lockedStudent(context, id);
  if (isRefusal(student)) return student;
  const stays = await presentStays(db, id);
  const refusal =
    refuseFor('conflict', erasedFault(student) ?? faultIfDisabled(student)) ??
    requireConfirmation(await disablingEffect(db, stays, now), acknowledged);
  if (refusal) return refusal;
  await endStays(context, stays, { leftAt: now, reason: reason.replace(/\s+/g, ' ').trim() || '停用' });
  await db.updateTable('student').set({ disabled_at: now }).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'student',
    recordId: id,
    action: 'disable',
    before: { is_disabled: 0 },
    after: { is_disabled: 1, class_ids: stays.map(({ class_id }) => class_id) },
  });
  return null;
}

/** Enables a disabled student again. 404: no such student. 409: not disabled. */
export async function enableStudentOf(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const student = await lockedStudent(context, id);
  if (isRefusal(student)) return student;
  const refusal = refuseFor('conflict', erasedFault(student) ?? faultIfEnabled(student));
  if (refusal) return refusal;
  await db.updateTable('student').set({ disabled_at: null }).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'student',
    recordId: id,
    action: 'enable',
    before: { is_disabled: 1 },
    after: { is_disabled: 0 },
  });
  return null;
}

/** Deletes a student for good; the id is never used again. 404: no such student. 409: the student has records. */
export async function removeStudent(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const student = await lockedStudent(context, id);
  if (isRefusal(student)) return student;
  const fault = erasedFault(student) ?? recordsSentence(await countRecords(db, id));
  if (fault) return conflict(fault);
  const nothing = { nickname: '', number: '', mobile: '', guardian_mobile: '', avatar: '' };
  await db
    .updateTable('student')
    .set({ ...nothing, deleted_at: now })
    .where('id', '=', id)
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'student',
    recordId: id,
    action: 'delete',
    before: editableFields(student),
    after: null,
  });
  return null;
}

/** Reads a student that the actor sees, and locks the row. */
async function lockedStudent(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  id: number,
): Promise<StudentRow | Refusal> {
  await forUpdate(db)(db.selectFrom('student').select('id').where('id', '=', id)).execute();
  const found = await studentRows(adminStudents(db, actor).where('student.id', '=', id)).execute();
  const [student] = await addClassesToRows(db, found);
  return student ?? missing(missingStudent);
}

/** Checks the rules that need the actor and the database, such as a free number. */
async function fieldRefusal(
  { db, actor }: RequestContext,
  fields: CompleteStudent,
  { id, before }: { id: number; before?: CompleteStudent } = { id: 0 },
): Promise<Refusal | undefined> {
  const errors: FieldErrors = {};
  const school = await schoolsOf(db, actor)
    .select('school.put_away_at')
    .where('school.id', '=', fields.school_id)
    .executeTakeFirst();
  if (!school) errors.school_id = [studentMessages.noSchool];
  else if (school.put_away_at !== null && before?.school_id !== fields.school_id)
    errors.school_id = [schoolMessages.archived];
  const taken =
    fields.number !== '' &&
    (await db
      .selectFrom('student')
      .select(['id', 'erased_at'])
      .where('school_id', '=', fields.school_id)
      .where('number', '=', fields.number)
      .where('id', '!=', id)
      .executeTakeFirst());
  if (taken) errors.number = [taken.erased_at === null ? studentMessages.numberTaken : studentMessages.numberOfErased];
  return Object.keys(errors).length > 0 ? invalid(errors) : undefined;
}

/** Returns the sentence to confirm if another student has the mobile number too, which is allowed. */
async function sharedMobile({ db, actor }: RequestContext, mobile: string, id = 0): Promise<string | undefined> {
  if (mobile === '') return undefined;
  const other = await adminStudents(db, actor)
    .innerJoin('school', 'school.id', 'student.school_id')
    .select(['student.id', 'student.nickname', 'student.number', 'school.org_name'])
    .where('student.mobile', '=', mobile)
    .where('student.id', '!=', id)
    .orderBy('student.id')
    .limit(1)
    .executeTakeFirst();
  return other && `手机号与${other.nickname}（${other.number || `编号${other.id}`}，${other.org_name}）相同`;
}

async function conflictOf(db: Database, id: number, edited: Edit<CompleteStudent>): Promise<Refusal> {
  const schools = await db.selectFrom('school').select(['id', 'org_name']).execute();
  const schoolName = (value: unknown) => schools.find((school) => school.id === value)?.org_name ?? '无';
  const by = await lastChangedBy(db, 'student', id, edited.conflicts);
  return editConflict(edited, {
    by: by || '系统管理员',
    nameOf: fieldNames,
    shown: (field, value) => (field === 'school_id' ? schoolName(value) : String(value || '空')),
  });
}

async function refuseTakenNumber<T>(write: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error)) return invalid({ number: [studentMessages.numberTaken] });
    throw error;
  }
}

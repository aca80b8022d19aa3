/** Course groups of a class: their assistants and students. */

import {
  editConflict,
  mergeEdit,
  requireConfirmation,
  versionTokenOf,
} from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, newRecordId, recordHistory } from '#server/platform/db/history.ts';
import type { RuleContext } from '#server/school/context.ts';
import { adminClass, courseIdsOf, lockedClass, staffOf } from './admin-record.ts';
import {
  type ClassGroup,
  type ClassGroups,
  CompleteGroup,
  CompleteNewGroup,
  type EditedGroup,
  type NewGroup,
} from './groups.contract.ts';
import { classWritingMessages, groupRemovalFault, missingGroup, placementLimit } from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Returns the groups of a class. 404: no such class. */
export async function groupsOfClass(context: RequestContext, classId: number): Promise<ClassGroups | Refusal> {
  const { db } = context;
  const theClass = await adminClass(context, classId);
  if (isRefusal(theClass)) return theClass;
  const groups = await storedGroups(db, classId);
  const courses = new Map(groups.map(({ course_id, course_title }) => [course_id, course_title]));
  const members = await db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .select(['student.id', 'student.nickname as name'])
    .where('class_student.class_id', '=', classId)
    .where('class_student.left_at', 'is', null)
    .orderBy('class_student.id')
    .execute();
  const placed = new Set(groups.flatMap(({ course_id, students }) => students.map(({ id }) => `${course_id} ${id}`)));
  return {
    groups,
    ungrouped: [...courses].map(([course_id, course_title]) => ({
      course_id,
      course_title,
      students: members.filter(({ id }) => !placed.has(`${course_id} ${id}`)),
    })),
  };
}

/** Returns one group. 404: no such class or group. */
export async function groupOf(
  context: RequestContext,
  { id, groupId }: { id: number; groupId: number },
): Promise<ClassGroup | Refusal> {
  const theClass = await adminClass(context, id);
  if (isRefusal(theClass)) return theClass;
  const group = (await storedGroups(context.db, id)).find((one) => one.id === groupId);
  return group ?? missing(missingGroup);
}

/** Loads the groups of a class, ordered by course. */
async function storedGroups(db: Database, classId: number): Promise<ClassGroup[]> {
  const [groups, staff, students] = await Promise.all([
    db
      .selectFrom('class_group')
      .innerJoin('course', 'course.id', 'class_group.course_id')
      .select(['class_group.id', 'class_group.course_id', 'class_group.group_name', 'course.title as course_title'])
      .where('class_group.class_id', '=', classId)
      .orderBy('class_group.course_id')
      .orderBy('class_group.id')
      .execute(),
    db
      .selectFrom('class_group_staff')
      .innerJoin('class_group', 'class_group.id', 'class_group_staff.class_group_id')
      .innerJoin('staff', 'staff.id', 'class_group_staff.staff_id')
      .select(['class_group_staff.class_group_id', 'staff.id', 'staff.real_name as name'])
      .where('class_group.class_id', '=', classId)
      .orderBy('staff.id')
      .execute(),
    db
      .selectFrom('class_group_student')
      .innerJoin('class_student', 'class_student.id', 'class_group_student.class_student_id')
      .innerJoin('student', 'student.id', 'class_student.student_id')
      .select(['class_group_student.class_group_id', 'student.id', 'student.nickname as name'])
      .where('class_student.class_id', '=', classId)
      .where('class_student.left_at', 'is', null)
      .orderBy('class_student.id')
      .execute(),
  ]);
  return groups.map((group) => {
    const ofGroup = <Row extends { class_group_id: number; id: number; name: string }>(rows: readonly Row[]) =>
      rows.filter(({ class_group_id }) => class_group_id === group.id).map(({ id, name }) => ({ id, name }));
    const people = ofGroup(staff);
    const members = ofGroup(students);
    const edited = { group_name: group.group_name, staff_ids: people.map(({ id }) => id) };
    return { ...group, staff: people, students: members, students_count: members.length, seen: versionTokenOf(edited) };
  });
}

/** Adds a group. 404: no such class. 422: errors by field. */
export async function addGroup(
  context: RequestContext,
  classId: number,
  written: NewGroup,
): Promise<{ id: number } | Refusal> {
  const { db, actor, now } = context;
  const theClass = await lockedClass(context, classId);
  if (isRefusal(theClass)) return theClass;
  const { output: group, errors } = validateComplete(CompleteNewGroup, written);
  if (!group) return invalid(errors);
  if (!(await courseIdsOf(db, classId)).includes(group.course_id))
    return invalid({ course_id: [classWritingMessages.groupCourse] });
  const refusal = await groupRefusal(db, classId, group);
  if (refusal) return refusal;
  const unused = await newRecordId(db, 'class_group', async () => {
    const rows = db.selectFrom('class_group').select((eb) => eb.fn.max<number | null>('id').as('last'));
    return (await rows.executeTakeFirstOrThrow()).last ?? 0;
  });
  const { course_id, group_name, staff_ids } = group;
  const { id } = await db
    .insertInto('class_group')
    .values({ ...unused, class_id: classId, course_id, group_name })
    .returning('id')
    .executeTakeFirstOrThrow();
  await keepGroupStaff(db, id, staff_ids);
  await recordHistory(db, {
    actor,
    now,
    record: 'class_group',
    recordId: id,
    action: 'add',
    before: null,
    after: { class_id: classId, ...group },
  });
  return { id };
}

/**
 * Edits a group. 404: no such group. 422: errors by field. 409: edited meanwhile, or the effect was not acknowledged.
 */
export async function editGroup(
  context: RequestContext,
  { id: classId, groupId }: { id: number; groupId: number },
  written: EditedGroup,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const group = await lockedGroup(context, { classId, groupId });
  if (isRefusal(group)) return group;
  const { output, errors } = validateComplete(CompleteGroup, written);
  if (!output) return invalid(errors);
  const before = { group_name: group.group_name, staff_ids: group.staff.map(({ id }) => id) };
  const { merged, conflicts, both } = mergeEdit(written.seen, before, {
    group_name: output.group_name,
    staff_ids: [...output.staff_ids].sort((a, b) => a - b),
  });
  const refusal = await groupRefusal(db, classId, { ...merged, course_id: group.course_id, but: groupId });
  if (refusal) return refusal;
  if (conflicts.length > 0) {
    const people = await staffOf(db, classId);
    const nameOf = (id: number) => people.find((one) => one.id === id)?.real_name ?? '';
    return editConflict(both, {
      by: (await lastChangedBy(db, 'class_group', groupId, conflicts)) || '系统管理员',
      nameOf: { group_name: '名称', staff_ids: '助教' },
      shown: (field, value) =>
        field === 'group_name' ? String(value) : (value as number[]).map(nameOf).join('、') || '无',
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const gone = group.staff.filter(({ id }) => !merged.staff_ids.includes(id));
  const unsaid = requireConfirmation(
    gone.length === 0 || group.students_count === 0
      ? undefined
      : `${gone.map(({ name }) => name).join('、')}不再负责该分组的${group.students_count}名学员`,
    written.acknowledged,
  );
  if (unsaid) return unsaid;
  await db.updateTable('class_group').set({ group_name: merged.group_name }).where('id', '=', groupId).execute();
  await keepGroupStaff(db, groupId, merged.staff_ids);
  await recordHistory(db, {
    actor,
    now,
    record: 'class_group',
    recordId: groupId,
    action: 'edit',
    before: change.before,
    after: change.after,
  });
  return null;
}

/** Deletes a group. 404: no such group. 409: it has students. */
export async function removeGroup(
  context: RequestContext,
  { id: classId, groupId }: { id: number; groupId: number },
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const group = await lockedGroup(context, { classId, groupId });
  if (isRefusal(group)) return group;
  const refusal = refuseFor('conflict', groupRemovalFault(group));
  if (refusal) return refusal;
  await db.deleteFrom('class_group').where('id', '=', groupId).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'class_group',
    recordId: groupId,
    action: 'remove',
    before: { class_id: classId, group_name: group.group_name, staff_ids: group.staff.map(({ id }) => id) },
    after: null,
  });
  return null;
}

/**
 * Moves students into a group. 404: no such class or group. 422: no student, too many, or a course without groups. 409:
 * not a student of the class.
 */
export async function placeInGroup(
  context: RequestContext,
  classId: number,
  {
    course_id = 0,
    group_id = 0,
    student_ids,
  }: { course_id?: number | undefined; group_id?: number | undefined; student_ids: number[] },
): Promise<{ count: number } | Refusal> {
  const { db, actor, now } = context;
  const theClass = await lockedClass(context, classId);
  if (isRefusal(theClass)) return theClass;
  const groups = await storedGroups(db, classId);
  const group = groups.find(({ id }) => id === group_id);
  if (group_id !== 0 && !group) return missing(missingGroup);
  const course = group?.course_id ?? course_id;
  if (!groups.some((one) => one.course_id === course))
    return invalid({ course_id: [classWritingMessages.groupCourse] });
  if (student_ids.length === 0) return invalid({ student_ids: [classWritingMessages.nobody] });
  if (student_ids.length > placementLimit) return invalid({ student_ids: [classWritingMessages.tooManyPlaced] });
  const members = await db
    .selectFrom('class_student')
    .select(['id', 'student_id'])
    .where('class_id', '=', classId)
    .where('left_at', 'is', null)
    .where('student_id', 'in', student_ids)
    .execute();
  if (members.length < student_ids.length) return conflict(classWritingMessages.notMembers);
  const moved = members.filter(({ student_id }) => !group?.students.some(({ id }) => id === student_id));
  const ids = moved.map(({ id }) => id);
  if (ids.length === 0) return { count: 0 };
  const before = groups.filter((one) => one.course_id === course && one.id !== group_id);
  await db
    .deleteFrom('class_group_student')
    .where('course_id', '=', course)
    .where('class_student_id', 'in', ids)
    .execute();
  if (group) {
    await db
      .insertInto('class_group_student')
      .values(ids.map((class_student_id) => ({ class_student_id, course_id: course, class_group_id: group.id })))
      .execute();
  }
  // Writes a history row for each group that students leave, with their names.
  for (const one of before) {
    const left = one.students.filter(({ id }) => moved.some(({ student_id }) => student_id === id));
    if (left.length === 0) continue;
    await recordHistory(db, {
      actor,
      now,
      record: 'class_group',
      recordId: one.id,
      action: 'leave',
      before: { student_ids: left.map(({ id }) => id) },
      after: { group_id },
    });
  }
  if (group) {
    await recordHistory(db, {
      actor,
      now,
      record: 'class_group',
      recordId: group.id,
      action: 'join',
      before: null,
      after: { student_ids: moved.map(({ student_id }) => student_id) },
    });
  }
  return { count: moved.length };
}

async function lockedGroup(
  context: RequestContext,
  { classId, groupId }: { classId: number; groupId: number },
): Promise<ClassGroup | Refusal> {
  const theClass = await lockedClass(context, classId);
  if (isRefusal(theClass)) return theClass;
  const group = (await storedGroups(context.db, classId)).find(({ id }) => id === groupId);
  return group ?? missing(missingGroup);
}

/** Refuses assistants who are not staff of the class, and a name that another group of the course has. */
async function groupRefusal(
  db: Database,
  classId: number,
  {
    group_name,
    staff_ids,
    course_id,
    but = 0,
  }: { group_name: string; staff_ids: readonly number[]; course_id: number; but?: number },
): Promise<Refusal | undefined> {
  const assistants = (await staffOf(db, classId)).filter(({ duty }) => duty === 'assistant');
  if (!staff_ids.every((id) => assistants.some((one) => one.id === id)))
    return invalid({ staff_ids: [classWritingMessages.groupStaff] });
  const namesake = await db
    .selectFrom('class_group')
    .select('id')
    .where('class_id', '=', classId)
    .where('course_id', '=', course_id)
    .where('group_name', '=', group_name)
    .where('id', '!=', but)
    .executeTakeFirst();
  return namesake && invalid({ group_name: [classWritingMessages.groupTaken] });
}

async function keepGroupStaff(db: Database, groupId: number, staffIds: readonly number[]): Promise<void> {
  await db.deleteFrom('class_group_staff').where('class_group_id', '=', groupId).execute();
  if (staffIds.length === 0) return;
  await db
    .insertInto('class_group_staff')
    .values(staffIds.map((staff_id) => ({ class_group_id: groupId, staff_id })))
    .execute();
}

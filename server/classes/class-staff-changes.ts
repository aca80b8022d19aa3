import { editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { invalid, isRefusal, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, recordHistory } from '#server/platform/db/history.ts';
import { assignCourses } from '#server/school/assignments.ts';
import type { RuleContext } from '#server/school/context.ts';
import { assignStaff, countLecturersLosingAccess } from '#server/school/staff-duties.ts';
import { CourseChoice, type EditedClassCourses, type EditedClassStaff, StaffChoice } from './admin.contract.ts';
import { hasState } from './admin-list.ts';
import { courseIdsOf, lockedClass, staffIds, staffOf } from './admin-record.ts';
import { checkChosenCourses, checkChosenStaff } from './class-staff.ts';
import { groupsExistFault, tracesSentence } from './rules.ts';
import { usageOf } from './usage.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'settings'>;

/**
 * Changes the staff of a class. 404: no such class. 422: a disabled person. 409: edited meanwhile, or the effect was
 * not acknowledged.
 */
export async function changeStaff(
  context: RequestContext,
  id: number,
  written: EditedClassStaff,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const theClass = await lockedClass(context, id);
  if (isRefusal(theClass)) return theClass;
  const present = await staffOf(db, id);
  const before = staffIds(present);
  const { output, errors } = validateComplete(StaffChoice, written);
  if (!output) return invalid(errors);
  const { merged, conflicts, both } = mergeEdit(written.seen, before, {
    head_ids: [...output.head_ids].sort((a, b) => a - b),
    assistant_ids: [...output.assistant_ids].sort((a, b) => a - b),
  });
  const chosen = (field: keyof StaffIds, identity: 'teacher' | 'assist') =>
    checkChosenStaff(context, { field, identity, ids: merged[field], kept: before[field] });
  const heads = await chosen('head_ids', 'teacher');
  if (isRefusal(heads)) return heads;
  const assistants = await chosen('assistant_ids', 'assist');
  if (isRefusal(assistants)) return assistants;
  const named = [...present, ...heads, ...assistants];
  const namesOf = (ids: readonly number[]) =>
    ids.map((one) => named.find((person) => person.id === one)?.real_name ?? '').join('、') || '无';
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'class', id, conflicts)) || '系统管理员',
      nameOf: { head_ids: '班主任', assistant_ids: '助教' },
      shown: (_, value) => namesOf(value as number[]),
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const effect = await staffEffect(context, id, { before, after: merged, namesOf });
  const unsaid = requireConfirmation(effect, written.acknowledged);
  if (unsaid) return unsaid;
  await assignStaff(db, { classId: id, duty: 'head', staffIds: merged.head_ids });
  await assignStaff(db, { classId: id, duty: 'assistant', staffIds: merged.assistant_ids });
  const gone = before.assistant_ids.filter((one) => !merged.assistant_ids.includes(one));
  await db
    .deleteFrom('class_group_staff')
    .where('staff_id', 'in', [0, ...gone])
    .where('class_group_id', 'in', (eb) =>
      eb.selectFrom('class_group').select('class_group.id').where('class_group.class_id', '=', id),
    )
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'class',
    recordId: id,
    action: 'staff',
    before: change.before,
    after: change.after,
  });
  return null;
}

interface StaffIds {
  head_ids: number[];
  assistant_ids: number[];
}

/** Says what removing staff from a class does to others; undefined if nobody is removed. */
async function staffEffect(
  { db, now }: RequestContext,
  id: number,
  { before, after, namesOf }: { before: StaffIds; after: StaffIds; namesOf: (ids: readonly number[]) => string },
): Promise<string | undefined> {
  const gone = (field: keyof StaffIds) => before[field].filter((one) => !after[field].includes(one));
  const heads = gone('head_ids');
  const assistants = gone('assistant_ids');
  if (heads.length + assistants.length === 0) return undefined;
  const traces = tracesSentence(await usageOf(db, { classId: id, now }));
  const { meetings } = await db
    .selectFrom('class_meeting')
    .select((eb) => eb.fn.countAll<number>().as('meetings'))
    .where('class_id', '=', id)
    .where('staff_id', 'in', [0, ...heads])
    .where('start_time', '>', now)
    .executeTakeFirstOrThrow();
  const { groups } = await db
    .selectFrom('class_group_staff')
    .innerJoin('class_group', 'class_group.id', 'class_group_staff.class_group_id')
    .select((eb) => eb.fn.countAll<number>().as('groups'))
    .where('class_group.class_id', '=', id)
    .where('class_group_staff.staff_id', 'in', [0, ...assistants])
    .executeTakeFirstOrThrow();
  const effects = [
    heads.length > 0 && after.head_ids.length === 0 && '该班级将没有班主任，没有人能发布公告和安排班会',
    heads.length > 0 && `${namesOf(heads)}不再是班主任`,
    meetings > 0 && `${meetings}个未开始的班会由其安排`,
    assistants.length > 0 && after.assistant_ids.length === 0 && '该班级将没有助教',
    assistants.length > 0 && `助教${namesOf(assistants)}不再看到该班级`,
    groups > 0 && `不再负责${groups}个分组`,
    traces,
  ].filter((one): one is string => typeof one === 'string');
  return effects.join('，');
}

/**
 * Changes the courses of a class. 404: no such class. 422: a parent course. 409: edited meanwhile, or the effect was
 * not acknowledged.
 */
export async function changeCourses(
  context: RequestContext,
  id: number,
  written: EditedClassCourses,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const theClass = await lockedClass(context, id);
  if (isRefusal(theClass)) return theClass;
  const before = { course_ids: await courseIdsOf(db, id) };
  const { output, errors } = validateComplete(CourseChoice, written);
  if (!output) return invalid(errors);
  const { merged, conflicts, both } = mergeEdit(written.seen, before, {
    course_ids: [...output.course_ids].sort((a, b) => a - b),
  });
  const courses = await checkChosenCourses(context, { ids: merged.course_ids, kept: before.course_ids });
  if (isRefusal(courses)) return courses;
  const known = await db
    .selectFrom('course')
    .select(['id', 'title'])
    .where('id', 'in', [0, ...before.course_ids, ...merged.course_ids])
    .execute();
  const titlesOf = (ids: readonly number[]) =>
    ids.map((one) => `《${known.find((course) => course.id === one)?.title ?? ''}》`).join('') || '无';
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'class', id, conflicts)) || '系统管理员',
      nameOf: { course_ids: '课程' },
      shown: (_, value) => titlesOf(value as number[]),
    });
  }
  const gone = before.course_ids.filter((one) => !merged.course_ids.includes(one));
  const come = merged.course_ids.filter((one) => !before.course_ids.includes(one));
  if (gone.length + come.length === 0) return null;
  const groups = await groupsOfCourses(db, id, gone);
  const grouped = refuseFor('conflict', groupsExistFault({ titles: titlesOf(gone), groups }));
  if (grouped) return grouped;
  const unsaid = requireConfirmation(await coursesEffect(context, id, { gone, come, titlesOf }), written.acknowledged);
  if (unsaid) return unsaid;
  await assignCourses(db, id, merged.course_ids);
  await recordHistory(db, { actor, now, record: 'class', recordId: id, action: 'courses', before, after: merged });
  return null;
}

async function groupsOfCourses(db: Database, classId: number, courseIds: readonly number[]): Promise<number> {
  const { groups } = await db
    .selectFrom('class_group')
    .select((eb) => eb.fn.countAll<number>().as('groups'))
    .where('class_id', '=', classId)
    .where('course_id', 'in', [0, ...courseIds])
    .executeTakeFirstOrThrow();
  return groups;
}

/** Says what changing the courses of a class does to its students; undefined if they notice nothing. */
async function coursesEffect(
  { db, now }: RequestContext,
  id: number,
  { gone, come, titlesOf }: { gone: number[]; come: number[]; titlesOf: (ids: readonly number[]) => string },
): Promise<string | undefined> {
  const effects: string[] = [];
  if (gone.length > 0) {
    const { students, ...left } = await usageOf(db, { classId: id, courseIds: gone, now });
    const unseen = await countLecturersLosingAccess(db, id, gone);
    const traces = tracesSentence({ students, ...left });
    const parts = [traces, unseen > 0 && `${unseen}位讲师不再看到该班级`].filter(Boolean);
    if (parts.length > 0) effects.push(`不再上${titlesOf(gone)}：${parts.join('，')}`);
  }
  if (come.length > 0) {
    const twice = await studentsElsewhere(db, { classId: id, courseIds: come, now });
    if (twice > 0) effects.push(`${twice}名学员已在其他班级上${titlesOf(come)}`);
  }
  return effects.length > 0 ? effects.join('；') : undefined;
}

/** Counts students who also take one of these courses in another running class. */
async function studentsElsewhere(
  db: Database,
  { classId, courseIds, now }: { classId: number; courseIds: readonly number[]; now: number },
): Promise<number> {
  const { students } = await db
    .selectFrom('class_student as here')
    .innerJoin('class_student as there', 'there.student_id', 'here.student_id')
    .innerJoin('class_course', 'class_course.class_id', 'there.class_id')
    .select((eb) => eb.fn.count<number>('here.student_id').distinct().as('students'))
    .where('here.class_id', '=', classId)
    .where('here.left_at', 'is', null)
    .where('there.left_at', 'is', null)
    .where('there.class_id', '!=', classId)
    .where('class_course.course_id', 'in', courseIds)
    .where('there.class_id', 'not in', (eb) =>
      eb
        .selectFrom('class')
        .select('class.id')
        .where((of) => hasState(of, 'ended', now)),
    )
    .executeTakeFirstOrThrow();
  return students;
}

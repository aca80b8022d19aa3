/** Administrators' calls for groups: students of a class who are taught a course together. */

import * as v from 'valibot';
import { IdAndName, OneLine, required, SearchId, SearchIds, TypedText } from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { acknowledgement, StaffIds } from './admin.contract.ts';
import { classWritingMessages, groupNameLimit } from './rules.ts';

const needs = 'teaching';

export const ClassGroup = v.object({
  id: v.number(),
  course_id: v.number(),
  course_title: v.string(),
  group_name: v.string(),
  staff: v.array(IdAndName),
  /** Current students of the class who are in this group. */
  students: v.array(IdAndName),
  students_count: v.number(),
  seen: v.string(),
});
export type ClassGroup = v.InferOutput<typeof ClassGroup>;

/** `ungrouped`: for each course with groups, the students who are in none of them. */
export const ClassGroups = v.object({
  groups: v.array(ClassGroup),
  ungrouped: v.array(v.object({ course_id: v.number(), course_title: v.string(), students: v.array(IdAndName) })),
});
export type ClassGroups = v.InferOutput<typeof ClassGroups>;

export const listClassGroups = adminCall({
  method: 'GET',
  path: 'classes/:id/groups',
  title: '班级的分组',
  needs,
  answer: ClassGroups,
});

export const showClassGroup = adminCall({
  method: 'GET',
  path: 'classes/:id/groups/:groupId',
  title: '分组',
  needs,
  answer: ClassGroup,
});

const groupFields = { group_name: TypedText, staff_ids: SearchIds };

export const NewGroup = v.object({ ...groupFields, course_id: SearchId });
export type NewGroup = v.InferOutput<typeof NewGroup>;

export const EditedGroup = v.object({ ...groupFields, ...acknowledgement });
export type EditedGroup = v.InferOutput<typeof EditedGroup>;

export const CompleteGroup = v.object({
  group_name: v.pipe(
    OneLine,
    v.nonEmpty(classWritingMessages.noGroupName),
    v.check((name) => lengthOf(name) <= groupNameLimit, classWritingMessages.groupNameLength),
  ),
  staff_ids: StaffIds,
});
export type CompleteGroup = v.InferOutput<typeof CompleteGroup>;

export const CompleteNewGroup = v.object({
  ...CompleteGroup.entries,
  course_id: required(classWritingMessages.groupCourse),
});

export const addClassGroup = adminCall({
  method: 'POST',
  path: 'classes/:id/groups',
  title: '添加分组',
  needs,
  body: NewGroup,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const editClassGroup = adminCall({
  method: 'PUT',
  path: 'classes/:id/groups/:groupId',
  title: '修改分组',
  needs,
  body: EditedGroup,
  answer: v.null(),
  message: '保存成功',
});

export const removeClassGroup = adminCall({
  method: 'DELETE',
  path: 'classes/:id/groups/:groupId',
  title: '删除分组',
  needs,
  answer: v.null(),
  message: '删除成功',
});

/** Moves students into a group and out of the course's other groups. `group_id` 0: into no group. */
export const placeStudents = adminCall({
  method: 'POST',
  path: 'classes/:id/placements',
  title: '移动学员到分组',
  needs,
  body: v.object({ course_id: SearchId, group_id: SearchId, student_ids: SearchIds }),
  answer: v.object({ count: v.number() }),
  message: '移动成功',
});

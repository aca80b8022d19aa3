/** Administrators' calls for classes of every type: list, record, staff, courses and groups. */

import * as v from 'valibot';
import {
  FlagNumber,
  fieldsRule,
  Named,
  OneLine,
  page,
  paging,
  required,
  SearchFlag,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
  SortDirection,
  searchOneOf,
  searchWord,
  TypedText,
  WrittenDay,
} from '#server/platform/calls/fields.ts';
import { isDay } from '#server/platform/calls/rules.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import {
  allClassTypes,
  classCoursesLimit,
  classNameLimit,
  classStaffLimit,
  classStates,
  classWritingMessages,
  groupNameLimit,
  validTypes,
} from './rules.ts';

const needs = 'teaching';

// ---- the list ---------------------------------------------------------------------------------------

/** `name` also matches pinyin. `head_id`: classes with this head teacher. */
export const AllClassesFilter = v.object({
  name: SearchText,
  class_type: searchOneOf(allClassTypes),
  state: searchWord(classStates),
  course_id: SearchId,
  school_id: SearchId,
  head_id: SearchId,
  grade_id: SearchId,
  large_class_id: SearchId,
  sort_field: searchWord(['name', 'created_at']),
  sort: SortDirection,
  ...paging(),
});
export type AllClassesFilter = v.InferOutput<typeof AllClassesFilter>;

const rowFields = {
  id: v.number(),
  name: v.string(),
  class_type: v.picklist(allClassTypes),
  school_id: v.number(),
  school_name: v.string(),
  grade_name: v.string(),
  classify_name: v.string(),
  large_class_name: v.string(),
  /** Names, ordered by staff id. */
  heads: v.array(v.string()),
  assistants: v.array(v.string()),
  /** Present students. */
  students_count: v.number(),
  courses_count: v.number(),
  state: v.picklist(classStates),
  valid_type: v.picklist(validTypes),
  /** Unix seconds; 0 for a long-term class. */
  valid_time: Seconds,
  created_at: Seconds,
};

export const AdministeredClass = v.object(rowFields);
export type AdministeredClass = v.InferOutput<typeof AdministeredClass>;

export const listAllClasses = adminCall({
  method: 'GET',
  path: 'classes',
  title: '全部班级',
  needs,
  query: AllClassesFilter,
  answer: page(AdministeredClass),
});

const Choice = v.object({ id: v.number(), name: v.string(), school_id: v.number() });
export type Choice = v.InferOutput<typeof Choice>;

/** Select options: staff who are not disabled, and courses with periods of their own. */
export const ClassOptions = v.object({
  schools: v.array(Named),
  grades: v.array(Named),
  classifies: v.array(Named),
  subjects: v.array(Named),
  lecturers: v.array(Choice),
  assistants: v.array(Choice),
  courses: v.array(Choice),
  rooms: v.array(Choice),
  large_classes: v.array(Choice),
});
export type ClassOptions = v.InferOutput<typeof ClassOptions>;

export const classOptions = adminCall({
  method: 'GET',
  path: 'classes/options',
  title: '班级的可选内容',
  needs,
  answer: ClassOptions,
});

// ---- one class --------------------------------------------------------------------------------------

const Person = v.object({ id: v.number(), real_name: v.string(), is_disabled: FlagNumber });

export const TakenCourse = v.object({
  id: v.number(),
  title: v.string(),
  periods_count: v.number(),
  /** Future periods. */
  periods_left: v.number(),
  /** Homework of this class whose deadline is in the future. */
  homework: v.number(),
});
export type TakenCourse = v.InferOutput<typeof TakenCourse>;

/**
 * `seen`, `staff_seen` and `courses_seen` are sent back with their forms. `end_effect`: effect of ending the class;
 * `removal_fault`: why it cannot be deleted; empty: none.
 */
export const ClassRecord = v.object({
  ...v.omit(AdministeredClass, ['heads', 'assistants']).entries,
  grade_id: v.number(),
  classify_id: v.number(),
  large_class_id: v.number(),
  /** Last day of validity, `yyyy-mm-dd`; empty: long-term. */
  valid_day: v.string(),
  /** 1: the class's circle (班级圈子) is hidden. */
  is_circle_hidden: FlagNumber,
  heads: v.array(Person),
  assistants: v.array(Person),
  courses: v.array(TakenCourse),
  lessons_count: v.number(),
  end_effect: v.string(),
  removal_fault: v.string(),
  seen: v.string(),
  staff_seen: v.string(),
  courses_seen: v.string(),
});
export type ClassRecord = v.InferOutput<typeof ClassRecord>;

export const showAdministeredClass = adminCall({
  method: 'GET',
  path: 'classes/:id',
  title: '班级资料',
  needs,
  answer: ClassRecord,
});

/** Effect as the user confirmed it (else 409), and the version shown in the form. */
const acknowledgement = { acknowledged: TypedText, seen: TypedText };

export const classDetails = {
  name: TypedText,
  grade_id: SearchId,
  classify_id: SearchId,
};

export const WrittenClass = v.object({
  ...classDetails,
  large_class_id: SearchId,
  /** 1 long-term, 2 until the end of `valid_day`. */
  valid_type: searchOneOf(validTypes),
  valid_day: WrittenDay,
  is_circle_hidden: SearchFlag,
  ...acknowledgement,
});
export type WrittenClass = v.InferOutput<typeof WrittenClass>;

const { seen: _, ...added } = WrittenClass.entries;
export const NewClass = v.object({
  ...added,
  school_id: SearchId,
  head_ids: SearchIds,
  assistant_ids: SearchIds,
  course_ids: SearchIds,
});
export type NewClass = v.InferOutput<typeof NewClass>;

const optionalId = v.optional(v.number(), 0);

export const CompleteClassDetails = v.object({
  name: v.pipe(
    OneLine,
    v.nonEmpty(classWritingMessages.noName),
    v.check((name) => lengthOf(name) <= classNameLimit, classWritingMessages.nameLength),
  ),
  grade_id: optionalId,
  classify_id: optionalId,
});

export const CompleteClass = v.pipe(
  v.object({
    ...CompleteClassDetails.entries,
    large_class_id: optionalId,
    valid_type: v.optional(v.picklist(validTypes), 1),
    valid_day: v.optional(v.string(), ''),
    is_circle_hidden: v.optional(FlagNumber, 0),
  }),
  fieldsRule(
    ['valid_type', 'valid_day'],
    ({ valid_type, valid_day }) => valid_type === 1 || isDay(valid_day),
    classWritingMessages.noValidDay,
  ),
  v.transform((theClass) => ({ ...theClass, valid_day: theClass.valid_type === 2 ? theClass.valid_day : '' })),
);
export type CompleteClass = v.InferOutput<typeof CompleteClass>;

const people = v.pipe(v.array(v.number()), v.maxLength(classStaffLimit, classWritingMessages.tooManyStaff));
export const StaffChoice = v.object({ head_ids: people, assistant_ids: people });
export const CourseChoice = v.object({
  course_ids: v.pipe(v.array(v.number()), v.maxLength(classCoursesLimit, classWritingMessages.tooManyCourses)),
});

/** School, staff and courses of a new class of any type. */
export const CompleteClassStaff = v.object({
  school_id: required(classWritingMessages.noSchool),
  ...StaffChoice.entries,
  ...CourseChoice.entries,
});

/** Adds a class that takes courses. Group and one-to-one classes have calls of their own. */
export const addClass = adminCall({
  method: 'POST',
  path: 'classes',
  title: '添加班级',
  needs,
  body: NewClass,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

/** Only for classes that take courses. */
export const editClass = adminCall({
  method: 'PUT',
  path: 'classes/:id',
  title: '修改班级',
  needs,
  body: WrittenClass,
  answer: v.null(),
  message: '保存成功',
});

export const WrittenStaffing = v.object({ head_ids: SearchIds, assistant_ids: SearchIds, ...acknowledgement });
export type WrittenStaffing = v.InferOutput<typeof WrittenStaffing>;

/** For classes of any type. */
export const editClassStaff = adminCall({
  method: 'PUT',
  path: 'classes/:id/staff',
  title: '修改班级的班主任和助教',
  needs,
  body: WrittenStaffing,
  answer: v.null(),
  message: '保存成功',
});

export const WrittenCourses = v.object({ course_ids: SearchIds, ...acknowledgement });
export type WrittenCourses = v.InferOutput<typeof WrittenCourses>;

/** For classes of any type. */
export const editClassCourses = adminCall({
  method: 'PUT',
  path: 'classes/:id/courses',
  title: '修改班级的课程',
  needs,
  body: WrittenCourses,
  answer: v.null(),
  message: '保存成功',
});

/** `acknowledged`: the `end_effect` of the record, if any. */
export const endClass = adminCall({
  method: 'POST',
  path: 'classes/:id/end',
  title: '结束班级',
  needs,
  body: v.object({ acknowledged: TypedText }),
  answer: v.null(),
  message: '班级已结束',
});

/** A reopened class is long-term. */
export const reopenClass = adminCall({
  method: 'POST',
  path: 'classes/:id/reopen',
  title: '恢复班级',
  needs,
  answer: v.null(),
  message: '班级已恢复',
});

/** Deletes a class of any type without records. */
export const removeClass = adminCall({
  method: 'DELETE',
  path: 'classes/:id',
  title: '删除班级',
  needs,
  answer: v.null(),
  message: '删除成功',
});

// ---- groups of a course -----------------------------------------------------------------------------

export const ClassGroup = v.object({
  id: v.number(),
  course_id: v.number(),
  course_title: v.string(),
  group_name: v.string(),
  staff: v.array(Named),
  /** Present students of the class in this group. */
  students: v.array(Named),
  students_count: v.number(),
  seen: v.string(),
});
export type ClassGroup = v.InferOutput<typeof ClassGroup>;

/** `ungrouped`: per course with groups, the students in none of them. */
export const ClassGroups = v.object({
  groups: v.array(ClassGroup),
  ungrouped: v.array(v.object({ course_id: v.number(), course_title: v.string(), students: v.array(Named) })),
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
export const WrittenGroup = v.object({ ...groupFields, ...acknowledgement });
export type WrittenGroup = v.InferOutput<typeof WrittenGroup>;

export const CompleteGroup = v.object({
  group_name: v.pipe(
    OneLine,
    v.nonEmpty(classWritingMessages.noGroupName),
    v.check((name) => lengthOf(name) <= groupNameLimit, classWritingMessages.groupNameLength),
  ),
  staff_ids: people,
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
  body: WrittenGroup,
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

/** Moves students into a group, out of the other groups of its course; `group_id` 0: into none. */
export const placeStudents = adminCall({
  method: 'POST',
  path: 'classes/:id/placements',
  title: '移动学员到分组',
  needs,
  body: v.object({ course_id: SearchId, group_id: SearchId, student_ids: SearchIds }),
  answer: v.object({ count: v.number() }),
  message: '移动成功',
});

// ---- large classes ----------------------------------------------------------------------------------

export const LargeClassFilter = v.object({ name: SearchText, school_id: SearchId, ...paging() });
export type LargeClassFilter = v.InferOutput<typeof LargeClassFilter>;

export const LargeClassRow = v.object({
  id: v.number(),
  name: v.string(),
  school_id: v.number(),
  school_name: v.string(),
  classes: v.array(Named),
  seen: v.string(),
});
export type LargeClassRow = v.InferOutput<typeof LargeClassRow>;

export const listAllLargeClasses = adminCall({
  method: 'GET',
  path: 'large-classes',
  title: '大班',
  needs,
  query: LargeClassFilter,
  answer: page(LargeClassRow),
});

export const showLargeClass = adminCall({
  method: 'GET',
  path: 'large-classes/:id',
  title: '大班资料',
  needs,
  answer: LargeClassRow,
});

export const NewLargeClass = v.object({ name: TypedText, school_id: SearchId });
export const CompleteLargeClass = v.object({
  name: CompleteClassDetails.entries.name,
  school_id: required(classWritingMessages.noSchool),
});

export const addLargeClass = adminCall({
  method: 'POST',
  path: 'large-classes',
  title: '添加大班',
  needs,
  body: NewLargeClass,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const WrittenLargeClass = v.object({ name: TypedText, ...acknowledgement });
export type WrittenLargeClass = v.InferOutput<typeof WrittenLargeClass>;

export const editLargeClass = adminCall({
  method: 'PUT',
  path: 'large-classes/:id',
  title: '修改大班',
  needs,
  body: WrittenLargeClass,
  answer: v.null(),
  message: '保存成功',
});

/** Administrators' calls for classes of every type: list, record, staff and courses. */

import * as v from 'valibot';
import {
  FlagNumber,
  fieldsRule,
  IdAndName,
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
  validTypes,
} from './rules.ts';

const needs = 'teaching';

// ---- the list ---------------------------------------------------------------------------------------

/** `name` also matches pinyin. `head_id`: only classes with this head teacher. */
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
  /** Names of the head teachers, ordered by staff id. */
  heads: v.array(v.string()),
  assistants: v.array(v.string()),
  /** Number of current students; those who left do not count. */
  students_count: v.number(),
  courses_count: v.number(),
  state: v.picklist(classStates),
  valid_type: v.picklist(validTypes),
  /** Unix seconds; 0 for a long-term class. */
  valid_time: Seconds,
  created_at: Seconds,
};

export const AdminClass = v.object(rowFields);
export type AdminClass = v.InferOutput<typeof AdminClass>;

export const listAllClasses = adminCall({
  method: 'GET',
  path: 'classes',
  title: '全部班级',
  needs,
  query: AllClassesFilter,
  answer: page(AdminClass),
});

const Choice = v.object({ id: v.number(), name: v.string(), school_id: v.number() });
export type Choice = v.InferOutput<typeof Choice>;

/** Select options: staff who are not disabled, and courses with periods of their own. */
export const ClassOptions = v.object({
  schools: v.array(IdAndName),
  grades: v.array(IdAndName),
  classifies: v.array(IdAndName),
  subjects: v.array(IdAndName),
  lecturers: v.array(Choice),
  assistants: v.array(Choice),
  courses: v.array(Choice),
  rooms: v.array(Choice),
  large_classes: v.array(Choice),
  /** Terms that are not over. */
  terms: v.array(IdAndName),
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
  /** Number of future periods. */
  periods_left: v.number(),
  /** Number of this class's homework whose deadline is in the future. */
  homework: v.number(),
});
export type TakenCourse = v.InferOutput<typeof TakenCourse>;

/**
 * `seen`, `staff_seen` and `courses_seen`: versions, sent back with their forms. `end_effect`: what ending the class
 * would do to others. `removal_fault`: why it cannot be deleted. Both are '' if there is nothing to say.
 */
export const ClassRecord = v.object({
  ...v.omit(AdminClass, ['heads', 'assistants']).entries,
  grade_id: v.number(),
  classify_id: v.number(),
  large_class_id: v.number(),
  term_ids: v.array(v.number()),
  /** Names of the terms, latest first. */
  terms: v.array(IdAndName),
  /** Last day of validity, `yyyy-mm-dd`; '' for a long-term class. */
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

export const showAdminClass = adminCall({
  method: 'GET',
  path: 'classes/:id',
  title: '班级资料',
  needs,
  answer: ClassRecord,
});

/**
 * `acknowledged`: the effect as the user confirmed it. `seen`: the version shown in the form. If either is out of date,
 * the answer is 409.
 */
export const acknowledgement = { acknowledged: TypedText, seen: TypedText };

export const classDetails = {
  name: TypedText,
  grade_id: SearchId,
  classify_id: SearchId,
};

export const EditedClass = v.object({
  ...classDetails,
  large_class_id: SearchId,
  /** Left out: the terms stay. */
  term_ids: v.optional(SearchIds),
  /** 1 long-term, 2 until the end of `valid_day`. */
  valid_type: searchOneOf(validTypes),
  valid_day: WrittenDay,
  is_circle_hidden: SearchFlag,
  ...acknowledgement,
});
export type EditedClass = v.InferOutput<typeof EditedClass>;

const { seen: _, ...added } = EditedClass.entries;
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

export const StaffIds = v.pipe(v.array(v.number()), v.maxLength(classStaffLimit, classWritingMessages.tooManyStaff));
export const StaffChoice = v.object({ head_ids: StaffIds, assistant_ids: StaffIds });
export const CourseChoice = v.object({
  course_ids: v.pipe(v.array(v.number()), v.maxLength(classCoursesLimit, classWritingMessages.tooManyCourses)),
});

/** School, staff and courses of a new class of any type. */
export const CompleteClassStaff = v.object({
  school_id: required(classWritingMessages.noSchool),
  ...StaffChoice.entries,
  ...CourseChoice.entries,
});

/** Adds a state-school class. Group and one-to-one classes have calls of their own. */
export const addClass = adminCall({
  method: 'POST',
  path: 'classes',
  title: '添加班级',
  needs,
  body: NewClass,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

/** Edits a state-school class. Group and one-to-one classes have calls of their own. */
export const editClass = adminCall({
  method: 'PUT',
  path: 'classes/:id',
  title: '修改班级',
  needs,
  body: EditedClass,
  answer: v.null(),
  message: '保存成功',
});

export const EditedClassStaff = v.object({ head_ids: SearchIds, assistant_ids: SearchIds, ...acknowledgement });
export type EditedClassStaff = v.InferOutput<typeof EditedClassStaff>;

/** Changes the staff of a class of any type. */
export const editClassStaff = adminCall({
  method: 'PUT',
  path: 'classes/:id/staff',
  title: '修改班级的班主任和助教',
  needs,
  body: EditedClassStaff,
  answer: v.null(),
  message: '保存成功',
});

export const EditedClassCourses = v.object({ course_ids: SearchIds, ...acknowledgement });
export type EditedClassCourses = v.InferOutput<typeof EditedClassCourses>;

/** Changes the courses of a class of any type. */
export const editClassCourses = adminCall({
  method: 'PUT',
  path: 'classes/:id/courses',
  title: '修改班级的课程',
  needs,
  body: EditedClassCourses,
  answer: v.null(),
  message: '保存成功',
});

/** Ends a class. `acknowledged`: the `end_effect` of the record, if any. */
export const endClass = adminCall({
  method: 'POST',
  path: 'classes/:id/end',
  title: '结束班级',
  needs,
  body: v.object({ acknowledged: TypedText }),
  answer: v.null(),
  message: '班级已结束',
});

/** Reopens an ended class, which is long-term from then on. */
export const reopenClass = adminCall({
  method: 'POST',
  path: 'classes/:id/reopen',
  title: '恢复班级',
  needs,
  answer: v.null(),
  message: '班级已恢复',
});

/** Deletes a class of any type; only possible while it has no records. */
export const removeClass = adminCall({
  method: 'DELETE',
  path: 'classes/:id',
  title: '删除班级',
  needs,
  answer: v.null(),
  message: '删除成功',
});

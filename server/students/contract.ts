/** Calls of administrators for students: the list, the record of one student, and changes. */

import * as v from 'valibot';
import { leftReasonLimit, memberMessages } from '#server/classes/rules.ts';
import {
  FlagNumber,
  IdAndName,
  OneLine,
  page,
  paging,
  required,
  SearchId,
  SearchText,
  Seconds,
  SortDirection,
  searchWord,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { studentMessages, studentNameLimit, studentNumberLimit } from './rules.ts';

// ---- the list -----------------------------------------------------------------------------------------

/** States of the student filter. `unplaced`: in no class at present. */
export const studentStates = ['active', 'unplaced', 'disabled'] as const;
export const studentSorts = ['nickname', 'number', 'created_at'] as const;

/**
 * Filters of the student list. `name` finds names, pinyin, student numbers and mobile numbers. `class_name` and
 * `grade_id` refer to present classes.
 */
export const StudentFilter = v.object({
  name: SearchText,
  class_name: SearchText,
  grade_id: SearchId,
  school_id: SearchId,
  state: searchWord(studentStates),
  sort_field: searchWord(studentSorts),
  sort: SortDirection,
  ...paging(),
});
export type StudentFilter = v.InferOutput<typeof StudentFilter>;

const particulars = {
  id: v.number(),
  nickname: v.string(),
  number: v.string(),
  mobile: v.string(),
  guardian_mobile: v.string(),
  school_id: v.number(),
  school_name: v.string(),
  is_disabled: FlagNumber,
  /** 1: the student was erased; only the number and records are left. */
  is_erased: FlagNumber,
  created_at: Seconds,
};

/** A row of the student list. `classes`: present classes. */
export const StudentRow = v.object({ ...particulars, classes: v.array(IdAndName) });
export type StudentRow = v.InferOutput<typeof StudentRow>;

export const listStudents = adminCall({
  method: 'GET',
  path: 'students',
  title: '学员列表',
  needs: 'people',
  query: StudentFilter,
  answer: page(StudentRow),
});

/** Returns the choices of the filter and of the form. */
export const studentChoices = adminCall({
  method: 'GET',
  path: 'students/choices',
  title: '可选的学校和年级',
  needs: 'people',
  answer: v.object({ schools: v.array(IdAndName), grades: v.array(IdAndName) }),
});

export const ClassChoiceFilter = v.object({ name: SearchText, ...paging() });
export const ClassChoice = v.object({
  ...IdAndName.entries,
  school_name: v.string(),
  class_type: v.number(),
  present: v.number(),
});
export type ClassChoice = v.InferOutput<typeof ClassChoice>;

/** Lists classes that a student can join: those that have not ended. */
export const listClassChoices = adminCall({
  method: 'GET',
  path: 'students/classes',
  title: '可加入的班级',
  needs: 'people',
  query: ClassChoiceFilter,
  answer: page(ClassChoice),
});

// ---- one student ----------------------------------------------------------------------------------------

/**
 * One student. `seen` is the version, sent back with the form. `leaving` is the sentence to confirm before disabling,
 * `records` the reason why the student cannot be deleted; both are '' if there is none.
 */
export const StudentRecord = v.object({
  ...particulars,
  counts: v.object({
    classes: v.number(),
    homework: v.number(),
    unfinished: v.number(),
    exams: v.number(),
    attendance: v.number(),
    leave: v.number(),
    waiting: v.number(),
    communication: v.number(),
  }),
  leaving: v.string(),
  records: v.string(),
  seen: v.string(),
});
export type StudentRecord = v.InferOutput<typeof StudentRecord>;

/** Returns one student. Records the view in the history, once per user, student and hour. */
export const showStudent = adminCall({
  method: 'GET',
  path: 'students/:id',
  looks: true,
  title: '学员详情',
  needs: 'people',
  answer: StudentRecord,
});

// ---- form fields ------------------------------------------------------------------------------------------

const written = {
  nickname: TypedText,
  number: TypedText,
  mobile: TypedText,
  guardian_mobile: TypedText,
  school_id: SearchId,
  /** Sentence with the effect of the change, as the user confirmed it; otherwise the call is 409. */
  acknowledged: TypedText,
};

export const NewStudent = v.object(written);
export type NewStudent = v.InferOutput<typeof NewStudent>;

/**
 * An edited student. `seen`: version of the record when the form was opened. If somebody else has edited the student
 * since, the call is 409.
 */
export const EditedStudent = v.object({ ...written, seen: TypedText });
export type EditedStudent = v.InferOutput<typeof EditedStudent>;

const mobileField = v.pipe(OneLine, v.regex(/^(?:1\d{10})?$/, studentMessages.mobile));

export const CompleteStudent = v.object({
  nickname: v.pipe(
    OneLine,
    v.nonEmpty(studentMessages.noName),
    v.check((name) => lengthOf(name) <= studentNameLimit, studentMessages.nameLength),
  ),
  number: v.pipe(
    OneLine,
    v.regex(/^\S*$/, studentMessages.number),
    v.check((number) => lengthOf(number) <= studentNumberLimit, studentMessages.number),
  ),
  mobile: mobileField,
  guardian_mobile: mobileField,
  school_id: required(studentMessages.noSchool),
});
export type CompleteStudent = v.InferOutput<typeof CompleteStudent>;

export const addStudent = adminCall({
  method: 'POST',
  path: 'students',
  title: '添加学员',
  needs: 'people',
  body: NewStudent,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const editStudent = adminCall({
  method: 'PUT',
  path: 'students/:id',
  title: '修改学员',
  needs: 'people',
  body: EditedStudent,
  answer: v.null(),
  message: '保存成功',
});

/** Disables a student and ends the student's enrolments. `acknowledged` must repeat `leaving` of the record. */
export const disableStudent = adminCall({
  method: 'POST',
  path: 'students/:id/disable',
  title: '停用学员',
  needs: 'people',
  body: v.object({
    reason: v.pipe(
      TypedText,
      v.check((reason) => lengthOf(reason) <= leftReasonLimit, memberMessages.reasonLength),
    ),
    acknowledged: TypedText,
  }),
  answer: v.null(),
  message: '已停用',
});

export const enableStudent = adminCall({
  method: 'POST',
  path: 'students/:id/enable',
  title: '恢复学员',
  needs: 'people',
  answer: v.null(),
  message: '已恢复',
});

/** Deletes a student without records. */
export const deleteStudent = adminCall({
  method: 'DELETE',
  path: 'students/:id',
  title: '删除学员',
  needs: 'people',
  answer: v.null(),
  message: '已删除',
});

/** Administrators' calls for group and one-to-one classes: the fields they add to a class, and contracts. */
import * as v from 'valibot';
import { AdminClass, CompleteClassDetails, CompleteClassStaff, classDetails } from '#server/classes/admin.contract.ts';
import { classStates } from '#server/classes/rules.ts';
import {
  OneLine,
  page,
  paging,
  required,
  requiredDay,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
  searchOneOf,
  searchWord,
  TypedText,
  WrittenDay,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { teachingModes } from '#server/sessions/rules.ts';
import {
  contractLimits,
  contractNumberLimit,
  lessonClassTypes,
  remarksLimit,
  scheduleNoteLimit,
  signTypes,
  teamMessages,
} from './rules.ts';

const needs = 'teaching';

export const LessonClassFilter = v.object({
  name: SearchText,
  class_type: searchOneOf(lessonClassTypes),
  state: searchWord(classStates),
  school_id: SearchId,
  lecturer_id: SearchId,
  subject_id: SearchId,
  ...paging(),
});
export type LessonClassFilter = v.InferOutput<typeof LessonClassFilter>;

const own = {
  lecturer_id: v.number(),
  lecturer_name: v.string(),
  subject_id: v.number(),
  subject_name: v.string(),
  room_id: v.number(),
  room_name: v.string(),
  teaching_mode: v.picklist(teachingModes),
  sign_type: v.picklist(signTypes),
  /** When the class regularly meets, as free text. */
  schedule: v.string(),
  remarks: v.string(),
  start_time: Seconds,
  ended_at: v.nullable(Seconds),
  /** `lessons_held`: number of past lessons. `lessons_left`: number of future ones. */
  lessons_held: v.number(),
  lessons_left: v.number(),
};

const { heads: _, large_class_name: __, ...ofClass } = AdminClass.entries;
export const LessonClassRow = v.object({ ...ofClass, ...own });
export type LessonClassRow = v.InferOutput<typeof LessonClassRow>;

export const listLessonClasses = adminCall({
  method: 'GET',
  path: 'group-classes',
  title: '团课班级与一对一',
  needs,
  query: LessonClassFilter,
  answer: page(LessonClassRow),
});

/** `seen`: version, sent back with the form. `end_effect`: what ending the class would do to others; '' if nothing. */
export const LessonClassRecord = v.object({
  ...LessonClassRow.entries,
  grade_id: v.number(),
  classify_id: v.number(),
  start_day: v.string(),
  end_effect: v.string(),
  seen: v.string(),
});
export type LessonClassRecord = v.InferOutput<typeof LessonClassRecord>;

export const showLessonClass = adminCall({
  method: 'GET',
  path: 'group-classes/:id',
  title: '团课班级与一对一资料',
  needs,
  answer: LessonClassRecord,
});

const written = {
  ...classDetails,
  lecturer_id: SearchId,
  subject_id: SearchId,
  room_id: SearchId,
  teaching_mode: searchOneOf(teachingModes),
  sign_type: searchOneOf(signTypes),
  schedule: TypedText,
  remarks: TypedText,
  start_day: WrittenDay,
  acknowledged: TypedText,
};

export const EditedLessonClass = v.object({ ...written, seen: TypedText });
export type EditedLessonClass = v.InferOutput<typeof EditedLessonClass>;

export const NewLessonClass = v.object({
  ...written,
  class_type: searchOneOf(lessonClassTypes),
  school_id: SearchId,
  head_ids: SearchIds,
  assistant_ids: SearchIds,
  course_ids: SearchIds,
});
export type NewLessonClass = v.InferOutput<typeof NewLessonClass>;

const optionalId = v.optional(v.number(), 0);

export const CompleteLessonClass = v.object({
  ...CompleteClassDetails.entries,
  lecturer_id: optionalId,
  subject_id: optionalId,
  room_id: optionalId,
  teaching_mode: v.optional(v.picklist(teachingModes), 1),
  sign_type: v.optional(v.picklist(signTypes), 1),
  schedule: v.pipe(
    OneLine,
    v.check((text) => lengthOf(text) <= scheduleNoteLimit, teamMessages.scheduleLength),
  ),
  remarks: v.pipe(
    v.string(),
    v.trim(),
    v.check((text) => lengthOf(text) <= remarksLimit, teamMessages.remarksLength),
  ),
  start_day: requiredDay(teamMessages.noStart),
});

export const ValidNewLessonClass = v.object({
  ...CompleteLessonClass.entries,
  ...CompleteClassStaff.entries,
  class_type: v.pipe(
    required(teamMessages.type),
    v.transform((type) => (type === 1 ? (1 as const) : (3 as const))),
  ),
});

export const addLessonClass = adminCall({
  method: 'POST',
  path: 'group-classes',
  title: '添加团课班级或一对一',
  needs,
  body: NewLessonClass,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const editLessonClass = adminCall({
  method: 'PUT',
  path: 'group-classes/:id',
  title: '修改团课班级或一对一',
  needs,
  body: EditedLessonClass,
  answer: v.null(),
  message: '保存成功',
});

/** Ends a class. `acknowledged`: the `end_effect` of the record, if any. */
export const endLessonClass = adminCall({
  method: 'POST',
  path: 'group-classes/:id/end',
  title: '结束团课班级或一对一',
  needs,
  body: v.object({ acknowledged: TypedText }),
  answer: v.null(),
  message: '班级已结束',
});

export const reopenLessonClass = adminCall({
  method: 'POST',
  path: 'group-classes/:id/reopen',
  title: '恢复团课班级或一对一',
  needs,
  answer: v.null(),
  message: '班级已恢复',
});

// ---- contracts --------------------------------------------------------------------------------------

/** The contract of a class member. `id`: of the membership. `contracts_number`: '' if there is no contract. */
export const ContractRow = v.object({
  id: v.number(),
  student_id: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  joined_at: Seconds,
  /** When the student left; 0 while present. */
  left_at: Seconds,
  contracts_number: v.string(),
  sign_type: v.picklist(signTypes),
  remaining_lessons: v.number(),
  /** Yuan per lesson, at most two decimals. */
  periods_price: v.number(),
  lesson_minutes: v.number(),
  /** Number of lessons of this class that the student attended. */
  lessons_attended: v.number(),
  seen: v.string(),
});
export type ContractRow = v.InferOutput<typeof ContractRow>;

export const listContracts = adminCall({
  method: 'GET',
  path: 'group-classes/:id/contracts',
  title: '学员的合同与课时',
  needs,
  query: v.object(paging()),
  answer: page(ContractRow),
});

export const showContract = adminCall({
  method: 'GET',
  path: 'group-classes/:id/contracts/:memberId',
  title: '学员的合同',
  needs,
  answer: ContractRow,
});

export const EditedMemberContract = v.object({
  contracts_number: TypedText,
  sign_type: searchOneOf(signTypes),
  remaining_lessons: TypedText,
  periods_price: TypedText,
  lesson_minutes: TypedText,
  seen: TypedText,
});
export type EditedMemberContract = v.InferOutput<typeof EditedMemberContract>;

/** Schema of a whole number up to `most`, typed as text. */
const wholeNumberUpTo = (most: number, message: string) =>
  v.pipe(v.string(), v.trim(), v.regex(/^\d{0,6}$/, message), v.transform(Number), v.maxValue(most, message));

export const CompleteContract = v.object({
  contracts_number: v.pipe(
    OneLine,
    v.nonEmpty(teamMessages.noNumber),
    v.check((number) => lengthOf(number) <= contractNumberLimit, teamMessages.numberLength),
  ),
  sign_type: v.optional(v.picklist(signTypes), 1),
  remaining_lessons: wholeNumberUpTo(contractLimits.lessons, teamMessages.lessons),
  periods_price: v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^(?:\d{1,6}(?:\.\d{1,2})?)?$/, teamMessages.price),
    v.transform(Number),
    v.maxValue(contractLimits.price, teamMessages.price),
  ),
  lesson_minutes: wholeNumberUpTo(contractLimits.minutes, teamMessages.minutes),
});

/** Edits the contract of a member; creates it if there is none. */
export const editContract = adminCall({
  method: 'PUT',
  path: 'group-classes/:id/contracts/:memberId',
  title: '填写学员的合同',
  needs,
  body: EditedMemberContract,
  answer: v.null(),
  message: '保存成功',
});

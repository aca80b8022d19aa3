/**
 * Calls for the analysis of homework.
 *
 * Scores are points with one decimal (two in rated homework). Every `…_rate` is a whole percentage, cut off instead of
 * rounded, except `average_right_rate`, which is a fraction. Times are unix seconds. Stems, options, answers and
 * analyses are safe HTML with formulas as MathML; `stem_text` is the stem as plain text on one line.
 */
import * as v from 'valibot';
import {
  FlagNumber,
  IdAndName,
  maxId,
  page,
  paging,
  RefusalPreview,
  SearchId,
  SearchIds,
  SearchSeconds,
  SearchText,
  Seconds,
  searchOneOf,
} from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';

/** Status of a report: 1 not submitted, 2 waiting for grading, 3 graded. */
export const reportStatuses = [1, 2, 3] as const;
export const ReportStatus = v.picklist(reportStatuses);
/** Question types 1 to 7 (see `questionTypeNames`). */
export const QuestionType = v.picklist([1, 2, 3, 4, 5, 6, 7]);
/** Question types that students answer. A material question (6) has parts instead. */
export const AnsweredType = v.picklist([1, 2, 3, 4, 5, 7]);
export const ScoreMode = v.picklist([1, 2]);

/** Whole percentage, cut off instead of rounded. */
export const Percent = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100));
export const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

const digits = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.regex(/^\d{1,16}$/),
  v.transform(Number),
  v.maxValue(maxId),
);

/** A required id in a query. An invalid value becomes 0, an id that no record has. */
export const IdInQuery = v.fallback(v.optional(digits, 0), 0);

/** An optional id: undefined if it is missing or 0. An invalid value becomes -1, an id that no record has. */
const OptionalId = v.optional(
  v.fallback(
    v.pipe(
      v.union([v.literal(''), digits]),
      v.transform((id) => id || undefined),
    ),
    -1,
  ),
);
/** The selected class; undefined for all classes. */
export const ScopeClass = OptionalId;

export const inScope = { params: { classId: ScopeClass } };

// ---- submission details ------------------------------------------------------------------------

/** Time and sender of the latest reminder; null if there was none. */
const reminded = { reminded_at: v.nullable(Seconds), reminded_by: v.nullable(v.string()) };

/** A report in the list of submissions. `updated_at`: time of submission, 0 before. */
export const SubmissionRow = v.object({
  id: v.number(),
  report_id: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  class_name: v.string(),
  status: ReportStatus,
  updated_at: v.union([v.literal(0), Seconds]),
  ...reminded,
});
export type SubmissionRow = v.InferOutput<typeof SubmissionRow>;

export const SubmissionFilter = v.object({
  nickname: SearchText,
  mobile: SearchText,
  status: searchOneOf(reportStatuses),
  ...paging(10),
});
export type SubmissionFilter = v.InferOutput<typeof SubmissionFilter>;

/** Filters for homework of a scheduled lesson. `start_at` and `end_at`: first and last second, in unix seconds. */
export const ArrangedSubmissionFilter = v.object({
  nickname: SearchText,
  class_name: SearchText,
  status: searchOneOf(reportStatuses),
  start_at: SearchSeconds,
  end_at: SearchSeconds,
  ...paging(10),
});
export type ArrangedSubmissionFilter = v.InferOutput<typeof ArrangedSubmissionFilter>;

export const homeworkSubmissions = call({
  method: 'GET',
  path: 'homework/students/:hwId',
  title: '作业提交详情',
  query: SubmissionFilter,
  answer: page(SubmissionRow),
});

export const classSubmissions = call({
  method: 'GET',
  path: 'class/homework/students/:classId/:hwId',
  title: '班级作业提交详情',
  ...inScope,
  query: v.object({ ...SubmissionFilter.entries, source: v.optional(v.unknown()) }),
  answer: page(SubmissionRow),
});

export const arrangedSubmissions = call({
  method: 'GET',
  path: 'arrangeHomework/homework/students/:hwId',
  title: '课次作业提交详情',
  query: ArrangedSubmissionFilter,
  answer: page(SubmissionRow),
});

/** A current member of the class, with the homework that the student did not submit. */
export const AbsentStudent = v.object({
  id: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  homework: v.array(IdAndName),
});
export type AbsentStudent = v.InferOutput<typeof AbsentStudent>;

export const absentStudents = call({
  method: 'GET',
  path: 'class/homework/absent/:classId',
  title: '最近三次作业均未提交的学员',
  answer: v.array(AbsentStudent),
});

// ---- reminders ---------------------------------------------------------------------------------

const Remindee = v.object({ id: v.number(), nickname: v.string(), class_name: v.string(), ...reminded });
/** The first few students, and the number of all. */
const Remindees = v.object({ total: Count, list: v.array(Remindee) });

/**
 * Plan of a reminder to students who have not submitted. `ready`: students who get a message. `recent`: students who
 * got one within the last 12 hours. `unreachable`: students without a mobile number. `content`: the message to the
 * first student; each message addresses its student by name. `student_id`: limits the plan to one student.
 */
export const ReminderPlan = v.object({
  homework_id: v.number(),
  homework_name: v.string(),
  ending_time: Seconds,
  content: v.string(),
  refusal: RefusalPreview,
  ready: Remindees,
  recent: Remindees,
  unreachable: Remindees,
});
export type ReminderPlan = v.InferOutput<typeof ReminderPlan>;

export const reminderPlan = call({
  method: 'GET',
  path: 'homework/reminder/:hwId/:classId?',
  title: '催交预览',
  ...inScope,
  query: v.object({ student_id: SearchId }),
  answer: ReminderPlan,
});

/** Sends a text message to students who have not submitted: to all of them, or to the given ones. */
export const sendReminders = call({
  method: 'POST',
  path: 'homework/reminder/:hwId/:classId?',
  title: '催交',
  ...inScope,
  body: v.object({ student_ids: v.optional(SearchIds) }),
  answer: v.object({ sent: Count, recent: Count, unreachable: Count }),
});

// ---- header ------------------------------------------------------------------------------------

const TypeSummary = v.object({ count: Count, score: v.number(), item_count: Count });

/**
 * Header of a homework. `total` is the number of expected, `submit` of submitted, `revise` of graded reports in the
 * selected classes; all are 0 for recalled homework, whose reports are no longer shown. `scores` has the question types
 * 1 to 7; `item_count` of a material question is the number of its parts. `question_num` and `score` cover the whole
 * homework.
 */
const headerFields = {
  id: v.number(),
  homework_name: v.string(),
  status: v.picklist([1, 2]),
  ending_time: Seconds,
  publish_time: Seconds,
  creator: v.string(),
  creator_type: v.picklist([1, 2]),
  is_owner: FlagNumber,
  type: v.picklist([1, 2]),
  course: v.string(),
  period: v.string(),
  remark: v.string(),
  class_name: v.string(),
  class: v.array(IdAndName),
  total: Count,
  submit: Count,
  revise: Count,
  submit_rate: Percent,
  revise_rate: Percent,
  is_set_score: ScoreMode,
  question_num: Count,
  score: v.number(),
  scores: v.record(v.string(), TypeSummary),
};
export const HomeworkHeader = v.object(headerFields);
export type HomeworkHeader = v.InferOutput<typeof HomeworkHeader>;

/**
 * Summary of one student's report. `finish_rate`: share of answered questions; `approved_rate`: share of graded
 * answers.
 */
export const ReportSummary = v.object({
  homework_name: v.string(),
  status: ReportStatus,
  is_set_score: ScoreMode,
  finish_rate: Percent,
  approved_rate: Percent,
  user: v.string(),
  mobile: v.string(),
  teacher: v.string(),
  assistant: v.string(),
  teacher_mobile: v.string(),
  assistant_mobile: v.string(),
  created_at: Seconds,
  end_time: Seconds,
  objective_amount: Count,
  subjective_amount: Count,
  score: v.number(),
  homework_introduce: v.string(),
});
export type ReportSummary = v.InferOutput<typeof ReportSummary>;

/** Returns the header of the homework over all classes; with `report_id` a summary of the report instead. */
export const homeworkHeader = call({
  method: 'GET',
  path: 'homework/:hwId',
  title: '作业详情',
  query: v.object({ class_id: ScopeClass, report_id: OptionalId }),
  answer: v.union([HomeworkHeader, ReportSummary]),
});

export const classHomeworkHeader = call({
  method: 'GET',
  path: 'class/homework/detail/:classId/:hwId',
  title: '班级作业详情',
  ...inScope,
  answer: HomeworkHeader,
});

/** The scheduled lesson of a homework. `session_id` is null if the lesson is not the caller's. */
export const ArrangeData = v.object({
  session_id: v.nullable(v.number()),
  name: v.string(),
  classify_name: v.string(),
  grade_name: v.string(),
  subject_name: v.string(),
  arrange_time: Seconds,
  time_name: v.string(),
});
export type ArrangeData = v.InferOutput<typeof ArrangeData>;

export const arrangedHomeworkHeader = call({
  method: 'GET',
  path: 'arrangeHomework/homework/:hwId',
  title: '课次作业详情',
  answer: v.object({ ...headerFields, arrangeData: v.nullable(ArrangeData) }),
});

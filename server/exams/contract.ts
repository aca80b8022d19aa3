/**
 * Calls of lecturers and assistants for exams.
 *
 * Scores are points with at most one decimal. `…_percent` and `…_rate` are percentages with one decimal; both are
 * truncated from exact sums, averages are rounded to a tenth. Times are unix seconds, durations seconds. Statistics use
 * exam type codes (`examTypeName`), the paper preview canonical ones. HTML is safe to display.
 */
import * as v from 'valibot';
import {
  IdAndName,
  page,
  paging,
  SearchCount,
  SearchFlag,
  SearchId,
  SearchSeconds,
  SearchText,
  Seconds,
  searchOneOf,
} from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { passStatuses, publishStatuses, testStatuses } from './rules.ts';

export const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** Points. In calls, null means not applicable. */
export const Score = v.pipe(v.number(), v.minValue(0));
/** Percentage with one decimal. */
export const Percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
export const School = v.object({ id: v.number(), org_name: v.string() });
export type School = v.InferOutput<typeof School>;
export const flagValues = [0, 1] as const;

// ---- the list ----------------------------------------------------------------------------------

export const ExamFilter = v.object({
  name: SearchText,
  /** A category; its subcategories are included. */
  classify_id: SearchId,
  school_id: SearchId,
  status: searchOneOf(publishStatuses),
  /** Exams given to this class, alone or with its whole school. */
  class_id: SearchId,
  /** Name of the creator. */
  nickname: SearchText,
  /** Minimum full score of the paper, in points. */
  min_score: SearchCount,
  /** 1: only exams with ungraded submissions. */
  waiting: SearchFlag,
  ...paging(),
});
export type ExamFilter = v.InferOutput<typeof ExamFilter>;

export const ExamRow = v.object({
  id: v.number(),
  name: v.string(),
  /** Name of the exam's category. */
  title: v.string(),
  score: Score,
  status: v.picklist(publishStatuses),
  /** Other schools that the exam is shared with. */
  share_school_name: v.array(v.object({ org_name: v.string() })),
  /** Names of the classes that the exam is given to; empty: whole schools. */
  class_names: v.array(v.string()),
  /** Name of the exam's creator. */
  nickname: v.string(),
  school_name: v.string(),
  /** Number of submissions that the user sees, and of ungraded ones among them. */
  submitted: Count,
  waiting: Count,
});
export type ExamRow = v.InferOutput<typeof ExamRow>;

/** Lists exams. `extra.school_list`: schools of all visible exams. `extra.class_list`: the user's classes. */
export const listExams = call({
  method: 'GET',
  path: 'test/list',
  title: '考试列表',
  query: ExamFilter,
  answer: page(ExamRow),
});
/** Empty by default, because the API of another school may leave it out. */
export const ExamListExtra = v.fallback(
  v.object({ school_list: v.array(School), class_list: v.optional(v.array(IdAndName), []) }),
  { school_list: [], class_list: [] },
);
export type ExamListExtra = v.InferOutput<typeof ExamListExtra>;

/** Suggests names of the latest visible exams for the filter. */
export const examNames = call({
  method: 'GET',
  path: 'test/names',
  title: '考试筛选的候选名称',
  answer: v.object({ names: v.array(v.string()), creators: v.array(v.string()) }),
});

export interface ExamCategory {
  id: number;
  name: string;
  children: ExamCategory[];
}
export const ExamCategory: v.GenericSchema<ExamCategory> = v.object({
  id: v.number(),
  name: v.string(),
  children: v.array(v.lazy(() => ExamCategory)),
});

export const examCategories = call({
  method: 'GET',
  path: { teacher: 'teacher/testClassify', assist: 'testClassify' },
  title: '考试分类',
  answer: v.array(ExamCategory),
});

// ---- one exam ----------------------------------------------------------------------------------

export const ExamInfo = v.object({
  id: v.number(),
  name: v.string(),
  introduce: v.string(),
  title: v.string(),
  score: Score,
  pass_score: Score,
  /** Time limit in seconds; 0: none. */
  limit_time: Count,
  ques_num: Count,
  status: v.picklist(publishStatuses),
  school_name: v.string(),
  /** Number of students with a report that the user sees. */
  answer_users_num: Count,
});
export type ExamInfo = v.InferOutput<typeof ExamInfo>;

export const examInfo = call({
  method: 'GET',
  path: 'testDetail/getTestInfo/:id',
  title: '考试信息',
  answer: ExamInfo,
});

export const ExamReportFilter = v.object({
  /** Name of the student. */
  username: SearchText,
  mobile: SearchText,
  test_status: searchOneOf(testStatuses),
  pass_status: searchOneOf(passStatuses),
  /** Earliest and latest time of submission, both inclusive. */
  start_at: SearchSeconds,
  end_at: SearchSeconds,
  /** 1: only the effective submission of each student (`is_effective`), chosen before all other filters apply. */
  filter: SearchFlag,
  school_id: SearchId,
  ...paging(),
});
export type ExamReportFilter = v.InferOutput<typeof ExamReportFilter>;

export const reportFields = {
  report_id: v.number(),
  nickname: v.string(),
  /** Full score of the exam. */
  score: Score,
  /** Score so far; ungraded answers count as 0. */
  user_score: Score,
  objective_score: Score,
  /** Null if the exam has no subjective questions. */
  subjective_score: v.nullable(Score),
  answer_time: Count,
  submit_time: Seconds,
  is_pass: v.picklist([0, ...passStatuses]),
  test_status: v.picklist(testStatuses),
  school_name: v.string(),
};

export const ExamReportRow = v.object({ ...reportFields, mobile: v.string() });
export type ExamReportRow = v.InferOutput<typeof ExamReportRow>;

/** Lists submissions, latest first. `extra.user_school_list`: schools of the students whom the user sees. */
export const examReports = call({
  method: 'GET',
  path: 'testDetail/list/:id',
  title: '考试答卷列表',
  query: ExamReportFilter,
  answer: page(ExamReportRow),
});
export const ExamReportsExtra = v.fallback(v.object({ user_school_list: v.array(School) }), { user_school_list: [] });
export type ExamReportsExtra = v.InferOutput<typeof ExamReportsExtra>;

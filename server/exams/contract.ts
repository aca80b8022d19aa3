/**
 * Exams.
 *
 * Scores are points with at most one decimal, `…_percent` and `…_rate` percentages with one decimal, both truncated
 * from exact sums; averages are rounded to a tenth. Times are unix seconds, durations seconds. Statistics carry types
 * of questions in the exam reading (`examTypeName`), the paper preview in the canonical code. HTML is safe to show.
 */
import * as v from 'valibot';
import {
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
/** Points; null where there is nothing to say. */
export const Score = v.pipe(v.number(), v.minValue(0));
/** Percent with one decimal. */
export const Percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
export const School = v.object({ id: v.number(), org_name: v.string() });
export type School = v.InferOutput<typeof School>;
export const flags = [0, 1] as const;

// ---- the list ----------------------------------------------------------------------------------

export const ExamFilter = v.object({
  name: SearchText,
  /** With everything below it in the tree. */
  classify_id: SearchId,
  school_id: SearchId,
  status: searchOneOf(publishStatuses),
  /** The creator. */
  nickname: SearchText,
  /** Points of the whole paper at least. */
  min_score: SearchCount,
  /** 1: only those of which papers wait for correction. */
  waiting: SearchFlag,
  ...paging(),
});
export type ExamFilter = v.InferOutput<typeof ExamFilter>;

export const ExamRow = v.object({
  id: v.number(),
  name: v.string(),
  /** Its category. */
  title: v.string(),
  score: Score,
  status: v.picklist(publishStatuses),
  /** Further schools that it is shared with. */
  share_school_name: v.array(v.object({ org_name: v.string() })),
  /** The creator. */
  nickname: v.string(),
  school_name: v.string(),
  /** Papers that the caller sees, and those of them that wait for correction. */
  submitted: Count,
  waiting: Count,
});
export type ExamRow = v.InferOutput<typeof ExamRow>;

/** `extra.school_list`: the schools of all exams that the caller sees. */
export const listExams = call({
  method: 'GET',
  path: 'test/list',
  title: '考试列表',
  query: ExamFilter,
  answer: page(ExamRow),
});
/** Beside the list; another school's API may leave it out. */
export const ExamListExtra = v.fallback(v.object({ school_list: v.array(School) }), { school_list: [] });
export type ExamListExtra = v.InferOutput<typeof ExamListExtra>;

/** What the filters of exams may be filled with: names of the latest exams that the caller sees. */
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
  /** Seconds, 0 without limit. */
  limit_time: Count,
  ques_num: Count,
  status: v.picklist(publishStatuses),
  school_name: v.string(),
  /** Students with a report that the caller sees. */
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
  /** The student. */
  username: SearchText,
  mobile: SearchText,
  test_status: searchOneOf(testStatuses),
  pass_status: searchOneOf(passStatuses),
  /** Of handing in, both included. */
  start_at: SearchSeconds,
  end_at: SearchSeconds,
  /** 1: of each student only the submission that counts (`is_effective`), before any other filter. */
  filter: SearchFlag,
  school_id: SearchId,
  ...paging(),
});
export type ExamReportFilter = v.InferOutput<typeof ExamReportFilter>;

export const reportFields = {
  report_id: v.number(),
  nickname: v.string(),
  /** Full marks of the exam. */
  score: Score,
  /** What is earned so far: of a waiting report without the answers that wait. */
  user_score: Score,
  objective_score: Score,
  /** Null where the exam asks no subjective question. */
  subjective_score: v.nullable(Score),
  answer_time: Count,
  submit_time: Seconds,
  is_pass: v.picklist([0, ...passStatuses]),
  test_status: v.picklist(testStatuses),
  school_name: v.string(),
};

export const ExamReportRow = v.object({ ...reportFields, mobile: v.string() });
export type ExamReportRow = v.InferOutput<typeof ExamReportRow>;

/** Submissions, the latest first. `extra.user_school_list`: the schools whose students the caller sees here. */
export const examReports = call({
  method: 'GET',
  path: 'testDetail/list/:id',
  title: '考试答卷列表',
  query: ExamReportFilter,
  answer: page(ExamReportRow),
});
export const ExamReportsExtra = v.fallback(v.object({ user_school_list: v.array(School) }), { user_school_list: [] });
export type ExamReportsExtra = v.InferOutput<typeof ExamReportsExtra>;

/** Transcripts, grade distribution, and the figures of one student. */
import * as v from 'valibot';
import { page, paging, SearchSeconds, SearchText, Seconds, searchOneOf } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { AnsweredType, Count, inScope, Percent, ReportStatus, reportStatuses, ScoreMode } from './contract.ts';

// ---- transcript --------------------------------------------------------------------------------

export const TranscriptFilter = v.object({
  nickname: SearchText,
  status: searchOneOf(reportStatuses),
  start_at: SearchSeconds,
  end_at: SearchSeconds,
  ...paging(),
});
export type TranscriptFilter = v.InferOutput<typeof TranscriptFilter>;

/**
 * Compares the student's rate with the average of up to five graded homework before it. `change` in percentage points;
 * null if either rate is unknown.
 */
const change = { earlier_count: Count, earlier_rate: v.nullable(Percent), change: v.nullable(v.number()) };

/**
 * A row of the transcript. `id` is the id of the report. Computed fields are null unless the report is graded.
 * `answer_time` is in seconds; rates are shares of the full score.
 */
export const TranscriptRow = v.object({
  id: v.number(),
  student_id: v.number(),
  nickname: v.string(),
  /** The student number, else the last four digits of the mobile number. */
  identifier: v.string(),
  class_name: v.string(),
  status: ReportStatus,
  answer_time: v.nullable(Count),
  rank: v.nullable(Count),
  user_score: v.nullable(v.number()),
  objective_score: v.nullable(v.number()),
  subjective_score: v.nullable(v.number()),
  user_rate: v.nullable(Percent),
  objective_rate: v.nullable(Percent),
  subjective_rate: v.nullable(Percent),
  ...change,
  updated_at: v.union([v.literal(0), Seconds]),
});
export type TranscriptRow = v.InferOutput<typeof TranscriptRow>;

export const transcripts = call({
  method: 'GET',
  path: 'homework/transcripts/:hwId/:classId?',
  title: '成绩单',
  fromReplica: true,
  ...inScope,
  query: TranscriptFilter,
  answer: page(TranscriptRow),
});

/** Counts and full scores of the homework. `average_answer_time`: seconds, over `submitted` reports. */
export const TranscriptSummary = v.object({
  total: Count,
  score: v.number(),
  object_count: Count,
  object_score: v.number(),
  subject_count: Count,
  subject_score: v.number(),
  average_answer_time: Count,
  submitted: Count,
});
export type TranscriptSummary = v.InferOutput<typeof TranscriptSummary>;

export const transcriptSummary = call({
  method: 'GET',
  path: 'homework/transcripts/detail/:hwId/:classId?',
  title: '成绩单汇总',
  fromReplica: true,
  ...inScope,
  answer: TranscriptSummary,
});

/**
 * Address of a file, which works for an hour and only for the user who requested it. While the file is being made, the
 * address answers the progress.
 */
export const FileAddress = v.object({ url: v.string() });

export const exportTranscripts = call({
  method: 'GET',
  path: 'homework/export/transcripts/:hwId/:classId?',
  title: '导出成绩单',
  fromReplica: true,
  ...inScope,
  query: TranscriptFilter,
  answer: FileAddress,
});

// ---- grade distribution ------------------------------------------------------------------------

/**
 * A score band: scores above `min`, up to and including `max`. The band 60 begins with 0; the band 0 stands for
 * students who have not submitted. Exact bounds are in points, or percent in rated homework; they can be sent back to
 * list the students of the band.
 */
const bandId = v.picklist([90, 80, 70, 60, 0, 100]);
const GradeBand = v.object({
  id: bandId,
  /** The exact bounds, cut off to whole points or percent. */
  min: v.number(),
  max: v.number(),
  /** Exact bounds with at most two decimals. */
  exact_min: v.number(),
  exact_max: v.number(),
  number: Count,
  correct_rate: Percent,
});
export type GradeBand = v.InferOutput<typeof GradeBand>;

/**
 * Figures over `graded` reports; `total` counts expected students. Scores are null without graded reports.
 * `grade_distribution`: five score bands from highest to lowest, then “not submitted”.
 */
export const DistributionSummary = v.object({
  correct_rate: Percent,
  score: v.number(),
  average_score: v.nullable(v.number()),
  max_score: v.nullable(v.number()),
  min_score: v.nullable(v.number()),
  max_rate: v.nullable(Percent),
  min_rate: v.nullable(Percent),
  question_num: Count,
  total: Count,
  submitted: Count,
  graded: Count,
  is_set_score: ScoreMode,
  grade_distribution: v.array(GradeBand),
});
export type DistributionSummary = v.InferOutput<typeof DistributionSummary>;

export const gradeDistribution = call({
  method: 'GET',
  path: 'homework/grade/distribution/:hwId/:classId?',
  title: '成绩分布',
  fromReplica: true,
  ...inScope,
  answer: DistributionSummary,
});

/** Parses a bound with at most two decimals; the result is in hundredths. */
const Hundredths = v.fallback(
  v.optional(
    v.pipe(
      v.union([v.string(), v.number()]),
      v.transform(String),
      v.regex(/^\d{1,8}(\.\d{1,2})?$/),
      v.transform((text) => Math.round(Number(text) * 100)),
    ),
  ),
  undefined,
);

const DistributionStudent = v.object({
  report_id: v.number(),
  student_id: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  class_name: v.string(),
  correct_rate: Percent,
  score: v.number(),
});
export type DistributionStudent = v.InferOutput<typeof DistributionStudent>;

/**
 * Bounds of a list of students. `band` selects a band by its id instead, because with small scores several bands have
 * the same whole bounds.
 */
const Bounds = v.object({
  min: Hundredths,
  max: Hundredths,
  band: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), bandId)), undefined),
});

/**
 * Lists graded students with scores above `min`, up to `max`, best first. A `min` of 0 includes 0. With both 0, lists
 * the students who have not submitted. Whole bounds of a band select the students within its exact bounds.
 */
export const distributionStudents = call({
  method: 'GET',
  path: 'homework/grade/distribution/students/:hwId/:classId?',
  title: '成绩分布学员明细',
  fromReplica: true,
  ...inScope,
  query: Bounds,
  answer: v.array(DistributionStudent),
});

export const exportDistributionStudents = call({
  method: 'GET',
  path: 'homework/export/grade/distribution/students/:hwId/:classId?',
  title: '导出成绩分布学员明细',
  fromReplica: true,
  ...inScope,
  query: Bounds,
  answer: FileAddress,
});

// ---- one student -------------------------------------------------------------------------------

const StudentTypeRow = v.object({
  ques_type: AnsweredType,
  name: v.string(),
  right_amount: Count,
  total: Count,
  total_score: v.number(),
  right_score: v.number(),
  /** Score in percent of the full score of the type. */
  right_rate: Percent,
});
export type StudentTypeRow = v.InferOutput<typeof StudentTypeRow>;

export const studentHomework = call({
  method: 'GET',
  path: 'student/homework/:reportId',
  looks: true,
  title: '学员作业题型统计',
  answer: v.object({
    report_id: v.number(),
    homework_id: v.number(),
    status: ReportStatus,
    ques_type_list: v.array(StudentTypeRow),
  }),
});

/**
 * A graded homework of the student: score in percent of the full score, and rank among the graded reports that the
 * caller sees.
 */
const ProgressPoint = v.object({
  report_id: v.number(),
  homework_id: v.number(),
  homework_name: v.string(),
  publish_time: Seconds,
  rate: Percent,
  rank: Count,
  of: Count,
});
export type ProgressPoint = v.InferOutput<typeof ProgressPoint>;

/** The report (null until graded), and up to five graded reports before it, earliest first. */
export const StudentProgress = v.object({
  current: v.nullable(ProgressPoint),
  earlier: v.array(ProgressPoint),
  ...change,
});
export type StudentProgress = v.InferOutput<typeof StudentProgress>;

export const studentProgress = call({
  method: 'GET',
  path: 'student/homework/progress/:reportId',
  looks: true,
  title: '学员作业进步情况',
  answer: StudentProgress,
});

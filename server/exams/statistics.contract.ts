/** Calls for statistics of an exam, of its students and of its questions. */
import * as v from 'valibot';
import {
  FlagNumber,
  maxId,
  page,
  paging,
  SearchId,
  SearchText,
  Seconds,
  SortDirection,
  searchOneOf,
  searchWord,
} from '#server/platform/calls/fields.ts';
import { questionTypes } from '#server/questions/rules.ts';
import { call } from '#server/school/call.ts';
import { Count, flagValues, Percent, reportFields, School, Score } from './contract.ts';
import { passStatuses, testStatuses } from './rules.ts';

/**
 * Figures of the graded reports, except `answer_users_num` and `average_answer_time`, which cover all reports. Null
 * without reports.
 */
export const ExamStatistics = v.object({
  average_right_percent: Percent,
  average_score: v.nullable(Score),
  max_score: v.nullable(Score),
  min_score: v.nullable(Score),
  average_answer_time: v.nullable(Count),
  /** Number of students who submitted. */
  answer_users_num: Count,
  /** Number of all reports, and of graded ones; a student may have several. */
  submitted_nums: Count,
  graded_nums: Count,
  /** Number of graded reports that passed. */
  pass_nums: Count,
  /** Number of students with a graded report, and number of these students whose effective submission passed. */
  ranked_users_num: Count,
  pass_users_num: Count,
  /** Share of students who passed, not of reports. */
  pass_percent: Percent,
});
export type ExamStatistics = v.InferOutput<typeof ExamStatistics>;

/**
 * Number of graded reports in each tenth of the full score, lowest first. A tenth excludes its lower bound and includes
 * its upper one; the first also includes 0. `percent`: share of all graded reports. Empty if the exam has no scores.
 */
export const ExamCharts = v.object({
  /** Bounds of a tenth in points, such as `0-10`. */
  scoreSteps: v.array(v.string()),
  userNums: v.array(Count),
  percent: v.array(Percent),
});
export type ExamCharts = v.InferOutput<typeof ExamCharts>;

export const examStatistics = call({
  method: 'GET',
  path: 'test/getInfo/:id',
  title: '考试成绩统计',
  fromReplica: true,
  answer: v.object({ statistics: ExamStatistics, charts_data: ExamCharts }),
});

export const studentSortFields = [
  'ranking',
  'user_score',
  'subjective_score',
  'answer_time',
  'submit_time',
  'answer_nums',
] as const;

const studentFilter = {
  /** An invalid id becomes 0, which no exam has, so that the call answers 404. */
  test_id: v.fallback(
    v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.integer(), v.minValue(1), v.maxValue(maxId)),
    0,
  ),
  nickname: SearchText,
  is_pass: searchOneOf(passStatuses),
  test_status: searchOneOf(testStatuses),
  school_id: SearchId,
  is_effective: searchOneOf(flagValues),
  sort_field: searchWord(studentSortFields),
  sort: SortDirection,
  is_finish_conditions: searchOneOf(flagValues),
};
export const ExamStudentFilter = v.object({ ...studentFilter, ...paging() });
export type ExamStudentFilter = v.InferOutput<typeof ExamStudentFilter>;

export const ExamStudentRow = v.object({
  ...reportFields,
  /** The student's number, or else the last four digits of the mobile number. */
  identifier: v.string(),
  /**
   * Rank among the exam's students. Null while ungraded, if another submission of the student is effective, or if the
   * exam has no scores.
   */
  ranking: v.nullable(Count),
  /** 1: every question was answered, within the time limit. */
  is_finish_conditions: FlagNumber,
  /** Number of submissions of this exam by the student. */
  answer_nums: Count,
  /**
   * 1: the student's effective submission, which is the graded one with the highest score, or the last one while none
   * is graded.
   */
  is_effective: FlagNumber,
});
export type ExamStudentRow = v.InferOutput<typeof ExamStudentRow>;

/** Lists the submissions with ranks, by default in order of rank. */
export const examStudents = call({
  method: 'POST',
  reads: true,
  path: 'test/studentStatistics',
  title: '考试学员统计',
  fromReplica: true,
  body: ExamStudentFilter,
  answer: page(ExamStudentRow),
});

/** Exports every row of `examStudents` with these filters as a spreadsheet. */
export const exportExamStudents = call({
  method: 'POST',
  reads: true,
  path: 'test/export',
  title: '导出考试学员统计',
  fromReplica: true,
  body: v.object(studentFilter),
  answer: v.object({ url: v.string() }),
});
export type ExamExportFilter = Omit<ExamStudentFilter, 'page' | 'limit'>;

/** Lists the schools with visible reports in any exam, and always the user's own school. */
export const examSchools = call({
  method: 'GET',
  path: 'test/getSchoolInfo',
  title: '考试统计的学校',
  fromReplica: true,
  answer: v.array(School),
});

/** Exam type code. */
const ExamQuestionType = v.picklist(questionTypes);

export const ExamQuestionRow = v.object({
  question_id: v.number(),
  /** `3`, or `3.1` for a part of a material question. */
  sort: v.string(),
  parent_id: v.nullable(v.number()),
  /** Stem of the material question that a part belongs to; null for other questions. */
  parent_ques_stem: v.nullable(v.string()),
  ques_stem: v.string(),
  /** Exam type code; `is_matching` 1: a matching question, which also has type 4. */
  type: ExamQuestionType,
  is_matching: FlagNumber,
  answered_count: Count,
  un_answer_count: Count,
  right_count: Count,
  wrong_count: Count,
  /** Number of answers without a mark. All other figures cover graded reports. */
  waiting_count: Count,
  /** Share of `score` that students got on average. Unanswered questions count as 0; 0 if the question has no score. */
  right_rate: Percent,
  score: Score,
  average_score: v.nullable(Score),
  /** Letter of the wrong option (or pair) chosen most; `/` if nobody chose one. */
  wrong_option: v.string(),
});
export type ExamQuestionRow = v.InferOutput<typeof ExamQuestionRow>;

/**
 * A column of the table by question type. `key`: `item` names the row, `total` is the sum, `type_1` and so on are exam
 * type codes.
 */
const TypeHeader = v.object({
  key: v.string(),
  title: v.string(),
  type: v.nullable(ExamQuestionType),
});

/** Statistics of the exam's questions. `table_body`: one row per figure, with the keys of the header. */
export const examQuestionStatistics = call({
  method: 'GET',
  path: 'test/questionStatistics/:id',
  title: '考试题目统计',
  fromReplica: true,
  answer: v.object({
    table_header: v.array(TypeHeader),
    table_body: v.array(v.record(v.string(), v.union([v.string(), v.number()]))),
    list: v.array(ExamQuestionRow),
  }),
});

/**
 * Groups of answers without full marks; `part`: partly right. Together with right answers these groups add up to the
 * number of graded reports, except `waiting`, which are answers of ungraded reports.
 */
export const examAnswerGroups = ['part', 'wrong', 'unanswered', 'waiting'] as const;
export type ExamAnswerGroup = (typeof examAnswerGroups)[number];

/** A submission. A student with several counted submissions appears once for each. */
export const ExamAnswerRow = v.object({
  report_id: v.number(),
  student_id: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  school_name: v.string(),
  submit_time: Seconds,
  /** Score of this question; null while the answer waits for a grader. */
  score: v.nullable(Score),
});
export type ExamAnswerRow = v.InferOutput<typeof ExamAnswerRow>;

const group = v.picklist(examAnswerGroups);

/** `number`: number of the question, such as `3` or `3.1`. */
export const ExamAnswersExtra = v.fallback(v.object({ number: v.string() }), { number: '' });
export type ExamAnswersExtra = v.InferOutput<typeof ExamAnswersExtra>;

/**
 * Lists the submissions that a figure of `examQuestionStatistics` counts, by school. `extra.number`: number of the
 * question.
 */
export const examAnswerStudents = call({
  method: 'GET',
  path: 'test/answerStudents/:id/:questionId',
  title: '考试答题学员',
  fromReplica: true,
  query: v.object({ group, ...paging(100) }),
  answer: page(ExamAnswerRow),
});

/** Exports every row of `examAnswerStudents` as a spreadsheet. */
export const exportExamAnswerStudents = call({
  method: 'GET',
  path: 'test/export/answerStudents/:id/:questionId',
  title: '导出考试答题学员',
  fromReplica: true,
  query: v.object({ group }),
  answer: v.object({ url: v.string() }),
});

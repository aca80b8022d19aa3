import * as v from 'valibot';
import { Seconds } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { answeredQuestion, CardItem, CourseArrange, HistoryEntry, ScoreMode } from './answer.contract.ts';

const ReportQuestion = v.object({
  ...answeredQuestion,
  /** Addresses of the student's pictures as submitted, at most 9. */
  imgs: v.array(v.string()),
  /**
   * Average rate of the submitted reports in the scope (all classes, or one class). The percentage is whole; decimals
   * are cut off.
   */
  average_right_rate: v.number(),
  average_right_percent: v.number(),
  right_count: v.number(),
  wrong_count: v.number(),
  answered_count: v.number(),
  /** Number of ungraded answers, which the average rate leaves out. */
  waiting_count: v.number(),
  un_answer_count: v.number(),
});
export type ReportQuestion = v.InferOutput<typeof ReportQuestion>;

/**
 * A student's report with averages. Scores and rates as in `ReportInfo`. Averages and the highest score cover the
 * graded reports of all classes, or of one class.
 */
const StudentReportSummary = v.object({
  report_id: v.number(),
  hw_id: v.number(),
  uid: v.number(),
  class_id: v.number(),
  homework_name: v.string(),
  nickname: v.string(),
  class_name: v.string(),
  course_title: v.string(),
  periods_name: v.string(),
  status: v.picklist([1, 2, 3]),
  is_set_score: ScoreMode,
  answer_time: v.number(),
  question_num: v.number(),
  /** Share of the questions that are answered, in whole percent. */
  completion_rate: v.number(),
  submit_at: Seconds,
  score: v.number(),
  object_score: v.number(),
  object_total_score: v.number(),
  /** Rate of the objective questions in whole percent, like all rates here. */
  object_rate: v.number(),
  subject_score: v.number(),
  subject_total_score: v.number(),
  subject_rate: v.number(),
  max_score: v.number(),
  /** The misspelt name stays, because client applications read it. */
  avarage_score: v.number(),
  user_score: v.number(),
  correct_rate: v.number(),
  max_rate: v.number(),
  average_rate: v.number(),
  end_time: Seconds,
  comment: v.string(),
  /** Name of the staff member who finished the report; empty if it was graded automatically. */
  reviewer_name: v.string(),
  graded_at: Seconds,
});
export type StudentReportSummary = v.InferOutput<typeof StudentReportSummary>;

const StudentReport = v.object({
  course_arrange: v.nullable(CourseArrange),
  report: StudentReportSummary,
  report_questions: v.array(ReportQuestion),
  card_info: v.array(CardItem),
  review_history: v.array(HistoryEntry),
});
export type StudentReport = v.InferOutput<typeof StudentReport>;

export const studentReport = call({
  method: 'GET',
  path: 'student/report/:reportId',
  looks: true,
  title: '学员作业报告',
  answer: StudentReport,
});

/** Returns what `studentReport` returns, but its averages cover only the report's class. */
export const classStudentReport = call({
  method: 'GET',
  path: 'class/student/report/:reportId/:classId',
  looks: true,
  title: '学员作业报告（班级）',
  answer: StudentReport,
});

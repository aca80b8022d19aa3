/**
 * Homework analysis.
 *
 * Scores are points with one decimal (two where the homework is rated). Every `…_rate` is a whole percentage,
 * truncated from exact counts, save `average_right_rate`, which is a fraction. Times are unix
 * seconds. Stems, options, answers and analyses are HTML with their formulas as MathML, safe to show as they are;
 * `stem_text` is the stem without markup, on one line.
 */
import * as v from 'valibot';
import {
  FlagNumber,
  maxId,
  Named,
  page,
  paging,
  SearchSeconds,
  SearchText,
  Seconds,
  SortDirection,
  searchOneOf,
  searchWord,
} from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';

/** 1 not submitted, 2 waiting for review, 3 graded. */
export const reportStatuses = [1, 2, 3] as const;
const ReportStatus = v.picklist(reportStatuses);
/** The canonical codes. */
const QuestionType = v.picklist([1, 2, 3, 4, 5, 6, 7]);
/** Of a question that carries an answer: of a material question its parts. */
const AnsweredType = v.picklist([1, 2, 3, 4, 5, 7]);
const ScoreMode = v.picklist([1, 2]);

/** Whole percent, truncated. */
const Percent = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100));
const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

const digits = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.regex(/^\d{1,10}$/),
  v.transform(Number),
  v.maxValue(maxId),
);

/** An id in a query that a call cannot do without: 0, which no record has, for anything that is none. */
const IdInQuery = v.fallback(v.optional(digits, 0), 0);

/** An id that may be left out: undefined for none or 0; -1, which no record has, for nonsense. */
const OptionalId = v.optional(
  v.fallback(
    v.pipe(
      v.union([v.literal(''), digits]),
      v.transform((id) => id || undefined),
    ),
    -1,
  ),
);
/** The class that is looked at: undefined for all of them. */
const ScopeClass = OptionalId;

const inScope = { params: { classId: ScopeClass } };

// ---- submission details ------------------------------------------------------------------------

/** `updated_at` is when it was handed in, 0 while it is not. */
export const SubmissionRow = v.object({
  id: v.number(),
  report_id: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  class_name: v.string(),
  status: ReportStatus,
  updated_at: v.union([v.literal(0), Seconds]),
});
export type SubmissionRow = v.InferOutput<typeof SubmissionRow>;

export const SubmissionFilter = v.object({
  nickname: SearchText,
  mobile: SearchText,
  status: searchOneOf(reportStatuses),
  ...paging(10),
});
export type SubmissionFilter = v.InferOutput<typeof SubmissionFilter>;

/** Of the homework of a scheduled lesson; `start_at` and `end_at` are unix seconds, both included. */
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

/** A student who is in the class now, and the homework that they were expected to hand in and did not. */
export const AbsentStudent = v.object({
  id: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  homework: v.array(Named),
});
export type AbsentStudent = v.InferOutput<typeof AbsentStudent>;

export const absentStudents = call({
  method: 'GET',
  path: 'class/homework/absent/:classId',
  title: '最近三次作业均未提交的学员',
  answer: v.array(AbsentStudent),
});

// ---- header ------------------------------------------------------------------------------------

const TypeSummary = v.object({ count: Count, score: v.number(), item_count: Count });

/**
 * `total` expected, `submit` handed in, `revise` graded, in the classes that are looked at. `scores` by type, 1 to 7;
 * `item_count` of a material question is the number of its parts, which carry the answers. `question_num` and `score`
 * are of the whole homework. Of a recalled homework every count is 0: its reports are gone.
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
  class: v.array(Named),
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

/** One student's homework in short. `finish_rate` answered, `approved_rate` no longer waiting. */
export const HomeworkInfo = v.object({
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
export type HomeworkInfo = v.InferOutput<typeof HomeworkInfo>;

/** The header over all classes; with `report_id` the info of that report instead. */
export const homeworkHeader = call({
  method: 'GET',
  path: 'homework/:hwId',
  title: '作业详情',
  query: v.object({ class_id: ScopeClass, report_id: OptionalId }),
  answer: v.union([HomeworkHeader, HomeworkInfo]),
});

export const classHomeworkHeader = call({
  method: 'GET',
  path: 'class/homework/detail/:classId/:hwId',
  title: '班级作业详情',
  ...inScope,
  answer: HomeworkHeader,
});

/** The scheduled lesson that a homework was given in. */
export const ArrangeData = v.object({
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

// ---- question analysis -------------------------------------------------------------------------

const MaterialStem = v.object({ _id: v.number(), ques_stem: v.string(), stem_text: v.string() });

/** How often an option was chosen, over the submitted reports. */
const OptionTally = v.object({
  id: v.number(),
  label: v.string(),
  content: v.string(),
  is_right: v.picklist([1, 2]),
  count: Count,
  rate: Percent,
});

/**
 * A question that carries an answer, over `submitted` reports. `number` is 3, or 3.1 for a
 * part of a material question, whose `parent_id` is not 0. `average_right_percent` is the same as
 * `average_right_rate`, truncated from the exact sums. `facility` (percent) and `discrimination` (-100 to 100, one
 * decimal) are over `graded` reports; null where they are not defined.
 */
export const QuestionAnalysisRow = v.object({
  _id: v.number(),
  number: v.string(),
  ques_stem: v.string(),
  stem_text: v.string(),
  ques_type: AnsweredType,
  parent_id: v.number(),
  parent_ques_item: v.nullable(MaterialStem),
  submitted: Count,
  graded: Count,
  total: Count,
  right_count: Count,
  wrong_count: Count,
  un_answer_count: Count,
  average_right_rate: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  average_right_percent: Percent,
  ques_score: v.number(),
  average_score: v.number(),
  fallibility_option: v.string(),
  facility: v.nullable(Percent),
  discrimination: v.nullable(v.number()),
  options: v.array(OptionTally),
});
export type QuestionAnalysisRow = v.InferOutput<typeof QuestionAnalysisRow>;

export const analysisSortFields = ['right_count', 'wrong_count', 'average_right_rate'] as const;
export const AnalysisOrder = v.object({ sort_field: searchWord(analysisSortFields), sort: SortDirection });
export type AnalysisOrder = v.InferOutput<typeof AnalysisOrder>;

export const questionAnalysis = call({
  method: 'GET',
  path: 'homework/question/analysis/:hwId/:classId?',
  title: '题目分析',
  ...inScope,
  query: AnalysisOrder,
  answer: v.array(QuestionAnalysisRow),
});

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
 * `id` is the report's. Whatever is computed is null unless the report is graded;
 * `answer_time` in seconds, the rates are shares of the full score.
 */
export const TranscriptRow = v.object({
  id: v.number(),
  student_id: v.number(),
  nickname: v.string(),
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
  updated_at: v.union([v.literal(0), Seconds]),
});
export type TranscriptRow = v.InferOutput<typeof TranscriptRow>;

export const transcripts = call({
  method: 'GET',
  path: 'homework/transcripts/:hwId/:classId?',
  title: '成绩单',
  ...inScope,
  query: TranscriptFilter,
  answer: page(TranscriptRow),
});

/** Counts and full scores of the homework; `average_answer_time` in seconds over `submitted` reports. */
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
  ...inScope,
  answer: TranscriptSummary,
});

/** The address of a file, for the person who asked, for an hour; while it is being made it says how far it is. */
const FileAddress = v.object({ url: v.string() });

export const exportTranscripts = call({
  method: 'GET',
  path: 'homework/export/transcripts/:hwId/:classId?',
  title: '导出成绩单',
  ...inScope,
  query: TranscriptFilter,
  answer: FileAddress,
});

// ---- grade distribution ------------------------------------------------------------------------

/**
 * A band of the distribution: above `min`, up to `max` (60: from 0; 0: not submitted). Bounds are points, or percent
 * where the homework is rated, and exact; they may be given back as they are to ask for the band's students.
 */
const bandId = v.picklist([90, 80, 70, 60, 0, 100]);
const GradeBand = v.object({
  id: bandId,
  /** Whole points or percent: the exact bounds with their decimals cut off. */
  min: v.number(),
  max: v.number(),
  number: Count,
  correct_rate: Percent,
});
export type GradeBand = v.InferOutput<typeof GradeBand>;

/**
 * Over `graded` reports; `total` are the expected students. Without any graded report the scores are null. The six
 * entries stand in the order of the bands, the highest first and "not submitted" last.
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
  ...inScope,
  answer: DistributionSummary,
});

/** A bound with at most two decimals, in hundredths. */
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
  nickname: v.string(),
  class_name: v.string(),
  correct_rate: Percent,
  score: v.number(),
});
export type DistributionStudent = v.InferOutput<typeof DistributionStudent>;

/**
 * Graded students above `min`, up to `max`, the best first; from 0 they start at 0, and 0 to 0 are those who did not
 * submit. Bounds as in the summary; whole numbers that a band's bounds truncate to stand for the band.
 */
export const distributionStudents = call({
  method: 'GET',
  path: 'homework/grade/distribution/students/:hwId/:classId?',
  title: '成绩分布学员明细',
  ...inScope,
  /** `band` names one by its id, and then counts alone: small scores may give several bands the same whole bounds. */
  query: v.object({
    min: Hundredths,
    max: Hundredths,
    band: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), bandId)), undefined),
  }),
  answer: v.array(DistributionStudent),
});

// ---- type and question statistics --------------------------------------------------------------

/** In the path for lecturers, in the query for assistants. */
const statisticsScope = {
  params: {
    hwId: v.optional(v.pipe(v.string(), v.regex(/^\d{1,10}$/), v.transform(Number), v.maxValue(maxId))),
  },
  query: v.object({ hw_id: IdInQuery, class_id: ScopeClass }),
};

/**
 * Over `submitted` reports. `total` is the number of questions of the type, `average_right_answer` how many of them
 * were right on average (one decimal). Short answers have no right count and no correct rate: null.
 */
export const TypeStatistics = v.object({
  type: AnsweredType,
  name: v.string(),
  average_right_answer: v.nullable(v.number()),
  total: Count,
  average_score: v.number(),
  score: v.number(),
  correct_rate: v.nullable(Percent),
  score_rate: Percent,
  submitted: Count,
});
export type TypeStatistics = v.InferOutput<typeof TypeStatistics>;

export const questionTypeStatistics = call({
  method: 'GET',
  path: {
    teacher: 'homework/questionsTypeStatistics/:hwId',
    assist: 'homework/class/questionTypeStatistics',
  },
  title: '题型统计',
  ...statisticsScope,
  answer: v.array(TypeStatistics),
});

/** `total` are the submitted reports. */
export const QuestionStatistics = v.object({
  id: v.number(),
  number: v.string(),
  ques_type: AnsweredType,
  ques_stem: v.string(),
  stem_text: v.string(),
  total_right: v.nullable(Count),
  total: Count,
  average_score: v.number(),
  ques_score: v.number(),
  correct_rate: v.nullable(Percent),
  score_rate: Percent,
});
export type QuestionStatistics = v.InferOutput<typeof QuestionStatistics>;

export const questionStatistics = call({
  method: 'GET',
  path: {
    teacher: 'homework/questionsStatistics/:hwId',
    assist: 'homework/class/questionStatistics',
  },
  title: '题目统计',
  ...statisticsScope,
  answer: v.array(QuestionStatistics),
});

// ---- one student -------------------------------------------------------------------------------

const StudentTypeRow = v.object({
  ques_type: AnsweredType,
  name: v.string(),
  right_amount: Count,
  total: Count,
  total_score: v.number(),
  right_score: v.number(),
  /** Of the full score of the type. */
  right_rate: Percent,
});
export type StudentTypeRow = v.InferOutput<typeof StudentTypeRow>;

export const studentHomework = call({
  method: 'GET',
  path: 'student/homework/:reportId',
  title: '学员作业题型统计',
  answer: v.object({
    report_id: v.number(),
    homework_id: v.number(),
    status: ReportStatus,
    ques_type_list: v.array(StudentTypeRow),
  }),
});

// ---- the questions -----------------------------------------------------------------------------

const Option = v.object({ id: v.number(), label: v.string(), content: v.string(), is_right: v.picklist([1, 2]) });

/** `right_answer` is as stored, `answer_html` as it is read: letters, words, blanks or the reference answer. */
const contentFields = {
  id: v.number(),
  number: v.string(),
  ques_stem: v.string(),
  ques_option: v.array(Option),
  right_answer: v.string(),
  answer_html: v.string(),
  ques_analysis: v.string(),
  facility_value: v.picklist([1, 2, 3, 4, 5]),
  ques_score: v.number(),
};
export const PreviewItem = v.object({ ...contentFields, ques_type: AnsweredType });
export type PreviewItem = v.InferOutput<typeof PreviewItem>;
export const PreviewQuestion = v.object({ ...contentFields, ques_type: QuestionType, ques_item: v.array(PreviewItem) });
export type PreviewQuestion = v.InferOutput<typeof PreviewQuestion>;

export const previewHomework = call({
  method: 'GET',
  path: 'hw/preview/:hwId',
  title: '作业预览',
  answer: v.object({
    id: v.number(),
    name: v.string(),
    status: v.picklist([1, 2]),
    is_set_score: ScoreMode,
    score: v.number(),
    question_num: Count,
    question: v.array(PreviewQuestion),
  }),
});

/** A PDF of the paper, without answers. */
export const downloadHomework = call({
  method: 'GET',
  path: { teacher: 'teacher/homework/download/:hwId' },
  title: '下载作业',
  answer: FileAddress,
});

/** A question that carries an answer with its counts over the submitted reports, as in the question analysis. */
export const AnswerDetail = v.object({
  ...PreviewItem.entries,
  parent_id: v.number(),
  parent_ques_item: v.nullable(MaterialStem),
  submitted: Count,
  right_count: Count,
  wrong_count: Count,
  answered_count: Count,
  un_answer_count: Count,
  average_right_rate: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  average_right_percent: Percent,
});
export type AnswerDetail = v.InferOutput<typeof AnswerDetail>;

const AnswerStudent = v.object({ report_id: v.number(), nickname: v.string(), class_name: v.string() });
export type AnswerStudent = v.InferOutput<typeof AnswerStudent>;

const answerDetailAt = <const Path extends string>(path: Path) =>
  call({ method: 'GET', path, title: '答题详情', ...inScope, answer: v.array(AnswerDetail) });

export const answerDetail = answerDetailAt('homework/answer/detail/:hwId/:classId?');
export const classAnswerDetail = answerDetailAt('class/homework/answer/detail/:hwId/:classId?');

const answerStudentsAt = <const Path extends string>(path: Path, title: string) =>
  call({
    method: 'GET',
    path,
    title,
    query: v.object({ hw_id: IdInQuery, class_id: ScopeClass, ques_id: IdInQuery }),
    answer: v.array(AnswerStudent),
  });

/** Who answered a question how, and who left it blank: each list with and without `class/` in its path. */
export const answerStudents = {
  right: answerStudentsAt('homework/answer/right/students', '答对学员'),
  wrong: answerStudentsAt('homework/answer/wrong/students', '答错学员'),
  answered: answerStudentsAt('homework/answered/students', '已作答学员'),
  unanswered: answerStudentsAt('homework/unanswer/students', '未作答学员'),
};
export const classAnswerStudents = {
  right: answerStudentsAt('class/homework/answer/right/students', '班级答对学员'),
  wrong: answerStudentsAt('class/homework/answer/wrong/students', '班级答错学员'),
  answered: answerStudentsAt('class/homework/answered/students', '班级已作答学员'),
  unanswered: answerStudentsAt('class/homework/unanswer/students', '班级未作答学员'),
};
export type AnswerGroup = keyof typeof answerStudents;

/**
 * Exams.
 *
 * Scores are points with at most one decimal, `…_percent` and `…_rate` percentages with one decimal, both truncated
 * from exact sums; averages are rounded to a tenth. Times are unix seconds, durations seconds. Statistics carry types
 * of questions in the exam reading (`examTypeName`), the paper preview in the canonical code. HTML is safe to show.
 */
import * as v from 'valibot';
import {
  FlagNumber,
  maxId,
  page,
  paging,
  SearchFlag,
  SearchId,
  SearchSeconds,
  SearchText,
  Seconds,
  SortDirection,
  searchOneOf,
  searchWord,
} from '#server/platform/calls/fields.ts';
import { questionTypes } from '#server/questions/rules.ts';
import { call } from '#server/school/call.ts';
import { paperVariants, passStatuses, publishStatuses, testStatuses } from './rules.ts';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** Points; null where there is nothing to say. */
const Score = v.pipe(v.number(), v.minValue(0));
/** Percent with one decimal. */
const Percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
const School = v.object({ id: v.number(), org_name: v.string() });
export type School = v.InferOutput<typeof School>;
const flags = [0, 1] as const;

// ---- the list ----------------------------------------------------------------------------------

export const ExamFilter = v.object({
  name: SearchText,
  /** With everything below it in the tree. */
  classify_id: SearchId,
  school_id: SearchId,
  status: searchOneOf(publishStatuses),
  /** The creator. */
  nickname: SearchText,
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

export interface ExamCategory {
  id: number;
  name: string;
  children: ExamCategory[];
}
const ExamCategory: v.GenericSchema<ExamCategory> = v.object({
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

const reportFields = {
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

// ---- statistics --------------------------------------------------------------------------------

/** Over graded reports, save `answer_users_num` and `average_answer_time`, which are over all; null over none. */
export const ExamStatistics = v.object({
  average_right_percent: Percent,
  average_score: v.nullable(Score),
  max_score: v.nullable(Score),
  min_score: v.nullable(Score),
  average_answer_time: v.nullable(Count),
  /** Students who handed in. */
  answer_users_num: Count,
  /** Reports, all and graded ones: a student may have several. */
  submitted_nums: Count,
  graded_nums: Count,
  /** Graded reports that passed. */
  pass_nums: Count,
  pass_percent: Percent,
});
export type ExamStatistics = v.InferOutput<typeof ExamStatistics>;

/**
 * Graded reports by tenths of the full score, lowest first: a step is above its lower bound up to its upper one, the
 * first one from 0. `percent` is the share of all graded reports. Empty where the exam has no score.
 */
export const ExamCharts = v.object({
  /** `0-10`, in points. */
  scoreSteps: v.array(v.string()),
  userNums: v.array(Count),
  percent: v.array(Percent),
});
export type ExamCharts = v.InferOutput<typeof ExamCharts>;

export const examStatistics = call({
  method: 'GET',
  path: 'test/getInfo/:id',
  title: '考试成绩统计',
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
  /** 0, which no exam has, for anything that is no id. */
  test_id: v.fallback(
    v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.integer(), v.minValue(1), v.maxValue(maxId)),
    0,
  ),
  nickname: SearchText,
  is_pass: searchOneOf(passStatuses),
  test_status: searchOneOf(testStatuses),
  school_id: SearchId,
  is_effective: searchOneOf(flags),
  sort_field: searchWord(studentSortFields),
  sort: SortDirection,
  is_finish_conditions: searchOneOf(flags),
};
export const ExamStudentFilter = v.object({ ...studentFilter, ...paging() });
export type ExamStudentFilter = v.InferOutput<typeof ExamStudentFilter>;

export const ExamStudentRow = v.object({
  ...reportFields,
  /** Among all graded reports of the exam; null while it waits. */
  ranking: v.nullable(Count),
  /** 1 where every question was answered within the time limit. */
  is_finish_conditions: FlagNumber,
  /** How often the student handed this exam in. */
  answer_nums: Count,
  /** 1 for the submission that counts: the graded one with the highest score, while none is graded the last. */
  is_effective: FlagNumber,
});
export type ExamStudentRow = v.InferOutput<typeof ExamStudentRow>;

/** By rank unless sorted. */
export const examStudents = call({
  method: 'POST',
  reads: true,
  path: 'test/studentStatistics',
  title: '考试学员统计',
  body: ExamStudentFilter,
  answer: page(ExamStudentRow),
});

/** Every row of `examStudents` with these filters, as a spreadsheet. */
export const exportExamStudents = call({
  method: 'POST',
  reads: true,
  path: 'test/export',
  title: '导出考试学员统计',
  body: v.object(studentFilter),
  answer: v.object({ url: v.string() }),
});
export type ExamExportFilter = Omit<ExamStudentFilter, 'page' | 'limit'>;

/** The schools whose students have reports that the caller sees, in any exam; the caller's own always. */
export const examSchools = call({
  method: 'GET',
  path: 'test/getSchoolInfo',
  title: '考试统计的学校',
  answer: v.array(School),
});

/** In the exam reading. */
const ExamQuestionType = v.picklist(questionTypes);

export const ExamQuestionRow = v.object({
  question_id: v.number(),
  /** `3`, or `3.1` for a part of a material question. */
  sort: v.string(),
  parent_id: v.nullable(v.number()),
  /** The material that a part belongs to. */
  parent_ques_stem: v.nullable(v.string()),
  ques_stem: v.string(),
  /** The exam reading; `is_matching` 1 is the matching question among type 4. */
  type: ExamQuestionType,
  is_matching: FlagNumber,
  answered_count: Count,
  un_answer_count: Count,
  right_count: Count,
  wrong_count: Count,
  /** `average_score` of `score`, over all submitted reports, an unanswered question counting 0. */
  right_rate: Percent,
  score: Score,
  average_score: v.nullable(Score),
  /** The wrong option (or pair) chosen most often, by its letter; `/` where there is none. */
  wrong_option: v.string(),
});
export type ExamQuestionRow = v.InferOutput<typeof ExamQuestionRow>;

/** A column of the table by types: `item` names the line, `total` sums up, `type_1` … are types of the exam reading. */
const TypeHeader = v.object({
  key: v.string(),
  title: v.string(),
  type: v.nullable(ExamQuestionType),
});

/** `table_body`: by the keys of the header, for each line the figures of every type that the exam has. */
export const examQuestionStatistics = call({
  method: 'GET',
  path: 'test/questionStatistics/:id',
  title: '考试题目统计',
  answer: v.object({
    table_header: v.array(TypeHeader),
    table_body: v.array(v.record(v.string(), v.union([v.string(), v.number()]))),
    list: v.array(ExamQuestionRow),
  }),
});

// ---- the paper ---------------------------------------------------------------------------------
// Texts are safe HTML with formulas as MathML, scores are points with one decimal.

/** `label` is the letter or number by which answers name it; only a matching question has sides. */
const ShownOption = v.object({
  id: v.number(),
  content: v.string(),
  is_right: v.picklist([1, 2]),
  side: v.optional(v.picklist(['left', 'right'])),
  label: v.string(),
});

/** A file of this school. */
const ExamAttachment = v.object({ url: v.string(), name: v.string(), ext: v.string() });

/** What is the same for a question on the paper and on an answer sheet. */
const askedQuestion = {
  id: v.number(),
  /** The number as it is shown, through the whole paper: `3`, or `3.1` for a part of a material question. */
  sort: v.string(),
  ques_stem: v.string(),
  ques_option: v.array(ShownOption),
  /** The right answer in letters and words, HTML. */
  answer_html: v.string(),
  ques_analysis: v.string(),
  facility_value: v.picklist([1, 2, 3, 4, 5]),
  ques_score: v.number(),
  attachments: v.array(ExamAttachment),
};

/** `ques_type` is the canonical code. */
const PaperPart = v.object({
  ...askedQuestion,
  ques_type: v.picklist(questionTypes),
  /** A list of blanks of a fill-in question (7); ids, pairs of ids, or HTML of the others. */
  right_answer: v.union([v.string(), v.array(v.string())]),
  /** Of a fill-in question the points of each blank, joined by @@. */
  answer_score: v.string(),
  /** Names of its knowledge points. */
  points: v.array(v.string()),
});
export type ExamPaperPart = v.InferOutput<typeof PaperPart>;

const PaperQuestion = v.object({ ...PaperPart.entries, children: v.array(PaperPart) });
export type ExamPaperQuestion = v.InferOutput<typeof PaperQuestion>;

const ExamPaper = v.object({
  exam: v.object({
    id: v.number(),
    name: v.string(),
    introduce: v.string(),
    /** Questions that carry an answer. */
    ques_num: v.number(),
    /** Seconds, 0 without limit. */
    limit_time: v.number(),
    score: v.number(),
    pass_score: v.number(),
    type: v.number(),
    status: v.number(),
  }),
  detail: v.array(
    v.object({
      section: v.object({ id: v.number(), name: v.string(), introduce: v.string() }),
      question: v.array(PaperQuestion),
    }),
  ),
});
export type ExamPaper = v.InferOutput<typeof ExamPaper>;

export const previewExam = call({
  method: 'GET',
  path: 'testDetail/preview/:id',
  title: '试卷预览',
  answer: ExamPaper,
});

/** A PDF of the exam's own data. `path` works for its maker alone and for an hour; 503 while too many are waiting. */
export const downloadExam = call({
  method: 'POST',
  path: 'testDetail/download/:id',
  title: '下载试卷',
  reads: true,
  body: v.object({ variant: v.optional(v.picklist(paperVariants, '请选择试卷的样式'), 'paper') }),
  answer: v.object({ path: v.string() }),
});

// ---- the answer sheet --------------------------------------------------------------------------

/** 1 right, 2 wrong, 3 unanswered, 4 waiting for review, 5 reviewed. */
const SheetStatus = v.picklist([1, 2, 3, 4, 5]);

/** A place on the answer card. `question_type` is the exam reading. */
const SheetPlace = v.object({
  id: v.number(),
  sort: v.string(),
  status: SheetStatus,
  /** Marked by the student while answering. */
  is_sign: FlagNumber,
  question_type: v.picklist(questionTypes),
});

/** `ques_type` is the exam reading. */
export const SheetPart = v.object({
  ...askedQuestion,
  ques_type: v.picklist(questionTypes),
  right_answer: v.string(),
  /** As it was handed in: ids, pairs of ids, blanks joined by @@, or JSON {content, images} of a subjective answer. */
  user_answer: v.string(),
  /** An objective answer in letters and words, plain text. */
  user_answer_text: v.string(),
  /** The text of a subjective answer, HTML. */
  answer_content: v.string(),
  answerImages: v.array(v.object({ url: v.string(), draw: v.string(), path: v.string() })),
  /** Null while it waits, and of a material question. */
  user_score: v.nullable(v.number()),
  status: SheetStatus,
  is_sign: FlagNumber,
  /** Percent with one decimal, truncated, over the reports that the caller sees. */
  average_rate: v.nullable(v.number()),
  review_comment: v.string(),
  review_attachments: v.array(ExamAttachment),
});
export type SheetPart = v.InferOutput<typeof SheetPart>;

const SheetQuestion = v.object({ ...SheetPart.entries, section_id: v.number(), ques_item: v.array(SheetPart) });
export type SheetQuestion = v.InferOutput<typeof SheetQuestion>;

const ExamSheet = v.object({
  report_info: v.object({
    report_id: v.number(),
    exam_id: v.number(),
    test_name: v.string(),
    nickname: v.string(),
    /** 2 waiting for review, 3 reviewed. */
    test_status: v.picklist([2, 3]),
    /** Among the reviewed reports of the exam; null while it waits. */
    ranking: v.nullable(v.number()),
    /** How many reports are reviewed. */
    user_count: v.number(),
    /** 1 passed, 2 failed, 0 while it waits. */
    is_pass: v.picklist([0, 1, 2]),
    /** Seconds. */
    answer_time: v.number(),
    submit_time: Seconds,
    /** What the exam is worth, under both names that applications read. */
    sum_score: v.number(),
    score: v.number(),
    pass_score: v.number(),
    user_score: v.number(),
    /** Null where the exam has no such questions. */
    objective_score: v.nullable(v.number()),
    objective_total_score: v.number(),
    subjective_score: v.nullable(v.number()),
    subjective_total_score: v.number(),
    comment: v.string(),
    reviewer_name: v.string(),
  }),
  /** The student's submissions of this exam, this one among them, the latest first. */
  report_list: v.array(v.object({ id: v.number(), submit_time: Seconds })),
  card_info: v.array(v.object({ id: v.number(), name: v.string(), child: v.array(SheetPlace) })),
  question: v.array(SheetQuestion),
});
export type ExamSheet = v.InferOutput<typeof ExamSheet>;

export const examReport = call({
  method: 'GET',
  path: 'testDetail/report/:reportId',
  title: '考试答卷',
  answer: ExamSheet,
});

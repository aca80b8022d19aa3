/** Calls that read an exam's paper and a student's answer sheet. */
import * as v from 'valibot';
import { FlagNumber, Seconds } from '#server/platform/calls/fields.ts';
import { ExportChoice, ExportPlan, exportParams, PlanQuery } from '#server/questions/export.contract.ts';
import { questionTypes } from '#server/questions/rules.ts';
import { call } from '#server/school/call.ts';
import { examMessages, paperVariants } from './rules.ts';

// ---- the paper --------------------------------------------------------------------------------- Texts are safe HTML
// with formulas as MathML; scores are points with one decimal.

/** `label`: letter or number by which answers name the option. Only options of a matching question have a side. */
const ShownOption = v.object({
  id: v.number(),
  content: v.string(),
  is_right: v.picklist([1, 2]),
  side: v.optional(v.picklist(['left', 'right'])),
  label: v.string(),
});

/** A file that is stored at this school. */
export const ExamAttachment = v.object({ url: v.string(), name: v.string(), ext: v.string() });

/** Fields of a question that paper and answer sheet have in common. */
const askedQuestion = {
  id: v.number(),
  /** Number of the question in the whole paper: `3`, or `3.1` for a part of a material question. */
  sort: v.string(),
  ques_stem: v.string(),
  ques_option: v.array(ShownOption),
  /** The right answer in letters and words, as HTML. */
  answer_html: v.string(),
  ques_analysis: v.string(),
  facility_value: v.picklist([1, 2, 3, 4, 5]),
  ques_score: v.number(),
  attachments: v.array(ExamAttachment),
};

/** A question or part on the paper. `ques_type`: canonical code. */
const PaperPart = v.object({
  ...askedQuestion,
  ques_type: v.picklist(questionTypes),
  /** A list of blanks for a fill-in question; otherwise option ids, pairs of option ids, or HTML. */
  right_answer: v.union([v.string(), v.array(v.string())]),
  /** Points of each blank of a fill-in question, joined by `@@`. */
  answer_score: v.string(),
  /** Names of the question's knowledge points. */
  points: v.array(v.string()),
});
export type ExamPaperPart = v.InferOutput<typeof PaperPart>;

const PaperQuestion = v.object({ ...PaperPart.entries, children: v.array(PaperPart) });
export type ExamPaperQuestion = v.InferOutput<typeof PaperQuestion>;

export const ExamPaper = v.object({
  exam: v.object({
    id: v.number(),
    name: v.string(),
    introduce: v.string(),
    /** Number of questions that students answer. */
    ques_num: v.number(),
    /** Time limit in seconds; 0: none. */
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

/** Makes a PDF. Only the requesting user can open `path`, for one hour. 503: too many PDFs are waiting. */
export const downloadExam = call({
  method: 'POST',
  path: 'testDetail/download/:id',
  title: '下载试卷',
  reads: true,
  body: v.object({ variant: v.optional(v.picklist(paperVariants, examMessages.variant), 'paper') }),
  answer: v.object({ path: v.string() }),
});

export const planExamExport = call({
  method: 'GET',
  path: 'testDetail/export/:id',
  title: '导出考试题目的内容',
  query: PlanQuery,
  answer: ExportPlan,
});

export const exportExam = call({
  method: 'GET',
  path: 'testDetail/export/:id/:format',
  title: '导出考试题目',
  params: exportParams,
  query: ExportChoice,
  file: true,
  answer: v.null(),
});

// ---- the answer sheet --------------------------------------------------------------------------

/** 1: right. 2: wrong. 3: unanswered. 4: waits for a grader. 5: graded. */
const SheetStatus = v.picklist([1, 2, 3, 4, 5]);

/** A question number on the answer card. `question_type`: exam type code. */
const SheetPlace = v.object({
  id: v.number(),
  sort: v.string(),
  status: SheetStatus,
  /** 1: the student marked the question while answering. */
  is_sign: FlagNumber,
  question_type: v.picklist(questionTypes),
});

/** A question or part on the answer sheet. `ques_type`: exam type code. */
export const SheetPart = v.object({
  ...askedQuestion,
  ques_type: v.picklist(questionTypes),
  right_answer: v.string(),
  /**
   * The answer as submitted: option ids, pairs of option ids, blanks joined by `@@`, or for a subjective question JSON
   * `{content, images}`.
   */
  user_answer: v.string(),
  /** An objective answer in letters and words, as plain text. */
  user_answer_text: v.string(),
  /** Text of a subjective answer, as HTML. */
  answer_content: v.string(),
  answerImages: v.array(v.object({ url: v.string(), draw: v.string(), path: v.string() })),
  /** Null while the answer waits for a grader, and for a material question, whose parts have the scores. */
  user_score: v.nullable(v.number()),
  status: SheetStatus,
  is_sign: FlagNumber,
  /** Percentage with one decimal, truncated, over the graded reports that the user sees. */
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
    /** 2: waits for a grader. 3: graded. */
    test_status: v.picklist([2, 3]),
    /**
     * Rank among the exam's students. Null while ungraded, if another submission of the student is effective, or if the
     * exam has no scores.
     */
    ranking: v.nullable(v.number()),
    /** 1: this is the student's effective submission. */
    is_effective: FlagNumber,
    /** Number of students with a rank. */
    user_count: v.number(),
    /** 1: passed. 2: failed. 0: ungraded, or an exam without scores. */
    is_pass: v.picklist([0, 1, 2]),
    /** Time used, in seconds. */
    answer_time: v.number(),
    submit_time: Seconds,
    /** Full score of the exam, under both names that applications read. */
    sum_score: v.number(),
    score: v.number(),
    pass_score: v.number(),
    user_score: v.number(),
    /** Null if the exam has no objective or no subjective questions, respectively. */
    objective_score: v.nullable(v.number()),
    objective_total_score: v.number(),
    subjective_score: v.nullable(v.number()),
    subjective_total_score: v.number(),
    comment: v.string(),
    reviewer_name: v.string(),
  }),
  /** All submissions of this exam by the student, latest first. */
  report_list: v.array(v.object({ id: v.number(), submit_time: Seconds })),
  card_info: v.array(v.object({ id: v.number(), name: v.string(), child: v.array(SheetPlace) })),
  question: v.array(SheetQuestion),
});
export type ExamSheet = v.InferOutput<typeof ExamSheet>;

export const examReport = call({
  method: 'GET',
  path: 'testDetail/report/:reportId',
  looks: true,
  title: '考试答卷',
  answer: ExamSheet,
});

/** Reading an exam: its paper, and a student's answer sheet. */
import * as v from 'valibot';
import { FlagNumber, Seconds } from '#server/platform/calls/fields.ts';
import { questionTypes } from '#server/questions/rules.ts';
import { call } from '#server/school/call.ts';
import { examMessages, paperVariants } from './rules.ts';

// ---- the paper ---------------------------------------------------------------------------------
// Texts are safe HTML with formulas as MathML, scores are points with one decimal.

/** `label`: letter or number used in answers. Only options of a matching question have a side. */
const ShownOption = v.object({
  id: v.number(),
  content: v.string(),
  is_right: v.picklist([1, 2]),
  side: v.optional(v.picklist(['left', 'right'])),
  label: v.string(),
});

/** A file of this school. */
export const ExamAttachment = v.object({ url: v.string(), name: v.string(), ext: v.string() });

/** Fields shared by paper and answer sheet. */
const askedQuestion = {
  id: v.number(),
  /** Displayed number, continuous through the paper: `3`, or `3.1` for a part of a material question. */
  sort: v.string(),
  ques_stem: v.string(),
  ques_option: v.array(ShownOption),
  /** The right answer as letters and words, HTML. */
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
  /** A list of blanks for a fill-in question (7); otherwise ids, pairs of ids, or HTML. */
  right_answer: v.union([v.string(), v.array(v.string())]),
  /** Points of each blank of a fill-in question, joined by @@. */
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
    /** Number of questions with an answer. */
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

/** Renders a PDF. `path` works for the requesting user only, for an hour. 503: too many renders are waiting. */
export const downloadExam = call({
  method: 'POST',
  path: 'testDetail/download/:id',
  title: '下载试卷',
  reads: true,
  body: v.object({ variant: v.optional(v.picklist(paperVariants, examMessages.variant), 'paper') }),
  answer: v.object({ path: v.string() }),
});

// ---- the answer sheet --------------------------------------------------------------------------

/** 1 right, 2 wrong, 3 unanswered, 4 waiting for review, 5 reviewed. */
const SheetStatus = v.picklist([1, 2, 3, 4, 5]);

/** An entry of the answer card. `question_type` is the exam type code. */
const SheetPlace = v.object({
  id: v.number(),
  sort: v.string(),
  status: SheetStatus,
  /** Marked by the student while answering. */
  is_sign: FlagNumber,
  question_type: v.picklist(questionTypes),
});

/** `ques_type` is the exam type code. */
export const SheetPart = v.object({
  ...askedQuestion,
  ques_type: v.picklist(questionTypes),
  right_answer: v.string(),
  /** As submitted: ids, pairs of ids, blanks joined by @@, or JSON {content, images} of a subjective answer. */
  user_answer: v.string(),
  /** An objective answer as letters and words, plain text. */
  user_answer_text: v.string(),
  /** Text of a subjective answer, HTML. */
  answer_content: v.string(),
  answerImages: v.array(v.object({ url: v.string(), draw: v.string(), path: v.string() })),
  /** Null while waiting, and for a material question. */
  user_score: v.nullable(v.number()),
  status: SheetStatus,
  is_sign: FlagNumber,
  /** Percent with one decimal, truncated, over visible graded reports. */
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
    /** Rank among the exam's students; null while waiting, if another submission is effective, or without scores. */
    ranking: v.nullable(v.number()),
    /** 1 for the student's effective submission. */
    is_effective: FlagNumber,
    /** Number of ranked students. */
    user_count: v.number(),
    /** 1 passed, 2 failed, 0 waiting or without scores. */
    is_pass: v.picklist([0, 1, 2]),
    /** Seconds. */
    answer_time: v.number(),
    submit_time: Seconds,
    /** Full score, under both names that applications read. */
    sum_score: v.number(),
    score: v.number(),
    pass_score: v.number(),
    user_score: v.number(),
    /** Null if the exam has no such questions. */
    objective_score: v.nullable(v.number()),
    objective_total_score: v.number(),
    subjective_score: v.nullable(v.number()),
    subjective_total_score: v.number(),
    comment: v.string(),
    reviewer_name: v.string(),
  }),
  /** All submissions of the student for this exam, latest first. */
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

/** An exam as it is read: its paper, and what a student handed in. */
import * as v from 'valibot';
import { FlagNumber, Seconds } from '#server/platform/calls/fields.ts';
import { questionTypes } from '#server/questions/rules.ts';
import { call } from '#server/school/call.ts';
import { examMessages, paperVariants } from './rules.ts';

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
export const ExamAttachment = v.object({ url: v.string(), name: v.string(), ext: v.string() });

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

export const ExamPaper = v.object({
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
  body: v.object({ variant: v.optional(v.picklist(paperVariants, examMessages.variant), 'paper') }),
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
  /** Percent with one decimal, truncated, over the graded reports that the caller sees. */
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
    /** Among the students of the exam; null while it waits, where another report of the student counts, without scores. */
    ranking: v.nullable(v.number()),
    /** 1 for the report that counts for the student. */
    is_effective: FlagNumber,
    /** How many students are ranked. */
    user_count: v.number(),
    /** 1 passed, 2 failed, 0 while it waits and in an exam without scores. */
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
  looks: true,
  title: '考试答卷',
  answer: ExamSheet,
});

import * as v from 'valibot';
import { SheetPart } from '#server/exams/paper.contract.ts';
import { homeworkTypes } from '#server/homework/rules.ts';
import {
  FlagNumber,
  page,
  paging,
  SearchDay,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
  searchOneOf,
  searchWord,
  WholeNumber,
} from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import {
  commentFault,
  correctionMessages,
  drawLimit,
  imageLimit,
  objective,
  subjective,
  togetherLimit,
} from './rules.ts';

// ---- the list ----------------------------------------------------------------------------------

/** Filters of the correction list; days are inclusive. */
export const CorrectionFilter = v.object({
  publish_start: SearchDay,
  publish_end: SearchDay,
  name: SearchText,
  type: searchOneOf(homeworkTypes),
  course_title: SearchText,
  periods_title: SearchText,
  nickname: SearchText,
  publisher_name: SearchText,
  ...paging(),
});
export type CorrectionFilter = v.InferOutput<typeof CorrectionFilter>;

/** A report that waits for review. Times in unix seconds. */
export const CorrectionRow = v.object({
  report_id: v.number(),
  hw_id: v.number(),
  uid: v.number(),
  name: v.string(),
  nickname: v.string(),
  submit_time: Seconds,
  type: v.picklist(homeworkTypes),
  course_title: v.string(),
  periods_title: v.string(),
  publisher_name: v.string(),
  publish_time: Seconds,
});
export type CorrectionRow = v.InferOutput<typeof CorrectionRow>;

export const listCorrections = call({
  method: 'POST',
  path: 'hw/correct',
  title: '待批改列表',
  reads: true,
  needs: 'correct',
  body: CorrectionFilter,
  answer: page(CorrectionRow),
});

export const correctionQuantity = call({
  method: 'GET',
  path: 'hw/correct/quantity',
  title: '待批改数量',
  needs: 'correct',
  answer: v.object({ quantity: v.number() }),
});

/** Of an answer: 1 right, 2 wrong, 3 unanswered, 4 waiting for review, 5 reviewed. */
export const AnswerStatus = v.picklist([1, 2, 3, 4, 5]);
export type AnswerStatus = v.InferOutput<typeof AnswerStatus>;
/** is_review: 1 reviewed, 2 waiting. */
const IsReview = v.picklist([1, 2]);

/** A place on the answer card; `sort` is the number as it is shown, `3.1` for a part of a material question. */
export const CardItem = v.object({
  question_id: v.number(),
  sort: v.string(),
  is_review: IsReview,
  status: AnswerStatus,
});
export type CardItem = v.InferOutput<typeof CardItem>;

const ScoreMode = v.picklist([1, 2]);

/**
 * The head of a report. Scores in points: one decimal, two where the homework is rated and every question is worth
 * 1 point; rates in whole percent, truncated. Times in unix seconds, answer_time in seconds.
 */
export const ReportInfo = v.object({
  report_id: v.number(),
  hw_id: v.number(),
  uid: v.number(),
  class_id: v.number(),
  hw_name: v.string(),
  nickname: v.string(),
  class_name: v.string(),
  course_title: v.string(),
  periods_name: v.string(),
  is_set_score: ScoreMode,
  /** Of the report: 1 not submitted, 2 waiting, 3 graded. */
  test_status: v.picklist([1, 2, 3]),
  /** Of the homework: 2 recalled. */
  hw_status: v.picklist([1, 2]),
  submit_time: Seconds,
  answer_time: v.number(),
  user_score: v.number(),
  sum_score: v.number(),
  correct_rate: v.number(),
  objective_score: v.number(),
  objective_total_score: v.number(),
  objective_rate: v.number(),
  subjective_score: v.number(),
  subjective_total_score: v.number(),
  comment: v.string(),
  /** Reports of this homework that wait for the caller, this one included. */
  waiting_count: v.number(),
});
export type ReportInfo = v.InferOutput<typeof ReportInfo>;

/** The scheduled lesson that a homework was published from. */
export const CourseArrange = v.object({
  name: v.string(),
  classify_name: v.string(),
  grade_name: v.string(),
  sub_name: v.string(),
  arrange_time: Seconds,
  time_name: v.string(),
});
export type CourseArrange = v.InferOutput<typeof CourseArrange>;

const Option = v.object({ id: v.number(), content: v.string(), is_right: v.picklist([1, 2]) });
const Attachment = v.object({ name: v.string(), url: v.string(), ext: v.string() });
export type Attachment = v.InferOutput<typeof Attachment>;

/** An image of an answer: as it was handed in, the marks on it (JSON text), and the image with its marks. */
export const AnswerImage = v.object({ url: v.string(), draw: v.string(), path: v.string() });
export type AnswerImage = v.InferOutput<typeof AnswerImage>;

/**
 * A question with one student's answer. Texts are safe HTML with formulas as MathML. Marks (`user_score`) are points,
 * or percent where the homework is rated, null while the answer waits.
 */
const answeredQuestion = {
  id: v.number(),
  sort: v.string(),
  parent_id: v.nullable(v.number()),
  /** The material, of a part of a material question. */
  parent_ques_item: v.string(),
  ques_type: v.picklist([1, 2, 3, 4, 5, 7]),
  ques_stem: v.string(),
  ques_option: v.array(Option),
  /** As it is kept: option ids, blanks joined by @@, or the reference answer. */
  right_answer: v.string(),
  /** As it is read: letters, blanks or the reference answer. */
  right_answer_shown: v.string(),
  ques_analysis: v.string(),
  facility_value: v.picklist([1, 2, 3, 4, 5]),
  /** Points. */
  ques_score: v.number(),
  /** As it was handed in: option ids, blanks joined by @@, or JSON {content, images} of a subjective answer. */
  user_answer: v.string(),
  /** The text of a subjective answer. */
  answer_content: v.string(),
  answerImages: v.array(AnswerImage),
  user_score: v.nullable(v.number()),
  status: AnswerStatus,
  is_review: IsReview,
  review_comment: v.string(),
  review_attachments: v.array(Attachment),
};

export const ReviewQuestion = v.object({
  ...answeredQuestion,
  /** Sent back with a mark, so that nobody's is overwritten unseen. */
  version: v.number(),
  /** Who saved it last, empty before. */
  reviewer_name: v.string(),
  /** Further answers that wait and are the same text. */
  same_count: v.number(),
  /** What the caller wrote on this question before, the most frequent first. */
  my_comments: v.array(v.string()),
});
export type ReviewQuestion = v.InferOutput<typeof ReviewQuestion>;

// ---- correcting --------------------------------------------------------------------------------

const reportScope = { report_id: SearchId, class_id: SearchId };
/** Reports that were skipped in this pass: they are not offered again. */
const pass = { skip: SearchIds };
const Tab = v.fallback(v.optional(v.pipe(WholeNumber, v.picklist([subjective, objective])), subjective), subjective);

/** With a class, only reports of that class are next. */
export const reviewReport = call({
  method: 'POST',
  path: 'hw/review/list',
  title: '批改：报告信息与答题卡',
  reads: true,
  needs: 'correct',
  body: v.object({ ...reportScope, ...pass, type: Tab }),
  answer: v.object({
    report_info: ReportInfo,
    course_arrange: v.nullable(CourseArrange),
    /** The cards of the tab that was asked for. */
    scantron: v.array(
      v.object({
        ques_id: v.number(),
        sort: v.string(),
        status: AnswerStatus,
        user_score: v.nullable(v.number()),
        review_comment: v.string(),
      }),
    ),
    subject_card_info: v.array(CardItem),
    objective_card_info: v.array(CardItem),
    next_report_id: v.nullable(v.number()),
  }),
});

/** With ques_id, only that question. */
export const reviewQuestions = call({
  method: 'POST',
  path: 'hw/review/detail',
  title: '批改：题目与答案',
  reads: true,
  needs: 'correct',
  body: v.object({ ...reportScope, type: Tab, ques_id: SearchId, ...paging() }),
  answer: page(ReviewQuestion),
});

export const QuestionRound = v.object({
  /** Answers by status, over all students. */
  counts: v.object({
    total: v.number(),
    right: v.number(),
    wrong: v.number(),
    unanswered: v.number(),
    waiting: v.number(),
    reviewed: v.number(),
  }),
  /** Where the report stands, from 0. */
  position: v.number(),
  /** Its neighbours on both sides, in the order. */
  list: v.array(
    v.object({
      report_id: v.number(),
      position: v.number(),
      nickname: v.string(),
      status: AnswerStatus,
      user_score: v.nullable(v.number()),
    }),
  ),
  /** The next student, from this one on and round, whose answer waits. */
  next_report_id: v.nullable(v.number()),
  /** Reports of the homework that wait although every answer is marked: storeReviews ends them. */
  finishable_count: v.number(),
});
export type QuestionRound = v.InferOutput<typeof QuestionRound>;

/** One question over all students whose report is not finished (`by=question`). */
export const reviewByQuestion = call({
  method: 'POST',
  path: 'hw/review/question',
  title: '批改：一道题的全部答案',
  reads: true,
  needs: 'correct',
  body: v.object({ ...reportScope, ...pass, ques_id: SearchId, order: searchWord(['shuffled']) }),
  answer: QuestionRound,
});

/** A text field whose length the rule judges, so that the sentence is Chinese and nothing is cut. */
const LongText = v.optional(
  v.pipe(
    v.string(),
    v.transform((text) => text.replaceAll('\r\n', '\n')),
    v.check((text) => commentFault(text) === undefined, correctionMessages.commentLength),
  ),
);

/** An address of a file that was uploaded here: nothing else is ever shown or opened. */
const OwnFile = v.pipe(v.string(), v.regex(/^\/files\/(?!.*\.\.)[\w\-./%?=&]+$/, correctionMessages.attachmentAddress));

const Attachments = v.optional(
  v.pipe(
    v.array(
      v.object({
        name: v.pipe(v.string(), v.maxLength(255)),
        url: OwnFile,
        ext: v.optional(v.pipe(v.string(), v.maxLength(20)), ''),
      }),
    ),
    v.maxLength(imageLimit, correctionMessages.attachments),
  ),
);

/** By the place of the image in the answer: its marks, or only the address of the image with them; null stays. */
const MarkedImages = v.optional(
  v.pipe(
    v.array(
      v.union([
        v.null(),
        v.pipe(
          v.string(),
          v.transform((path) => ({ draw: '', path })),
        ),
        v.pipe(
          v.record(v.string(), v.unknown()),
          // Two blanks take the marks away; neither of the two is a mistake in their names.
          v.check((image) => 'draw' in image || 'path' in image),
          v.object({
            draw: v.pipe(v.optional(v.string(), ''), v.maxLength(drawLimit, correctionMessages.marks)),
            path: v.optional(v.string(), ''),
          }),
        ),
      ]),
    ),
    v.maxLength(imageLimit, correctionMessages.images),
    v.check(
      (images) => images.every((image) => !image?.path || v.is(OwnFile, image.path)),
      correctionMessages.imageAddress,
    ),
  ),
);

const TypedMark = v.optional(v.nullable(v.union([v.number(), v.string()])));
const Version = v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))));

/** A mark as it came to be. */
const Marked = v.object({
  status: AnswerStatus,
  is_review: IsReview,
  user_score: v.nullable(v.number()),
  version: v.number(),
});
export type Marked = v.InferOutput<typeof Marked>;

/** The data of a 409 where someone else has saved the answer since. */
export const ReviewConflict = v.object({
  user_score: v.nullable(v.number()),
  name: v.string(),
  /** 1 where it was the caller, on another page or in a request whose answer was lost. */
  by_me: FlagNumber,
  version: v.number(),
});
export type ReviewConflict = v.InferOutput<typeof ReviewConflict>;

const MarkBody = v.object({
  report_id: SearchId,
  ques_id: SearchId,
  question_id: SearchId,
  version: Version,
  /** 1 save without scoring, 2 scored. */
  type: v.optional(v.picklist([1, 2]), 2),
  user_score: TypedMark,
  review_comment: LongText,
  remark: LongText,
  review_attachments: Attachments,
  image: MarkedImages,
});
/** A mark as it is sent. */
export type MarkBody = v.InferInput<typeof MarkBody>;

/**
 * Saves one answer's review. `user_score` is points with one decimal, or a rate in percent; full-width digits are
 * read. What is left out stays as it is. 409 with a ReviewConflict where someone else has saved the answer since:
 * sending their version again overwrites it.
 */
export const storeQuestion = call({
  method: 'POST',
  path: 'hw/review/storeQuestion',
  title: '保存一道题的批改',
  needs: 'correct',
  body: MarkBody,
  answer: Marked,
  message: '保存成功',
});

/** Finishes a report: once, and only when no answer waits. */
export const storeReview = call({
  method: 'POST',
  path: 'hw/review/storeReview',
  title: '完成批改',
  needs: 'correct',
  body: v.object({ ...reportScope, ...pass, comment: LongText, remark: LongText }),
  answer: v.object({ next_report_id: v.nullable(v.number()) }),
});

/** Finishes every report of the same homework whose answers are all marked: the end of a pass by question. */
export const storeReviews = call({
  method: 'POST',
  path: 'hw/review/storeReviews',
  title: '完成全部已批改的报告',
  needs: 'correct',
  body: v.object({ ...reportScope, ...pass }),
  answer: v.object({ count: v.number(), next_report_id: v.nullable(v.number()) }),
});

// ---- equal answers together --------------------------------------------------------------------

const SameAnswer = v.object({
  report_id: v.number(),
  nickname: v.string(),
  class_name: v.string(),
  version: v.number(),
});
export type SameAnswer = v.InferOutput<typeof SameAnswer>;

/** The others, as they were listed. */
const TogetherWith = v.pipe(
  v.array(v.object({ report_id: v.number(), version: v.number() })),
  v.maxLength(togetherLimit, correctionMessages.together),
);

/** The answers of other students that wait and are the same text as this one after trimming. */
export const sameAnswers = call({
  method: 'POST',
  path: 'hw/review/same',
  title: '批改：相同的答案',
  reads: true,
  needs: 'correct',
  body: v.object({ ...reportScope, ques_id: SearchId }),
  answer: v.array(SameAnswer),
});

/** Gives the same mark and comment to equal answers, all or none. */
export const storeSame = call({
  method: 'POST',
  path: 'hw/review/storeSame',
  title: '批改：为相同的答案评分',
  needs: 'correct',
  body: v.object({
    ...reportScope,
    ques_id: SearchId,
    version: Version,
    user_score: TypedMark,
    review_comment: LongText,
    answers: TogetherWith,
  }),
  answer: v.object({ batch_id: v.number(), count: v.number() }),
  message: '保存成功',
});

/** Takes back what storeSame did, except where an answer was saved since or its report is finished. */
export const undoSame = call({
  method: 'POST',
  path: 'hw/review/undoSame',
  title: '批改：撤销为相同答案的评分',
  needs: 'correct',
  body: v.object({ batch_id: SearchId }),
  answer: v.object({ undone: v.number(), kept: v.array(v.string()) }),
});

// ---- correction of exams -----------------------------------------------------------------------

/** The head of an exam's submission. Scores in points with one decimal, answer_time in seconds. */
export const ExamReportInfo = v.object({
  report_id: v.number(),
  exam_id: v.number(),
  uid: v.number(),
  test_name: v.string(),
  nickname: v.string(),
  /** 2 waiting for review, 3 reviewed. */
  test_status: v.picklist([2, 3]),
  /** Exams set scores, always. */
  is_set_score: v.literal(2),
  submit_time: Seconds,
  answer_time: v.number(),
  user_score: v.number(),
  sum_score: v.number(),
  pass_score: v.number(),
  objective_score: v.number(),
  objective_total_score: v.number(),
  subjective_score: v.number(),
  subjective_total_score: v.number(),
  comment: v.string(),
  /** Reports of this exam that wait for the caller, this one included. */
  waiting_count: v.number(),
});
export type ExamReportInfo = v.InferOutput<typeof ExamReportInfo>;

/** As on the answer sheet: `ques_type` is the exam reading. */
const ExamReviewQuestion = v.object({
  ...SheetPart.entries,
  parent_id: v.nullable(v.number()),
  /** The material, of a part of a material question. */
  parent_ques_item: v.string(),
  is_review: IsReview,
  /** Other names of `user_score` and `review_comment`. */
  get_score: v.nullable(v.number()),
  remark: v.string(),
  version: v.number(),
  reviewer_name: v.string(),
  /** Further answers that wait and are the same text. */
  same_count: v.number(),
  my_comments: v.array(v.string()),
});
export type ExamReviewQuestion = v.InferOutput<typeof ExamReviewQuestion>;

export const examReview = call({
  method: 'GET',
  path: 'testDetail/approved/:reportId',
  title: '考试批改：答卷与答题卡',
  needs: 'correct',
  query: v.object(pass),
  answer: v.object({
    report_info: ExamReportInfo,
    subject_question: v.array(ExamReviewQuestion),
    objective_question: v.array(ExamReviewQuestion),
    subject_card_info: v.array(CardItem),
    objective_card_info: v.array(CardItem),
    next_report_id: v.nullable(v.number()),
  }),
});

/** As storeQuestion, in the names of exams. */
export const storeExamQuestion = call({
  method: 'POST',
  path: 'testDetail/approveQuestion',
  title: '考试批改：保存一道题',
  needs: 'correct',
  body: v.object({
    report_id: SearchId,
    question_id: SearchId,
    version: Version,
    /** 1 save without scoring, 2 scored. */
    type: v.optional(v.picklist([1, 2]), 2),
    score: TypedMark,
    remark: LongText,
    review_attachments: Attachments,
    image: MarkedImages,
  }),
  answer: Marked,
  message: '保存成功',
});

/** Finishes a submission, once, and only when no answer waits: from now on it is passed or failed, and has a rank. */
export const storeExamReview = call({
  method: 'POST',
  path: 'testDetail/approved',
  title: '考试批改：完成批改',
  needs: 'correct',
  body: v.object({ report_id: SearchId, remark: LongText, ...pass }),
  answer: v.object({
    exam_id: v.number(),
    /** Among the reviewed reports of the exam. */
    ranking: v.number(),
    /** 1 passed, 2 failed. */
    is_pass: v.picklist([1, 2]),
    next_report_id: v.nullable(v.number()),
  }),
});

/** One question over all submissions of the exam that are not finished (`by=question`). */
export const examReviewByQuestion = call({
  method: 'POST',
  path: 'testDetail/approvedQuestion',
  title: '考试批改：一道题的全部答案',
  reads: true,
  needs: 'correct',
  body: v.object({ report_id: SearchId, question_id: SearchId, ...pass, order: searchWord(['shuffled']) }),
  answer: QuestionRound,
});

/** Finishes every submission of the same exam whose answers are all marked: the end of a pass by question. */
export const storeExamReviews = call({
  method: 'POST',
  path: 'testDetail/approvedAll',
  title: '考试批改：完成全部已批改的答卷',
  needs: 'correct',
  body: v.object({ report_id: SearchId, ...pass }),
  answer: v.object({ count: v.number(), exam_id: v.number(), next_report_id: v.nullable(v.number()) }),
});

/** As sameAnswers; a submission has no class. */
export const examSameAnswers = call({
  method: 'POST',
  path: 'testDetail/approvedSame',
  title: '考试批改：相同的答案',
  reads: true,
  needs: 'correct',
  body: v.object({ report_id: SearchId, question_id: SearchId }),
  answer: v.array(SameAnswer),
});

/** As storeSame, in the names of exams. */
export const storeExamSame = call({
  method: 'POST',
  path: 'testDetail/approveSame',
  title: '考试批改：为相同的答案评分',
  needs: 'correct',
  body: v.object({
    report_id: SearchId,
    question_id: SearchId,
    version: Version,
    score: TypedMark,
    remark: LongText,
    answers: TogetherWith,
  }),
  answer: v.object({ batch_id: v.number(), count: v.number() }),
  message: '保存成功',
});

export const undoExamSame = call({
  method: 'POST',
  path: 'testDetail/undoSame',
  title: '考试批改：撤销为相同答案的评分',
  needs: 'correct',
  body: v.object({ batch_id: SearchId }),
  answer: v.object({ undone: v.number(), kept: v.array(v.string()) }),
});

// ---- report views ------------------------------------------------------------------------------

/** A change of a mark or the end of a correction (批改记录). Marks as in `user_score`. */
const HistoryEntry = v.object({
  at: Seconds,
  name: v.string(),
  /** grade, or finish of the whole report. */
  action: v.picklist(['grade', 'undo', 'finish']),
  /** The number of the question; empty for the report. */
  sort: v.string(),
  before: v.nullable(v.number()),
  after: v.nullable(v.number()),
  comment: v.nullable(v.string()),
});
export type HistoryEntry = v.InferOutput<typeof HistoryEntry>;

const ReportQuestion = v.object({
  ...answeredQuestion,
  /** The student's pictures, at most 9, as they were handed in. */
  imgs: v.array(v.string()),
  /** Over the submitted reports of the scope; the percentage is whole, truncated from the exact sums. */
  average_right_rate: v.number(),
  average_right_percent: v.number(),
  right_count: v.number(),
  wrong_count: v.number(),
  answered_count: v.number(),
  un_answer_count: v.number(),
});
export type ReportQuestion = v.InferOutput<typeof ReportQuestion>;

/** Scores and rates as in ReportInfo; averages and the highest score are over graded reports of the scope. */
const ReportView = v.object({
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
  /** Whole percent of the questions that were answered. */
  completion_rate: v.number(),
  submit_at: Seconds,
  score: v.number(),
  object_score: v.number(),
  object_total_score: v.number(),
  subject_score: v.number(),
  subject_total_score: v.number(),
  max_score: v.number(),
  /** Spelled so in the applications that read it. */
  avarage_score: v.number(),
  user_score: v.number(),
  correct_rate: v.number(),
  max_rate: v.number(),
  average_rate: v.number(),
  end_time: Seconds,
  comment: v.string(),
  /** Who finished the correction, empty where nobody had to. */
  reviewer_name: v.string(),
  graded_at: Seconds,
});
export type ReportView = v.InferOutput<typeof ReportView>;

/** What changed on a submission of an exam, the latest first (批改记录). */
export const examReviewHistory = call({
  method: 'GET',
  path: 'testDetail/approvedHistory/:reportId',
  title: '考试批改记录',
  answer: v.array(HistoryEntry),
});

const StudentReport = v.object({
  course_arrange: v.nullable(CourseArrange),
  report: ReportView,
  report_questions: v.array(ReportQuestion),
  card_info: v.array(CardItem),
  review_history: v.array(HistoryEntry),
});
export type StudentReport = v.InferOutput<typeof StudentReport>;

export const studentReport = call({
  method: 'GET',
  path: 'student/report/:reportId',
  title: '学生作业报告',
  answer: StudentReport,
});

/** The same, compared with the report's class only. */
export const classStudentReport = call({
  method: 'GET',
  path: 'class/student/report/:reportId/:classId',
  title: '学生作业报告（班级）',
  answer: StudentReport,
});

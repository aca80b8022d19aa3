import * as v from 'valibot';
import { page, paging, SearchId, Seconds, searchWord, WholeNumber } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { AnswerStatus, answeredQuestion, CardItem, CourseArrange, ScoreMode } from './answer.contract.ts';
import {
  AnswerVersion,
  Attachments,
  EqualAnswer,
  EqualAnswersBatch,
  EqualAnswersOf,
  GradedEqualAnswers,
  LongText,
  MarkedImages,
  QuestionQueue,
  SavedMark,
  skipFields,
  TypedMark,
  UndoneEqualAnswers,
} from './mark.contract.ts';
import { JudgedBlanks, JudgmentToUndo, judgmentFields, RejudgeResult, UndoJudgmentResult } from './rejudge.contract.ts';
import { objectiveTab, subjectiveTab } from './rules.ts';

/**
 * Summary of a report. Scores are in points with one decimal; in rated homework each question counts 1 point. Rates are
 * whole percent. Decimals beyond are cut off. Times are in unix seconds, `answer_time` in seconds.
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
  /** Status of the report: 1 not submitted, 2 waiting for grading, 3 graded. */
  test_status: v.picklist([1, 2, 3]),
  /** Status of the homework: 1 published, 2 recalled. */
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
  /** Number of ungraded reports of this homework that the caller can grade, including this one. */
  waiting_count: v.number(),
  /** Number of submitted reports that the caller can grade, whether graded yet or not. */
  submitted_count: v.number(),
});
export type ReportInfo = v.InferOutput<typeof ReportInfo>;

export const ReviewQuestion = v.object({
  ...answeredQuestion,
  /** Version of the answer. It is sent back with the score, for optimistic locking. */
  version: v.number(),
  /** Name of the last reviewer; empty before the first review. */
  reviewer_name: v.string(),
  /** Number of other ungraded answers with the same text. */
  same_count: v.number(),
  /** The caller's earlier comments on this question, most frequent first. */
  my_comments: v.array(v.string()),
  /** Blanks of a fill-in answer; missing for other types. */
  blanks: v.optional(JudgedBlanks),
});
export type ReviewQuestion = v.InferOutput<typeof ReviewQuestion>;

const reportScope = { report_id: SearchId, class_id: SearchId };

const Tab = v.fallback(
  v.optional(v.pipe(WholeNumber, v.picklist([subjectiveTab, objectiveTab])), subjectiveTab),
  subjectiveTab,
);

/** Returns a report for grading. With `class_id`, the next report is of the same class. */
export const reviewReport = call({
  method: 'POST',
  path: 'hw/review/list',
  looks: true,
  title: '批改：报告信息与答题卡',
  reads: true,
  needs: 'correct',
  body: v.object({ ...reportScope, ...skipFields, type: Tab }),
  answer: v.object({
    report_info: ReportInfo,
    course_arrange: v.nullable(CourseArrange),
    /** Answer card with the questions of the requested tab. */
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

/** Returns the questions of a report with their answers; with `ques_id` only one question. */
export const reviewQuestions = call({
  method: 'POST',
  path: 'hw/review/detail',
  looks: true,
  title: '批改：题目与答案',
  reads: true,
  needs: 'correct',
  body: v.object({ ...reportScope, type: Tab, ques_id: SearchId, ...paging() }),
  answer: page(ReviewQuestion),
});

/** Returns one question with all unfinished reports of the homework (`by=question` on the grading screen). */
export const reviewByQuestion = call({
  method: 'POST',
  path: 'hw/review/question',
  title: '批改：一道题的全部答案',
  reads: true,
  needs: 'correct',
  body: v.object({ ...reportScope, ...skipFields, ques_id: SearchId, order: searchWord(['shuffled']) }),
  answer: QuestionQueue,
});

const MarkBody = v.object({
  report_id: SearchId,
  ques_id: SearchId,
  question_id: SearchId,
  version: AnswerVersion,
  /** 1: saves without a score. 2: saves the score too. */
  type: v.optional(v.picklist([1, 2]), 2),
  user_score: TypedMark,
  review_comment: LongText,
  remark: LongText,
  review_attachments: Attachments,
  image: MarkedImages,
});
export type MarkBody = v.InferInput<typeof MarkBody>;

/**
 * Saves the review of one answer. `user_score`: points with one decimal, or a rate in percent; full-width digits are
 * accepted. Missing fields stay unchanged. 409 with a `ReviewConflict`: somebody else has saved a review meanwhile.
 * Sending the version of the conflict overwrites that review.
 */
export const storeQuestion = call({
  method: 'POST',
  path: 'hw/review/storeQuestion',
  title: '保存一道题的批改',
  needs: 'correct',
  body: MarkBody,
  answer: SavedMark,
  message: '保存成功',
});

/** Finishes a report. 409: an answer is not graded yet, or the report was finished before. */
export const finishReview = call({
  method: 'POST',
  path: 'hw/review/storeReview',
  title: '完成批改',
  needs: 'correct',
  body: v.object({ ...reportScope, ...skipFields, comment: LongText, remark: LongText }),
  answer: v.object({ next_report_id: v.nullable(v.number()) }),
});

/** Finishes all fully graded reports of the same homework, after they were graded by question. */
export const finishReviews = call({
  method: 'POST',
  path: 'hw/review/storeReviews',
  title: '完成全部已批改的报告',
  needs: 'correct',
  body: v.object({ ...reportScope, ...skipFields }),
  answer: v.object({ count: v.number(), next_report_id: v.nullable(v.number()) }),
});

/** Lists other students' ungraded answers with the same trimmed text. */
export const listEqualAnswers = call({
  method: 'POST',
  path: 'hw/review/same',
  title: '批改：相同的答案',
  reads: true,
  needs: 'correct',
  body: v.object({ ...reportScope, ques_id: SearchId }),
  answer: v.array(EqualAnswer),
});

/** Gives equal answers the same score and comment: all or none. */
export const gradeEqualAnswers = call({
  method: 'POST',
  path: 'hw/review/storeSame',
  title: '批改：为相同的答案评分',
  needs: 'correct',
  body: v.object({
    ...reportScope,
    ques_id: SearchId,
    version: AnswerVersion,
    user_score: TypedMark,
    review_comment: LongText,
    answers: EqualAnswersOf,
  }),
  answer: GradedEqualAnswers,
  message: '保存成功',
});

/**
 * Reverts a batch of `gradeEqualAnswers`. Answers that were saved again meanwhile, and finished reports, stay as they
 * are.
 */
export const undoEqualAnswers = call({
  method: 'POST',
  path: 'hw/review/undoSame',
  title: '批改：撤销为相同答案的评分',
  needs: 'correct',
  body: EqualAnswersBatch,
  answer: UndoneEqualAnswers,
});

/** 改判: judges a blank right or wrong. The judgment applies to all equal answers of the homework, also to later ones. */
export const rejudgeBlank = call({
  method: 'POST',
  path: 'hw/review/rejudge',
  title: '作业批改：改判填空题的一个空',
  needs: 'correct',
  body: v.object({ report_id: SearchId, ques_id: SearchId, ...judgmentFields }),
  answer: RejudgeResult,
  message: '改判成功',
});

export const undoRejudge = call({
  method: 'POST',
  path: 'hw/review/undoRejudge',
  title: '作业批改：撤销改判',
  needs: 'correct',
  body: JudgmentToUndo,
  answer: UndoJudgmentResult,
  message: '已撤销改判',
});

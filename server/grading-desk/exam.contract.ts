/** Grading of exams: the same calls as for homework, with other field names. */
import * as v from 'valibot';
import { SheetPart } from '#server/exams/paper.contract.ts';
import { SearchId, Seconds, searchWord } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { CardItem, HistoryEntry, IsReview } from './answer.contract.ts';
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

/** Returns the submission to grade first: the oldest ungraded one. */
export const startExamGrading = call({
  method: 'POST',
  path: 'testDetail/review/id',
  title: '开始批改考试',
  reads: true,
  needs: 'correct',
  body: v.object({ test_id: SearchId }),
  answer: v.object({ report_id: v.nullable(v.number()) }),
});

/** Summary of a submission. Scores in points with one decimal; `answer_time` in seconds. */
export const ExamReportInfo = v.object({
  report_id: v.number(),
  exam_id: v.number(),
  uid: v.number(),
  test_name: v.string(),
  nickname: v.string(),
  /** Status of the submission: 2 waiting for grading, 3 graded. */
  test_status: v.picklist([2, 3]),
  /** Exams are always scored in points. */
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
  /** Number of ungraded submissions of this exam that the caller can grade, including this one. */
  waiting_count: v.number(),
  /** Number of all submissions of this exam that the caller sees, graded or not. */
  submitted_count: v.number(),
});
export type ExamReportInfo = v.InferOutput<typeof ExamReportInfo>;

/** A question as on the answer sheet, with one student's answer. `ques_type` has the codes of exams. */
const ExamReviewQuestion = v.object({
  ...SheetPart.entries,
  parent_id: v.nullable(v.number()),
  /** Text of the material question; only for its parts. */
  parent_ques_item: v.string(),
  is_review: IsReview,
  /** `get_score` and `remark` repeat `user_score` and `review_comment` under the names of exams. */
  get_score: v.nullable(v.number()),
  remark: v.string(),
  version: v.number(),
  reviewer_name: v.string(),
  /** Number of other ungraded answers with the same text. */
  same_count: v.number(),
  my_comments: v.array(v.string()),
  /** Blanks of a fill-in answer; missing for other types. */
  blanks: v.optional(JudgedBlanks),
});
export type ExamReviewQuestion = v.InferOutput<typeof ExamReviewQuestion>;

export const examReview = call({
  method: 'GET',
  path: 'testDetail/approved/:reportId',
  looks: true,
  title: '考试批改：答卷与答题卡',
  needs: 'correct',
  query: v.object(skipFields),
  answer: v.object({
    report_info: ExamReportInfo,
    subject_question: v.array(ExamReviewQuestion),
    objective_question: v.array(ExamReviewQuestion),
    subject_card_info: v.array(CardItem),
    objective_card_info: v.array(CardItem),
    next_report_id: v.nullable(v.number()),
  }),
});

/** Saves the review of one answer of an exam, like `storeQuestion` for homework, with the field names of exams. */
export const storeExamQuestion = call({
  method: 'POST',
  path: 'testDetail/approveQuestion',
  title: '考试批改：保存一道题',
  needs: 'correct',
  body: v.object({
    report_id: SearchId,
    question_id: SearchId,
    version: AnswerVersion,
    /** 1: saves without a score. 2: saves the score too. */
    type: v.optional(v.picklist([1, 2]), 2),
    score: TypedMark,
    remark: LongText,
    review_attachments: Attachments,
    image: MarkedImages,
  }),
  answer: SavedMark,
  message: '保存成功',
});

/**
 * Finishes a submission, which sets its rank and whether it passed. 409: an answer is not graded yet, or the submission
 * was finished before.
 */
export const finishExamReview = call({
  method: 'POST',
  path: 'testDetail/approved',
  title: '考试批改：完成批改',
  needs: 'correct',
  body: v.object({ report_id: SearchId, remark: LongText, ...skipFields }),
  answer: v.object({
    exam_id: v.number(),
    /**
     * Rank among the exam's students. Null in an exam without scores, and for a submission that does not count because
     * another one of the student does.
     */
    ranking: v.nullable(v.number()),
    /** 1 passed, 2 failed, 0 in an exam without scores. */
    is_pass: v.picklist([0, 1, 2]),
    next_report_id: v.nullable(v.number()),
  }),
});

/** Returns one question with all unfinished submissions of the exam (`by=question` on the grading screen). */
export const examReviewByQuestion = call({
  method: 'POST',
  path: 'testDetail/approvedQuestion',
  title: '考试批改：一道题的全部答案',
  reads: true,
  needs: 'correct',
  body: v.object({ report_id: SearchId, question_id: SearchId, ...skipFields, order: searchWord(['shuffled']) }),
  answer: QuestionQueue,
});

/** Finishes all fully graded submissions of the same exam, after they were graded by question. */
export const finishExamReviews = call({
  method: 'POST',
  path: 'testDetail/approvedAll',
  title: '考试批改：完成全部已批改的答卷',
  needs: 'correct',
  body: v.object({ report_id: SearchId, ...skipFields }),
  answer: v.object({ count: v.number(), exam_id: v.number(), next_report_id: v.nullable(v.number()) }),
});

/**
 * Lists other students' ungraded answers with the same text, like `listEqualAnswers` for homework. There is no
 * `class_id`, because a submission belongs to no class.
 */
export const listExamEqualAnswers = call({
  method: 'POST',
  path: 'testDetail/approvedSame',
  title: '考试批改：相同的答案',
  reads: true,
  needs: 'correct',
  body: v.object({ report_id: SearchId, question_id: SearchId }),
  answer: v.array(EqualAnswer),
});

/**
 * Gives equal answers of an exam the same score, like `gradeEqualAnswers` for homework, with the field names of exams.
 */
export const gradeExamEqualAnswers = call({
  method: 'POST',
  path: 'testDetail/approveSame',
  title: '考试批改：为相同的答案评分',
  needs: 'correct',
  body: v.object({
    report_id: SearchId,
    question_id: SearchId,
    version: AnswerVersion,
    score: TypedMark,
    remark: LongText,
    answers: EqualAnswersOf,
  }),
  answer: GradedEqualAnswers,
  message: '保存成功',
});

export const undoExamEqualAnswers = call({
  method: 'POST',
  path: 'testDetail/undoSame',
  title: '考试批改：撤销为相同答案的评分',
  needs: 'correct',
  body: EqualAnswersBatch,
  answer: UndoneEqualAnswers,
});

/**
 * 改判: judges a blank right or wrong. The judgment applies to all equal answers of the exam, also to finished and to
 * later submissions.
 */
export const rejudgeExamBlank = call({
  method: 'POST',
  path: 'testDetail/rejudge',
  title: '考试批改：改判填空题的一个空',
  needs: 'correct',
  body: v.object({ report_id: SearchId, question_id: SearchId, ...judgmentFields }),
  answer: RejudgeResult,
  message: '改判成功',
});

export const undoExamRejudge = call({
  method: 'POST',
  path: 'testDetail/undoRejudge',
  title: '考试批改：撤销改判',
  needs: 'correct',
  body: JudgmentToUndo,
  answer: UndoJudgmentResult,
  message: '已撤销改判',
});

/** Grading history of a submission (批改记录), latest first. */
export const examReviewHistory = call({
  method: 'GET',
  path: 'testDetail/approvedHistory/:reportId',
  looks: true,
  title: '考试批改记录',
  answer: v.array(HistoryEntry),
});

/**
 * Schemas for one answer in the grading calls: the answer with its question and score, its entry on the answer card,
 * and its history.
 */
import * as v from 'valibot';
import { Seconds } from '#server/platform/calls/fields.ts';

/** Status of an answer: 1 right, 2 wrong, 3 unanswered, 4 waiting for grading, 5 graded with part of the points. */
export const AnswerStatus = v.picklist([1, 2, 3, 4, 5]);
export type AnswerStatus = v.InferOutput<typeof AnswerStatus>;

/** Values of `is_review`: 1 graded, 2 waiting for grading. */
export const IsReview = v.picklist([1, 2]);

/** One entry of the answer card. `sort`: the displayed number, such as `3.1` for a part of a material question. */
export const CardItem = v.object({
  question_id: v.number(),
  sort: v.string(),
  is_review: IsReview,
  status: AnswerStatus,
});
export type CardItem = v.InferOutput<typeof CardItem>;

export const ScoreMode = v.picklist([1, 2]);

/** The lesson that a homework was published from. */
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

/**
 * An image of an answer: `url` as submitted, `draw` the mark-up (JSON text), `path` the image with the mark-up drawn
 * in.
 */
export const AnswerImage = v.object({ url: v.string(), draw: v.string(), path: v.string() });
export type AnswerImage = v.InferOutput<typeof AnswerImage>;

/**
 * A question with one student's answer. Texts are safe HTML with formulas as MathML. `user_score`: points, or percent
 * in rated homework; null until graded.
 */
export const answeredQuestion = {
  id: v.number(),
  sort: v.string(),
  parent_id: v.nullable(v.number()),
  /** Text of the material question; only for its parts. */
  parent_ques_item: v.string(),
  ques_type: v.picklist([1, 2, 3, 4, 5, 7]),
  ques_stem: v.string(),
  ques_option: v.array(Option),
  /** The right answer as stored: option ids, blanks joined by @@, or the reference answer. */
  right_answer: v.string(),
  /** The right answer as displayed: option letters, blanks or the reference answer. */
  right_answer_shown: v.string(),
  ques_analysis: v.string(),
  facility_value: v.picklist([1, 2, 3, 4, 5]),
  /** Full score in points. */
  ques_score: v.number(),
  /**
   * The student's answer as submitted: option ids, blanks joined by @@, or JSON {content, images} of a subjective
   * answer.
   */
  user_answer: v.string(),
  /** Text of a subjective answer, as safe HTML. */
  answer_content: v.string(),
  answerImages: v.array(AnswerImage),
  user_score: v.nullable(v.number()),
  status: AnswerStatus,
  is_review: IsReview,
  review_comment: v.string(),
  review_attachments: v.array(Attachment),
};

/** An entry of the grading history (批改记录). `before` and `after` are scores in the unit of `user_score`. */
export const HistoryEntry = v.object({
  at: Seconds,
  name: v.string(),
  /**
   * `finish` and `resubmit` concern the whole report. `resubmit`: the exam was extended and the student submitted
   * again.
   */
  action: v.picklist(['grade', 'undo', 'finish', 'rejudge', 'resubmit']),
  /** Displayed number of the question; empty for the whole report. */
  sort: v.string(),
  before: v.nullable(v.number()),
  after: v.nullable(v.number()),
  comment: v.nullable(v.string()),
});
export type HistoryEntry = v.InferOutput<typeof HistoryEntry>;

/** Fields shared by the grading of homework and of exams: scores, and grading by question. */
import * as v from 'valibot';
import { bodyId, FlagNumber, maxCount, SearchId, SearchIds, withoutControls } from '#server/platform/calls/fields.ts';
import { AnswerStatus, IsReview } from './answer.contract.ts';
import { commentFault, drawLimit, equalAnswersLimit, gradingMessages, imageLimit } from './rules.ts';

/** Ids of reports that the grader skipped; they are not offered as the next report. */
export const skipFields = { skip: SearchIds };

export const QuestionQueue = v.object({
  /** Number of answers by status, over all students. */
  counts: v.object({
    total: v.number(),
    right: v.number(),
    wrong: v.number(),
    unanswered: v.number(),
    waiting: v.number(),
    reviewed: v.number(),
  }),
  /** Position of the current report in the queue, from 0. */
  position: v.number(),
  /** Reports before and after the current one, in queue order. */
  list: v.array(
    v.object({
      report_id: v.number(),
      position: v.number(),
      nickname: v.string(),
      status: AnswerStatus,
      user_score: v.nullable(v.number()),
    }),
  ),
  /** Next report whose answer is not graded. At the end of the queue the search goes on from its start. */
  next_report_id: v.nullable(v.number()),
  /** Number of unfinished reports whose answers are all graded; `finishReviews` finishes these reports. */
  finishable_count: v.number(),
});
export type QuestionQueue = v.InferOutput<typeof QuestionQueue>;

/**
 * A comment. A rule checks its length instead of this schema, so that the message is Chinese and the text is not cut
 * off.
 */
export const LongText = v.optional(
  v.pipe(
    v.string(),
    withoutControls,
    v.transform((text) => text.replaceAll('\r\n', '\n')),
    v.check((text) => commentFault(text) === undefined, gradingMessages.commentLength),
  ),
);

/** Address of a file that was uploaded to this school. No other address is displayed or opened. */
const OwnFile = v.pipe(v.string(), v.regex(/^\/files\/(?!.*\.\.)[\w\-./%?=&]+$/, gradingMessages.attachmentAddress));

export const Attachments = v.optional(
  v.pipe(
    v.array(
      v.object({
        name: v.pipe(v.string(), v.maxLength(255)),
        url: OwnFile,
        ext: v.optional(v.pipe(v.string(), v.maxLength(20)), ''),
      }),
    ),
    v.maxLength(imageLimit, gradingMessages.attachments),
  ),
);

/**
 * Mark-up by position of the image in the answer: the drawing and the address of the image with the mark-up, or only
 * the address. Null keeps the mark-up unchanged.
 */
export const MarkedImages = v.optional(
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
          // Two empty fields remove the mark-up. Two missing fields are an error, because the names may be misspelt.
          v.check((image) => 'draw' in image || 'path' in image),
          v.object({
            draw: v.pipe(v.optional(v.string(), ''), v.maxLength(drawLimit, gradingMessages.marks)),
            path: v.optional(v.string(), ''),
          }),
        ),
      ]),
    ),
    v.maxLength(imageLimit, gradingMessages.images),
    v.check(
      (images) => images.every((image) => !image?.path || v.is(OwnFile, image.path)),
      gradingMessages.imageAddress,
    ),
  ),
);

export const TypedMark = v.optional(v.nullable(v.union([v.number(), v.string()])));

export const AnswerVersion = v.optional(
  v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxCount))),
);

/** The graded answer after saving. */
export const SavedMark = v.object({
  status: AnswerStatus,
  is_review: IsReview,
  user_score: v.nullable(v.number()),
  version: v.number(),
});
export type SavedMark = v.InferOutput<typeof SavedMark>;

/** `data` of a 409: the review that somebody else has saved meanwhile. */
export const ReviewConflict = v.object({
  user_score: v.nullable(v.number()),
  name: v.string(),
  /** 1: the caller saved it, in another tab or by a request whose answer was lost. */
  by_me: FlagNumber,
  version: v.number(),
});
export type ReviewConflict = v.InferOutput<typeof ReviewConflict>;

export const EqualAnswer = v.object({
  report_id: v.number(),
  nickname: v.string(),
  class_name: v.string(),
  version: v.number(),
});
export type EqualAnswer = v.InferOutput<typeof EqualAnswer>;

/** The equal answers to grade, each with the version that the grader saw. */
export const EqualAnswersOf = v.pipe(
  v.array(v.object({ report_id: bodyId(gradingMessages.noAnswers), version: v.number() })),
  v.maxLength(equalAnswersLimit, gradingMessages.together),
);

/** A batch of equal answers, and the result of its undo. */
export const GradedEqualAnswers = v.object({ batch_id: v.number(), count: v.number() });
export const EqualAnswersBatch = v.object({ batch_id: SearchId });
export const UndoneEqualAnswers = v.object({ undone: v.number(), kept: v.array(v.string()) });

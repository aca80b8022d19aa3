/** A mark as it is sent and kept, and one question over all who answered it: what homework and exams have in common. */
import * as v from 'valibot';
import { bodyId, FlagNumber, maxCount, SearchId, SearchIds, withoutControls } from '#server/platform/calls/fields.ts';
import { AnswerStatus, IsReview } from './answer.contract.ts';
import { commentFault, correctionMessages, drawLimit, imageLimit, togetherLimit } from './rules.ts';

/** Reports that were skipped in this pass: they are not offered again. */
export const pass = { skip: SearchIds };

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

/** A text field whose length the rule judges, so that the sentence is Chinese and nothing is cut. */
export const LongText = v.optional(
  v.pipe(
    v.string(),
    withoutControls,
    v.transform((text) => text.replaceAll('\r\n', '\n')),
    v.check((text) => commentFault(text) === undefined, correctionMessages.commentLength),
  ),
);

/** An address of a file that was uploaded here: nothing else is ever shown or opened. */
const OwnFile = v.pipe(v.string(), v.regex(/^\/files\/(?!.*\.\.)[\w\-./%?=&]+$/, correctionMessages.attachmentAddress));

export const Attachments = v.optional(
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

export const TypedMark = v.optional(v.nullable(v.union([v.number(), v.string()])));

export const Version = v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxCount))));

/** A mark as it came to be. */
export const Marked = v.object({
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

export const SameAnswer = v.object({
  report_id: v.number(),
  nickname: v.string(),
  class_name: v.string(),
  version: v.number(),
});
export type SameAnswer = v.InferOutput<typeof SameAnswer>;

/** The others, as they were listed. */
export const TogetherWith = v.pipe(
  v.array(v.object({ report_id: bodyId(correctionMessages.noAnswers), version: v.number() })),
  v.maxLength(togetherLimit, correctionMessages.together),
);

/** Equal answers that were marked at one go, and what taking that back came to. */
export const StoredSame = v.object({ batch_id: v.number(), count: v.number() });
export const SameBatch = v.object({ batch_id: SearchId });
export const UndoneSame = v.object({ undone: v.number(), kept: v.array(v.string()) });

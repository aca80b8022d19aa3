/** Judgments of blanks (改判): fields shared by homework and exams. */
import * as v from 'valibot';
import { SearchId, TypedText } from '#server/platform/calls/fields.ts';

/** Blanks of a fill-in answer that a grader may judge. `right`: 1 right, 2 wrong. */
export const JudgedBlanks = v.array(
  v.object({
    blank: v.number(),
    answer: v.string(),
    right: v.picklist([1, 2]),
    judgment: v.nullable(v.object({ id: v.number(), name: v.string(), reason: v.string() })),
  }),
);

export const judgmentFields = {
  /** Number of the blank, from 1. */
  blank: SearchId,
  /** 1 right, 2 wrong. */
  right: v.fallback(v.optional(v.picklist([1, 2])), undefined),
  reason: TypedText,
};

/** Result of a judgment. `count`: number of answers whose score changed. */
export const RejudgeResult = v.object({ judgment_id: v.number(), count: v.number() });
export const JudgmentToUndo = v.object({ judgment_id: SearchId });
export const UndoJudgmentResult = v.object({ count: v.number() });

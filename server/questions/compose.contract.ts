/** Rules by which questions are chosen for a homework or an exam. The calls of both share these fields. */
import * as v from 'valibot';
import {
  SearchCount,
  SearchId,
  searchOneOf,
  searchWord,
  TypedText,
  withoutControls,
} from '#server/platform/calls/fields.ts';
import { QuestionPreview } from './contract.ts';
import { facilityValues, questionTypes } from './rules.ts';

/** A number as typed, kept as text. */
const TypedNumber = v.fallback(
  v.pipe(
    v.union([v.pipe(v.number(), v.transform(String)), v.pipe(v.string(), withoutControls)]),
    v.transform((text) => text.normalize('NFKC').trim()),
  ),
  '',
);

/**
 * `bank`: the own bank unless `public`. `point`: name or path of a knowledge point; points below it are included.
 * `tag`: the user's own tags; a question must have all of them. `from` and `to`: difficulties. `score`: points of each question, and of each part of a material question; '' for the
 * usual ones.
 */
export const RuleRow = v.object({
  bank: searchWord(['mine', 'public']),
  point: TypedText,
  tag: TypedText,
  ques_type: searchOneOf(questionTypes),
  from: searchOneOf(facilityValues),
  to: searchOneOf(facilityValues),
  count: TypedNumber,
  score: TypedNumber,
});

/** A question that was exchanged for another one. */
const Swap = v.tuple([v.number(), v.number()]);
export type Swap = v.InferOutput<typeof Swap>;

/** Fields of the rule beside its rows. */
export const ruleFields = {
  /** Leaves out questions that the user gave within these days; '' or 0 for none. */
  unused_days: TypedNumber,
  /** Equal seeds choose equal questions. Chosen by the server if missing. */
  seed: SearchCount,
  /** Exchanges in order. One that no longer fits is dropped. */
  swaps: v.fallback(v.pipe(v.array(Swap), v.maxLength(500)), []),
  /** Chosen question to exchange for another one of its row. */
  exchange: SearchId,
};

export const RuleQuestion = v.object({
  id: v.number(),
  stem_text: v.string(),
  ques_type: v.picklist(questionTypes),
  facility_value: v.picklist(facilityValues),
  preview: v.optional(QuestionPreview),
  point_name: v.string(),
});
export type RuleQuestion = v.InferOutput<typeof RuleQuestion>;

/** `matching`: number of questions that fit the row. `lacking`: number that the row could not choose. */
export const ChosenRow = v.object({
  matching: v.number(),
  lacking: v.number(),
  questions: v.array(RuleQuestion),
});
export type ChosenRow = v.InferOutput<typeof ChosenRow>;

export const ChosenByRule = v.object({ seed: v.number(), swaps: v.array(Swap), rows: v.array(ChosenRow) });
export type ChosenByRule = v.InferOutput<typeof ChosenByRule>;

/** What readers reported of questions, as the administration looks at it, and what comes of it. */
import * as v from 'valibot';
import {
  FlagNumber,
  page,
  paging,
  SearchText,
  Seconds,
  searchOneOf,
  searchWord,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { adminCall, call } from '#server/school/call.ts';
import { QuestionDetail, WrittenQuestion } from './contract.ts';
import { correctionOutcomes, correctionTypes } from './rules.ts';

export const correctionStates = ['waiting', 'corrected', 'answered', 'dismissed', 'all'] as const;

/** `name` is looked for in stems and in the names of who reported. */
export const CorrectionFilter = v.object({
  /** Those that wait, where it is left out. */
  state: searchWord(correctionStates),
  name: SearchText,
  type: searchOneOf(correctionTypes),
  ...paging(),
});
export type CorrectionFilter = v.InferOutput<typeof CorrectionFilter>;

const answered = {
  /** 1 the question was corrected, 2 answered, 3 dismissed; null: it waits. */
  outcome: v.nullable(v.picklist(correctionOutcomes)),
  reply: v.string(),
  decided_by: v.string(),
  decided_at: v.nullable(Seconds),
};

const reported = {
  id: v.number(),
  /** As it read when it was reported. */
  stem_text: v.string(),
  type: v.picklist(correctionTypes),
  error_msg: v.string(),
  created_at: Seconds,
  reporter: v.string(),
  /** Whose question it is; '' where it was deleted. */
  owner: v.string(),
  school_name: v.string(),
  is_public: FlagNumber,
  ...answered,
};

export const CorrectionRow = v.object(reported);
export type CorrectionRow = v.InferOutput<typeof CorrectionRow>;

export const listCorrections = adminCall({
  method: 'GET',
  path: 'corrections',
  title: '题目纠错',
  needs: 'teaching',
  query: CorrectionFilter,
  answer: page(CorrectionRow),
});

/** `effect`: what a change of the question means for homework and exams that run; '': nothing. */
export const CorrectionDetail = v.object({
  ...reported,
  /** Null where it was deleted. */
  question: v.nullable(QuestionDetail),
  /** Other reports of the same question that wait: they are decided with it. */
  others: v.number(),
  effect: v.string(),
  seen: v.string(),
  /** Until when the actor may take their decision back; null: not, or not any more. */
  undo_until: v.nullable(Seconds),
});
export type CorrectionDetail = v.InferOutput<typeof CorrectionDetail>;

export const showCorrection = adminCall({
  method: 'GET',
  path: 'corrections/:id',
  title: '题目纠错详情',
  needs: 'teaching',
  answer: CorrectionDetail,
});

/** `outcome`: 2 answered, for which there must be a `reply`; 3 dismissed. */
export const answerCorrection = adminCall({
  method: 'POST',
  path: 'corrections/:id/answer',
  title: '回复或驳回题目纠错',
  needs: 'teaching',
  body: v.object({ outcome: searchOneOf([2, 3]), reply: TypedText }),
  answer: v.null(),
  message: '处理成功，十分钟内可以撤销',
});

/** It waits again. */
export const undoCorrection = adminCall({
  method: 'POST',
  path: 'corrections/:id/undo',
  title: '撤销题目纠错的处理',
  needs: 'teaching',
  answer: v.null(),
  message: '已撤销，纠错重新等待处理',
});

/**
 * Changes the question. All its reports that wait are corrected with it. `acknowledged` is the `effect`, where there is
 * one; `seen` what the record said of itself when the form was opened.
 */
export const correctReported = adminCall({
  method: 'PUT',
  path: 'corrections/:id/question',
  title: '更正题目',
  needs: 'teaching',
  body: v.object({ ...WrittenQuestion.entries, acknowledged: TypedText, seen: TypedText }),
  answer: v.null(),
  message: '题目已更正',
});

export const OwnCorrection = v.object({
  id: v.number(),
  type: v.picklist(correctionTypes),
  error_msg: v.string(),
  created_at: Seconds,
  ...answered,
});
export type OwnCorrection = v.InferOutput<typeof OwnCorrection>;

/** What the caller reported of a question, and what came of it, the latest first. */
export const ownCorrections = call({
  method: 'GET',
  path: 'ques/corrections/:id',
  title: '我提交的纠错',
  needs: 'dispatch',
  answer: v.array(OwnCorrection),
});

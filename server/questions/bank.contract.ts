/** Administrators' calls for all question banks: which questions are public, and which knowledge points they have. */
import * as v from 'valibot';
import {
  FlagNumber,
  page,
  paging,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
  searchOneOf,
  searchWord,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { QuestionDetail } from './contract.ts';
import { facilityValues, questionTypes } from './rules.ts';

export const banks = ['public', 'own'] as const;

/** `owner`: search text for names and user names. `point_id`: a knowledge point; points below it are included. */
export const BankFilter = v.object({
  /** Without `bank`, the list shows the public bank. `own`: questions that are not public. */
  bank: searchWord(banks),
  ques_stem: SearchText,
  owner: SearchText,
  ques_type: searchOneOf(questionTypes),
  facility_value: searchOneOf(facilityValues),
  point_id: SearchId,
  ...paging(),
});
export type BankFilter = v.InferOutput<typeof BankFilter>;

export const BankQuestion = v.object({
  id: v.number(),
  stem_text: v.string(),
  ques_type: v.picklist(questionTypes),
  facility_value: v.picklist(facilityValues),
  updated_at: Seconds,
  is_public: FlagNumber,
  /** Name of the question's owner. */
  owner: v.string(),
  school_name: v.string(),
  point_id: v.nullable(v.number()),
  point_name: v.string(),
});
export type BankQuestion = v.InferOutput<typeof BankQuestion>;

export const listBank = adminCall({
  method: 'GET',
  path: 'questions',
  title: '题库管理',
  needs: 'teaching',
  query: BankFilter,
  answer: page(BankQuestion),
});

/** Knowledge points in the order of the tree. `depth`: level in the tree, from 0. */
export const PointWithDepth = v.object({ id: v.number(), name: v.string(), depth: v.number() });
export type PointWithDepth = v.InferOutput<typeof PointWithDepth>;

export const bankPoints = adminCall({
  method: 'GET',
  path: 'questions/points',
  title: '题库的知识点',
  needs: 'teaching',
  answer: v.array(PointWithDepth),
});

/** `collected`: number of users who have the question in their collection. */
export const BankQuestionDetail = v.object({
  ...QuestionDetail.entries,
  owner: v.string(),
  school_name: v.string(),
  collected: v.number(),
});
export type BankQuestionDetail = v.InferOutput<typeof BankQuestionDetail>;

export const showBankQuestion = adminCall({
  method: 'GET',
  path: 'questions/:id',
  title: '题库中的题目',
  needs: 'teaching',
  answer: BankQuestionDetail,
});

/** Says what publishing or withdrawing questions does to others; '' if nothing. */
export const sharingEffect = adminCall({
  method: 'GET',
  path: 'questions/share/effect',
  title: '公开或撤回题目的影响',
  needs: 'teaching',
  query: v.object({ ids: SearchIds, is_public: searchOneOf([0, 1]) }),
  answer: v.object({ effect: v.string(), questions: v.array(v.object({ id: v.number(), stem_text: v.string() })) }),
});

/**
 * Publishes or withdraws all of the questions or none. `acknowledged`: the `effect`, if any. `point_id`: new knowledge
 * point.
 */
export const shareQuestions = adminCall({
  method: 'POST',
  path: 'questions/share',
  title: '公开或撤回题目',
  needs: 'teaching',
  body: v.object({ ids: SearchIds, is_public: searchOneOf([0, 1]), point_id: SearchId, acknowledged: TypedText }),
  answer: v.object({ count: v.number() }),
  message: '保存成功',
});

/** Moves all of the questions or none to a knowledge point; without `point_id`, to none. */
export const moveQuestions = adminCall({
  method: 'POST',
  path: 'questions/move',
  title: '移动题目到知识点',
  needs: 'teaching',
  body: v.object({ ids: SearchIds, point_id: SearchId }),
  answer: v.object({ count: v.number() }),
  message: '保存成功',
});

/** Renders texts for the question form while an administrator writes. */
export const displayAdminTexts = adminCall({
  method: 'POST',
  path: 'questions/display',
  title: '预览题目内容',
  reads: true,
  body: v.object({ texts: v.fallback(v.pipe(v.array(TypedText), v.maxLength(500)), []) }),
  answer: v.array(v.string()),
});

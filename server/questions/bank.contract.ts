/** All question banks as administrators manage them: which questions are public, and their knowledge points. */
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

/** `owner`: search text for names and user names. `point_id` includes everything below the point. */
export const BankFilter = v.object({
  /** Default: the public bank. `own`: questions that are not public. */
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
  /** Name of the owner. */
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

/** Points in tree order; `depth` from 0. */
export const PointWithDepth = v.object({ id: v.number(), name: v.string(), depth: v.number() });
export type PointWithDepth = v.InferOutput<typeof PointWithDepth>;

export const bankPoints = adminCall({
  method: 'GET',
  path: 'questions/points',
  title: '题库的知识点',
  needs: 'teaching',
  answer: v.array(PointWithDepth),
});

/** `collected`: number of users who collected it. */
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

/** Describes the effect on others of publishing or withdrawing questions, '' if none. */
export const sharingEffect = adminCall({
  method: 'GET',
  path: 'questions/share/effect',
  title: '公开或撤回题目的影响',
  needs: 'teaching',
  query: v.object({ ids: SearchIds, is_public: searchOneOf([0, 1]) }),
  answer: v.object({ effect: v.string(), questions: v.array(v.object({ id: v.number(), stem_text: v.string() })) }),
});

/**
 * Publishes or withdraws all or none. `acknowledged` repeats the `effect` if there is one; `point_id`: new knowledge
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

/** Moves all or none. Without `point_id`: to no point. */
export const moveQuestions = adminCall({
  method: 'POST',
  path: 'questions/move',
  title: '移动题目到知识点',
  needs: 'teaching',
  body: v.object({ ids: SearchIds, point_id: SearchId }),
  answer: v.object({ count: v.number() }),
  message: '保存成功',
});

/** Renders texts while an administrator writes a question. */
export const displayAdminTexts = adminCall({
  method: 'POST',
  path: 'questions/display',
  title: '预览题目内容',
  reads: true,
  body: v.object({ texts: v.fallback(v.pipe(v.array(TypedText), v.maxLength(500)), []) }),
  answer: v.array(v.string()),
});

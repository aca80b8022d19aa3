/** The question bank (document 1, sections 2 and 7; document 3, section 7). */
import * as v from 'valibot';
import { call } from '#server/http/call.ts';
import { page, paging, SearchText, Seconds, searchOneOf } from '#server/http/fields.ts';

/** The canonical codes (decisions, section 3). */
export const questionTypes = [1, 2, 3, 4, 5, 6, 7] as const;
export const facilityValues = [1, 2, 3, 4, 5] as const;

export const QuestionFilter = v.object({
  ques_stem: SearchText,
  ques_type: searchOneOf(questionTypes),
  facility_value: searchOneOf(facilityValues),
  remark: SearchText,
  ...paging(),
});
export type QuestionFilter = v.InferOutput<typeof QuestionFilter>;

/** A row of the actor's own questions; `stem_text` is the stem without markup. */
export const QuestionRow = v.object({
  id: v.number(),
  ques_stem: v.string(),
  stem_text: v.string(),
  ques_type: v.picklist(questionTypes),
  facility_value: v.picklist(facilityValues),
  remark: v.string(),
  updated_at: Seconds,
});
export type QuestionRow = v.InferOutput<typeof QuestionRow>;

export const listQuestions = call({
  method: 'GET',
  path: 'ques/index',
  title: '我的题目',
  needs: 'dispatch',
  query: QuestionFilter,
  answer: page(QuestionRow),
});

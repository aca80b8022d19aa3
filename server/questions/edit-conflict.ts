/** Detects that two users edited the same question at the same time, in a bank or on a paper. */

import { type Edit, editConflict } from '#server/platform/calls/optimistic-edit.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import { plainText } from '#server/platform/text/plain-text.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { ignoreCaseNames, type QuestionDraft } from './rules.ts';

type Written = Omit<QuestionDraft, 'ques_item' | 'tags'>;

/** Returns the editable content of a question in a fixed order. */
export const questionContent = (question: Written & { ques_item?: readonly Written[] }) => ({
  ques_type: question.ques_type,
  ques_stem: question.ques_stem,
  ques_option: question.ques_option,
  right_answer: question.right_answer,
  ignore_case: question.ignore_case,
  ques_analysis: question.ques_analysis,
  facility_value: question.facility_value,
  remark: question.remark,
  ques_item: question.ques_item?.map(partOf) ?? [],
});
const partOf = (item: Written) => ({
  ques_type: item.ques_type,
  ques_stem: item.ques_stem,
  ques_option: item.ques_option,
  right_answer: item.right_answer,
  ignore_case: item.ignore_case,
  ques_analysis: item.ques_analysis,
  facility_value: item.facility_value,
  remark: item.remark,
});
export type QuestionContent = ReturnType<typeof questionContent>;

const fieldNames: Record<keyof QuestionContent, string> = {
  ques_type: '题型',
  ques_stem: '题干',
  ques_option: '选项',
  right_answer: '答案',
  ignore_case: '大小写',
  ques_analysis: '解析',
  facility_value: '难度',
  remark: '备注',
  ques_item: '小题',
};

/** Maximum characters shown of a long text. */
const shownLength = 40;

function conflictText(value: unknown): string {
  const text = plainText(
    Array.isArray(value)
      ? value.map((part: { content?: string; ques_stem?: string }) => part.content ?? part.ques_stem ?? '').join('；')
      : String(value),
  );
  return lengthOf(text) > shownLength ? `${[...text].slice(0, shownLength).join('')}…` : text || '空';
}

/** 409 with both values of each field that two users changed. `by`: name of the other user. */
export const questionConflict = (both: Edit<QuestionContent>, by: string): Refusal =>
  editConflict(both, {
    by,
    nameOf: fieldNames,
    shown: (field, value) => (field === 'ignore_case' ? ignoreCaseNames[value === 1 ? 1 : 0] : conflictText(value)),
  });

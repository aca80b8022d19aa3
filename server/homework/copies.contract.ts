/** Copies of earlier homework for the publish form: the whole homework, single questions, and remedial homework. */

import * as v from 'valibot';
import { scoreSettings } from '#server/grading/rules.ts';
import {
  FlagNumber,
  IdList,
  page,
  paging,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
} from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { homeworkTypes, publishScopes, rightAnswersChoices } from './rules.ts';

/** A homework whose questions can be copied. Times in unix seconds. */
export const EarlierHomework = v.object({
  id: v.number(),
  name: v.string(),
  type: v.picklist(homeworkTypes),
  status: v.picklist([1, 2]),
  course_title: v.string(),
  periods_title: v.string(),
  publisher_name: v.string(),
  publish_time: Seconds,
  question_count: v.number(),
});
export type EarlierHomework = v.InferOutput<typeof EarlierHomework>;

export const EarlierHomeworkFilter = v.object({ name: SearchText, ...paging() });
export type EarlierHomeworkFilter = v.InferOutput<typeof EarlierHomeworkFilter>;

export const earlierHomework = call({
  method: 'GET',
  path: 'hw/history',
  title: '历史作业',
  needs: 'dispatch',
  query: EarlierHomeworkFilter,
  answer: page(EarlierHomework),
});

const Option = v.object({ id: v.number(), content: v.string(), is_right: v.picklist([1, 2]) });

const questionFields = {
  id: v.number(),
  /** Id of the bank question that this question was copied from. */
  source_id: v.nullable(v.number()),
  ques_type: v.picklist([1, 2, 3, 4, 5, 6, 7]),
  /** The stem is HTML, and so are options, analysis and the answer of a short answer question. */
  ques_stem: v.string(),
  ques_option: v.array(Option),
  right_answer: v.string(),
  /** 1: the blanks of a fill-in question ignore case. */
  ignore_case: FlagNumber,
  ques_analysis: v.string(),
  facility_value: v.number(),
  remark: v.string(),
  /** Points with at most one decimal; for a material question the sum of its parts. */
  ques_score: v.number(),
};

/** The homework's own copy of a question, with all fields needed to publish it again. */
export const HomeworkQuestion = v.object({ ...questionFields, ques_item: v.array(v.object(questionFields)) });
export type HomeworkQuestion = v.InferOutput<typeof HomeworkQuestion>;

export const earlierQuestions = call({
  method: 'GET',
  path: 'hw/choose/:ids?',
  title: '历史作业的题目',
  needs: 'dispatch',
  params: { ids: IdList },
  answer: v.array(HomeworkQuestion),
});

export const HomeworkSettings = v.object({
  name: v.string(),
  course_basis_id: v.number(),
  course_title: v.string(),
  type: v.picklist(homeworkTypes),
  course_periods_id: v.nullable(v.number()),
  publish_scope: v.picklist(publishScopes),
  child_course_basis_ids: v.array(v.number()),
  remark: v.string(),
  ending_time: Seconds,
  is_set_score: v.picklist(scoreSettings),
  right_answers: v.picklist(rightAnswersChoices),
  arrange_id: v.nullable(v.number()),
  arrange_type: v.nullable(v.number()),
});
export type HomeworkSettings = v.InferOutput<typeof HomeworkSettings>;

export const copyHomework = call({
  method: 'GET',
  path: 'hw/copy/:id',
  title: '复制作业',
  needs: 'dispatch',
  answer: v.object({
    hw_info: HomeworkSettings,
    question: v.array(HomeworkQuestion),
    /** Classes that the homework was published to. */
    classes: v.array(v.object({ id: v.number(), name: v.string() })),
  }),
});

/**
 * Remedial homework: questions that were answered wrong, and the classes in question. `students`: number of students of
 * the class who answered one of them wrong.
 */
export const RemedialHomework = v.object({
  hw_info: HomeworkSettings,
  question: v.array(HomeworkQuestion),
  classes: v.array(v.object({ id: v.number(), name: v.string(), students: v.number() })),
});
export type RemedialHomework = v.InferOutput<typeof RemedialHomework>;

/** `ques_ids`: questions to give again; empty for all questions that some student answered wrong. */
export const remedialHomework = call({
  method: 'GET',
  path: 'hw/remedial/:id',
  title: '订正作业',
  needs: 'dispatch',
  query: v.object({ ques_ids: SearchIds, class_id: SearchId }),
  answer: RemedialHomework,
});

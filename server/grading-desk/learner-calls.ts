/** Declares the calls of learners that read homework: addresses, inputs, answers, examples. */

import * as v from 'valibot';
import { scoreSettings } from '#server/grading/rules.ts';
import { QueryUid } from '#server/learners/application.ts';
import { call } from '#server/platform/calls/call.ts';
import { FlagNumber, IdAndName, Seconds, searchWord } from '#server/platform/calls/fields.ts';
import { ChangeFilter, changesOf } from '#server/school/change-feed.ts';

export const HomeworkRow = v.object({
  id: v.number(),
  name: v.string(),
  /** Type of the homework: 1 of a course, 2 of a period. */
  type: v.picklist([1, 2]),
  course: IdAndName,
  /** Title of the period; empty for course homework. */
  period_title: v.string(),
  class: IdAndName,
  publish_time: Seconds,
  ending_time: Seconds,
  /**
   * `open`: the learner can still submit. `missed`: the deadline passed without a submission. `waiting`: submitted, not
   * graded yet.
   */
  state: v.picklist(['open', 'missed', 'waiting', 'graded', 'recalled']),
  submit_time: v.nullable(Seconds),
  graded_at: v.nullable(Seconds),
  /** 1 rated in percent, 2 scored in points. */
  is_set_score: v.picklist(scoreSettings),
  /** Points; null until graded. */
  user_score: v.nullable(v.number()),
  /** Whole percent; null until graded. */
  correct_rate: v.nullable(v.number()),
});
export type HomeworkRow = v.InferOutput<typeof HomeworkRow>;

const exampleRow: HomeworkRow = {
  id: 31,
  name: '集合练习',
  type: 2,
  course: { id: 8, name: '高一数学' },
  period_title: '第一讲 集合',
  class: { id: 3, name: '高一(2)班' },
  publish_time: 1795060800,
  ending_time: 1795233600,
  state: 'open',
  submit_time: null,
  graded_at: null,
  is_set_score: 2,
  user_score: null,
  correct_rate: null,
};

export const listHomework = call({
  method: 'GET',
  path: '/api/app/homework',
  title: '学员的作业',
  description:
    'state 为 open（待提交）或 done（已提交或已截止）；不带 state 时包括已撤回的，用于持续同步：把应答的 since 带入下一次请求，得到此后变化的作业。',
  query: v.object({ uid: QueryUid, state: searchWord(['open', 'done']), ...ChangeFilter }),
  answer: changesOf(HomeworkRow),
  example: {
    query: { uid: 12, state: 'open' },
    answer: { list: [exampleRow], since: '1795060800-31', more: 0 },
  },
});

const Image = v.object({ url: v.string(), draw: v.string(), path: v.string() });

export const Question = v.object({
  id: v.number(),
  /** Displayed number, such as `3`, or `3.1` for a part of a material question. */
  sort: v.string(),
  /** HTML of the material question, if the question is a part of one. */
  material: v.string(),
  ques_type: v.number(),
  ques_stem: v.string(),
  ques_option: v.array(v.object({ id: v.number(), content: v.string() })),
  /** Number of blanks of a fill-in question. */
  blanks: v.number(),
  ques_score: v.number(),
  /** The learner's answer; empty until submitted. */
  user_answer: v.string(),
  answer_content: v.string(),
  answer_images: v.array(Image),
  /**
   * Result of the answer; null until graded. The right answer and its analysis stay empty until the learner may see
   * them.
   */
  result: v.nullable(
    v.object({
      /** 1 right, 2 wrong, 3 unanswered, 5 graded with part of the points. */
      status: v.number(),
      user_score: v.nullable(v.number()),
      right_answer: v.string(),
      /** Right answer and analysis are HTML. */
      right_answer_shown: v.string(),
      ques_analysis: v.string(),
      review_comment: v.string(),
      review_attachments: v.array(v.object({ url: v.string(), name: v.string(), ext: v.string() })),
    }),
  ),
});

export const HomeworkDetail = v.object({
  ...HomeworkRow.entries,
  remark: v.string(),
  /** 1: the answer of this call includes right answers and analyses. */
  answers_shown: FlagNumber,
  questions: v.array(Question),
  /** Draft: answers that were saved but not submitted yet. */
  draft: v.nullable(
    v.object({
      version: v.number(),
      answer_time: v.number(),
      saved_at: Seconds,
      answers: v.array(v.object({ ques_id: v.number(), user_answer: v.string() })),
    }),
  ),
  /** Result of the whole report; null until graded. */
  result: v.nullable(
    v.object({ user_score: v.number(), sum_score: v.number(), correct_rate: v.number(), comment: v.string() }),
  ),
});

export const showHomework = call({
  method: 'GET',
  path: '/api/app/homework/:hwId',
  title: '学员的一份作业',
  description:
    '批改完成后有得分、评语和批注过的图片（answer_images 的 path）。正确答案与解析在批改完成且截止后给出，布置时选择“批改后立即可见”的批改完成即给出（answers_shown 为1）；此前为空。',
  query: v.object({ uid: QueryUid }),
  answer: HomeworkDetail,
  example: {
    params: { hwId: 31 },
    query: { uid: 12 },
    answer: {
      ...exampleRow,
      remark: '',
      answers_shown: 0,
      questions: [
        {
          id: 201,
          sort: '1',
          material: '',
          ques_type: 1,
          ques_stem: '<p>下列是集合的是</p>',
          ques_option: [
            { id: 1, content: '<p>很大的数</p>' },
            { id: 2, content: '<p>小于5的自然数</p>' },
          ],
          blanks: 0,
          ques_score: 5,
          user_answer: '',
          answer_content: '',
          answer_images: [],
          result: null,
        },
      ],
      draft: { version: 1, answer_time: 120, saved_at: 1795147200, answers: [{ ques_id: 201, user_answer: '2' }] },
      result: null,
    },
  },
});

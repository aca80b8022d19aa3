/**
 * Exams as an administrator makes them. Scores travel in points, times are unix seconds. What is typed into a number
 * comes as text or as a number, and nothing of it is lost where it is refused.
 */

import * as v from 'valibot';
import { meantNumber } from '#server/grading/rules.ts';
import {
  FlagNumber,
  fieldsRule,
  Named,
  OneLine,
  page,
  paging,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
  searchWord,
  TypedText,
  WholeNumber,
  withoutControls,
} from '#server/platform/calls/fields.ts';
import { latestSecond } from '#server/platform/calls/rules.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { Count, ExamCategory, Score } from './contract.ts';
import { ExamPaper } from './paper.contract.ts';
import {
  composingMessages,
  examIntroduceLimit,
  examNameLimit,
  examStates,
  maxAttempts,
  maxLimitMinutes,
  maxPassScore,
} from './rules.ts';

/** A number as it was typed. */
export const TypedNumber = v.fallback(
  v.pipe(
    v.union([v.pipe(v.number(), v.transform(String)), v.pipe(v.string(), withoutControls)]),
    v.transform((text) => meantNumber(text)),
  ),
  '',
);

/** Points with at most one decimal, as they are typed; stored as tenths. */
/* @__NO_SIDE_EFFECTS__ */
export const pointsBetween = (least: number, most: number, message: string) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}(?:\.\d)?$/, message),
    v.transform((text) => Math.round(Number(text) * 10)),
    v.minValue(least, message),
    v.maxValue(most, message),
  );

/** Blank is the usual number. */
const wholeUpTo = (most: number, usual: number, message: string) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{0,6}$/, message),
    v.transform((text) => (text === '' ? usual : Number(text))),
    v.maxValue(most, message),
  );

// ---- lists ---------------------------------------------------------------------------------------

/** `classify_id`: with everything below it in the tree. */
export const AdministeredExamFilter = v.object({
  name: SearchText,
  classify_id: SearchId,
  state: searchWord(examStates),
  school_id: SearchId,
  ...paging(),
});
export type AdministeredExamFilter = v.InferOutput<typeof AdministeredExamFilter>;

const shared = {
  id: v.number(),
  name: v.string(),
  category_name: v.string(),
  state: v.picklist(examStates),
  score: Score,
  pass_score: Score,
  ques_num: Count,
  /** Null: from when it is published, and without end. */
  start_at: v.nullable(Seconds),
  end_at: v.nullable(Seconds),
  schools: v.array(Named),
  creator: v.string(),
  is_own: FlagNumber,
  /** Papers of students in the administrator's schools, and those of them that wait for correction. */
  submitted: Count,
  waiting: Count,
};

export const AdministeredExam = v.object(shared);
export type AdministeredExam = v.InferOutput<typeof AdministeredExam>;

const Fault = v.nullable(v.string());

/** `faults`: what stands against publishing it. `refusals`: why something may not be done, or null. */
export const ExamRecord = v.object({
  ...shared,
  introduce: v.string(),
  category_id: v.nullable(v.number()),
  /** Minutes, 0 without limit. */
  limit_minutes: Count,
  /** How often a student may hand in; 0 without limit. */
  attempts: Count,
  created_at: Seconds,
  published_at: v.nullable(Seconds),
  /** Papers that were handed in at all. */
  reports: Count,
  /** Students who are taking it now. */
  taking: Count,
  /** Whom it reaches: `3所学校，1,240名学员`. */
  reach: v.string(),
  /** The same with what was handed in. */
  closing: v.string(),
  faults: v.array(v.string()),
  refusals: v.object({
    edit: Fault,
    paper: Fault,
    pass_score: Fault,
    publish: Fault,
    extend: Fault,
    close: Fault,
    withdraw: Fault,
    remove: Fault,
  }),
  seen: v.string(),
  /** The same of its paper: the scores of its questions, and what its sections are called. */
  paper_seen: v.string(),
});
export type ExamRecord = v.InferOutput<typeof ExamRecord>;

/** A draft is its maker's alone. */
export const listAdministeredExams = adminCall({
  method: 'GET',
  path: 'exams',
  title: '考试列表',
  needs: 'exams',
  query: AdministeredExamFilter,
  answer: page(AdministeredExam),
});

/** The schools that the administrator looks after, and the categories. */
export const examChoices = adminCall({
  method: 'GET',
  path: 'exams/choices',
  title: '可选的学校和考试分类',
  needs: 'exams',
  answer: v.object({ schools: v.array(Named), categories: v.array(ExamCategory) }),
});

export const showAdministeredExam = adminCall({
  method: 'GET',
  path: 'exams/:id',
  title: '考试详情',
  needs: 'exams',
  answer: ExamRecord,
});

export const showAdministeredPaper = adminCall({
  method: 'GET',
  path: 'exams/:id/paper',
  title: '试卷',
  needs: 'exams',
  answer: v.object({
    ...ExamPaper.entries,
    /** Questions of the banks that stand on it. */
    sources: v.array(v.number()),
  }),
});

// ---- the particulars -----------------------------------------------------------------------------

/** What is no time is 0, which is refused. */
const Moment = v.optional(
  v.fallback(v.nullable(v.pipe(WholeNumber, v.minValue(0), v.maxValue(latestSecond))), 0),
  null,
);

const written = {
  name: TypedText,
  introduce: TypedText,
  category_id: SearchId,
  pass_score: TypedNumber,
  /** Minutes; blank or 0 is without limit. */
  limit_minutes: TypedNumber,
  start_at: Moment,
  end_at: Moment,
  /** Blank is once, 0 without limit. */
  attempts: TypedNumber,
  school_ids: SearchIds,
};

export const NewExam = v.object(written);
export type NewExam = v.InferOutput<typeof NewExam>;

export const WrittenExam = v.object({ ...written, seen: TypedText });
export type WrittenExam = v.InferOutput<typeof WrittenExam>;

const moment = (message: string) =>
  v.pipe(
    v.nullish(v.number(), null),
    v.check((seconds) => seconds !== 0, message),
  );

/** `pass_score` in tenths. */
export const CompleteExam = v.pipe(
  v.object({
    name: v.pipe(
      OneLine,
      v.nonEmpty(composingMessages.noName),
      v.check((name) => lengthOf(name) <= examNameLimit, composingMessages.nameLength),
    ),
    introduce: v.pipe(
      v.string(),
      v.trim(),
      v.check((text) => lengthOf(text) <= examIntroduceLimit, composingMessages.introduceLength),
    ),
    category_id: v.nullish(v.number(), null),
    pass_score: pointsBetween(0, maxPassScore, composingMessages.passScore),
    limit_minutes: wholeUpTo(maxLimitMinutes, 0, composingMessages.limit),
    start_at: moment(composingMessages.start),
    end_at: moment(composingMessages.end),
    attempts: wholeUpTo(maxAttempts, 1, composingMessages.attempts),
    school_ids: v.pipe(v.array(v.number()), v.minLength(1, composingMessages.noSchool)),
  }),
  fieldsRule(
    ['start_at', 'end_at'],
    ({ start_at, end_at }) => start_at === null || end_at === null || end_at > start_at,
    composingMessages.order,
  ),
);
export type CompleteExam = v.InferOutput<typeof CompleteExam>;

/** A draft: nobody else sees it until it is published. */
export const addExam = adminCall({
  method: 'POST',
  path: 'exams',
  title: '添加考试',
  needs: 'exams',
  body: NewExam,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

/** Once it is published, its name, introduction and category, and its pass score until the first paper is handed in. */
export const editExam = adminCall({
  method: 'PUT',
  path: 'exams/:id',
  title: '修改考试',
  needs: 'exams',
  body: WrittenExam,
  answer: v.null(),
  message: '保存成功',
});

export const removeExam = adminCall({
  method: 'DELETE',
  path: 'exams/:id',
  title: '删除考试草稿',
  needs: 'exams',
  answer: v.null(),
  message: '删除成功',
});

// ---- its course ----------------------------------------------------------------------------------

const Acknowledged = v.object({ acknowledged: TypedText });

/** Refused with every fault of the paper (422). `acknowledged` is the `reach` of the record. */
export const publishExam = adminCall({
  method: 'POST',
  path: 'exams/:id/publish',
  title: '发布考试',
  needs: 'exams',
  body: Acknowledged,
  answer: v.null(),
  message: '发布成功',
});

/** To a later end, also of an exam that is over. `acknowledged` is the `reach` of the record, `seen` its own. */
export const extendExam = adminCall({
  method: 'POST',
  path: 'exams/:id/extend',
  title: '延长考试',
  needs: 'exams',
  body: v.object({ ...Acknowledged.entries, end_at: Moment, seen: TypedText }),
  answer: v.null(),
  message: '已延长',
});

/** Now. `acknowledged` is the `closing` of the record. */
export const closeExam = adminCall({
  method: 'POST',
  path: 'exams/:id/close',
  title: '结束考试',
  needs: 'exams',
  body: Acknowledged,
  answer: v.null(),
  message: '已结束',
});

/** Back to a draft, while nobody has handed in. `acknowledged` is the `reach` of the record. */
export const withdrawExam = adminCall({
  method: 'POST',
  path: 'exams/:id/withdraw',
  title: '撤回考试',
  needs: 'exams',
  body: Acknowledged,
  answer: v.null(),
  message: '已撤回',
});

/**
 * Administrators' calls for composing exams. Scores in points, times in unix seconds. Number fields accept any text, so
 * that a refused input is returned unchanged.
 */

import * as v from 'valibot';
import { normalizeNumber } from '#server/grading/rules.ts';
import {
  FlagNumber,
  fieldsRule,
  IdAndName,
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
import { ExportChoice, ExportPlan, exportParams, PlanQuery } from '#server/questions/export.contract.ts';
import { adminCall } from '#server/school/call.ts';
import { Count, ExamCategory, Score } from './contract.ts';
import { ExamPaper } from './paper.contract.ts';
import {
  audiences,
  composingMessages,
  examIntroduceLimit,
  examNameLimit,
  examStates,
  maxAttempts,
  maxLimitMinutes,
  maxPassScore,
} from './rules.ts';

/** A number as typed, kept as text. */
export const TypedNumber = v.fallback(
  v.pipe(
    v.union([v.pipe(v.number(), v.transform(String)), v.pipe(v.string(), withoutControls)]),
    v.transform((text) => normalizeNumber(text)),
  ),
  '',
);

/** Schema of points with at most one decimal; parses them to tenths. */
/* @__NO_SIDE_EFFECTS__ */
export const pointsBetween = (least: number, most: number, message: string) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}(?:\.\d)?$/, message),
    v.transform((text) => Math.round(Number(text) * 10)),
    v.minValue(least, message),
    v.maxValue(most, message),
  );

/** Schema of a whole number; a blank field means `usual`. */
const wholeNumberUpTo = (most: number, usual: number, message: string) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{0,6}$/, message),
    v.transform((text) => (text === '' ? usual : Number(text))),
    v.maxValue(most, message),
  );

// ---- lists ---------------------------------------------------------------------------------------

/** `classify_id`: a category; its subcategories are included. */
export const AdminExamFilter = v.object({
  name: SearchText,
  classify_id: SearchId,
  state: searchWord(examStates),
  school_id: SearchId,
  /** Exams given to this class, alone or with its whole school. */
  class_id: SearchId,
  ...paging(),
});
export type AdminExamFilter = v.InferOutput<typeof AdminExamFilter>;

const shared = {
  id: v.number(),
  name: v.string(),
  category_name: v.string(),
  state: v.picklist(examStates),
  score: Score,
  pass_score: Score,
  ques_num: Count,
  /** `start_at` null: open from publication on. `end_at` null: without end. */
  start_at: v.nullable(Seconds),
  end_at: v.nullable(Seconds),
  schools: v.array(IdAndName),
  /** Classes it is given to; empty: whole schools. */
  classes: v.array(IdAndName),
  creator: v.string(),
  is_own: FlagNumber,
  /** Number of submissions in the administrator's schools, and of ungraded ones among them. */
  submitted: Count,
  waiting: Count,
};

export const AdminExam = v.object(shared);
export type AdminExam = v.InferOutput<typeof AdminExam>;

const Fault = v.nullable(v.string());

/** `faults`: why the exam cannot be published yet. `refusals`: for each action, why it would be refused, or null. */
export const ExamRecord = v.object({
  ...shared,
  introduce: v.string(),
  category_id: v.nullable(v.number()),
  /** Minutes; 0: no limit. */
  limit_minutes: Count,
  /** Maximum number of submissions per student; 0: no limit. */
  attempts: Count,
  created_at: Seconds,
  published_at: v.nullable(Seconds),
  /** Number of all submissions. */
  reports: Count,
  /** Number of students who are taking the exam now. */
  taking: Count,
  /** Says who gets the exam, such as `3所学校，1,240名学员` or `2个班级，80名学员`. */
  reach: v.string(),
  /** The text of `reach`, followed by the number of submissions. */
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
  /** Version of the exam's paper, that is, of question scores and section names. */
  paper_seen: v.string(),
});
export type ExamRecord = v.InferOutput<typeof ExamRecord>;

/** Lists exams. A draft is listed only for its author. */
export const listAdminExams = adminCall({
  method: 'GET',
  path: 'exams',
  title: '考试列表',
  needs: 'exams',
  query: AdminExamFilter,
  answer: page(AdminExam),
});

/** Lists the schools that the administrator manages, their grades and open classes, and the categories. */
export const examChoices = adminCall({
  method: 'GET',
  path: 'exams/choices',
  title: '可选的学校、年级、班级和考试分类',
  needs: 'exams',
  answer: v.object({
    schools: v.array(IdAndName),
    grades: v.array(IdAndName),
    classes: v.array(v.object({ ...IdAndName.entries, grade_id: v.nullable(v.number()) })),
    categories: v.array(ExamCategory),
  }),
});

export const showAdminExam = adminCall({
  method: 'GET',
  path: 'exams/:id',
  title: '考试详情',
  needs: 'exams',
  answer: ExamRecord,
});

export const showAdminPaper = adminCall({
  method: 'GET',
  path: 'exams/:id/paper',
  title: '试卷',
  needs: 'exams',
  answer: v.object({
    ...ExamPaper.entries,
    /** Ids of the bank questions that the paper's questions were copied from. */
    sources: v.array(v.number()),
  }),
});

export const planAdminExport = adminCall({
  method: 'GET',
  path: 'exams/:id/export',
  title: '导出考试题目的内容',
  needs: 'exams',
  query: PlanQuery,
  answer: ExportPlan,
});

export const exportAdminExam = adminCall({
  method: 'GET',
  path: 'exams/:id/export/:format',
  title: '导出考试题目',
  needs: 'exams',
  params: exportParams,
  query: ExportChoice,
  file: true,
  answer: v.null(),
});

// ---- details ---------------------------------------------------------------------------------------

/** A time; an invalid one becomes 0, which the API then refuses. */
const Moment = v.optional(
  v.fallback(v.nullable(v.pipe(WholeNumber, v.minValue(0), v.maxValue(latestSecond))), 0),
  null,
);

/**
 * The audience of an exam. `grade`: all classes that the grades have now. Without `audience` and `class_ids` a new exam
 * is given to whole schools, and an edited one is unchanged.
 */
const audienceFields = {
  audience: searchWord(audiences),
  grade_ids: SearchIds,
  class_ids: SearchIds,
};
const WrittenAudience = v.object(audienceFields);
export type WrittenAudience = v.InferOutput<typeof WrittenAudience>;

const written = {
  name: TypedText,
  introduce: TypedText,
  category_id: SearchId,
  pass_score: TypedNumber,
  /** Minutes; blank or 0: no limit. */
  limit_minutes: TypedNumber,
  start_at: Moment,
  end_at: Moment,
  /** Maximum submissions per student; blank: one, 0: no limit. */
  attempts: TypedNumber,
  school_ids: SearchIds,
  ...audienceFields,
};

export const NewExam = v.object(written);
export type NewExam = v.InferOutput<typeof NewExam>;

export const EditedExam = v.object({ ...written, seen: TypedText });
export type EditedExam = v.InferOutput<typeof EditedExam>;

const moment = (message: string) =>
  v.pipe(
    v.nullish(v.number(), null),
    v.check((seconds) => seconds !== 0, message),
  );

/** A complete exam. `pass_score`: tenths of a point. */
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
    limit_minutes: wholeNumberUpTo(maxLimitMinutes, 0, composingMessages.limit),
    start_at: moment(composingMessages.start),
    end_at: moment(composingMessages.end),
    attempts: wholeNumberUpTo(maxAttempts, 1, composingMessages.attempts),
    school_ids: v.pipe(v.array(v.number()), v.minLength(1, composingMessages.noSchool)),
    class_ids: v.array(v.number()),
  }),
  fieldsRule(
    ['start_at', 'end_at'],
    ({ start_at, end_at }) => start_at === null || end_at === null || end_at > start_at,
    composingMessages.order,
  ),
);
export type CompleteExam = v.InferOutput<typeof CompleteExam>;

/** Creates a draft, which only its author sees until it is published. */
export const addExam = adminCall({
  method: 'POST',
  path: 'exams',
  title: '添加考试',
  needs: 'exams',
  body: NewExam,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

/**
 * Edits an exam. After publication only name, introduction, category and classes can change, and the pass score until
 * the first submission. 422 at `class_ids`: students of a class that would lose the exam have begun it.
 */
export const editExam = adminCall({
  method: 'PUT',
  path: 'exams/:id',
  title: '修改考试',
  needs: 'exams',
  body: EditedExam,
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

// ---- publishing and ending -------------------------------------------------------------------------

const Acknowledged = v.object({ acknowledged: TypedText });

/** Publishes a draft. 422: every fault of the paper. `acknowledged`: the record's `reach`. */
export const publishExam = adminCall({
  method: 'POST',
  path: 'exams/:id/publish',
  title: '发布考试',
  needs: 'exams',
  body: Acknowledged,
  answer: v.null(),
  message: '发布成功',
});

/**
 * Moves the end to a later time, even if the exam has already ended. `acknowledged`: the record's `reach`. `seen`: the
 * record's version.
 */
export const extendExam = adminCall({
  method: 'POST',
  path: 'exams/:id/extend',
  title: '延长考试',
  needs: 'exams',
  body: v.object({ ...Acknowledged.entries, end_at: Moment, seen: TypedText }),
  answer: v.null(),
  message: '已延长',
});

/** Ends the exam now. `acknowledged`: the record's `closing`. */
export const closeExam = adminCall({
  method: 'POST',
  path: 'exams/:id/close',
  title: '结束考试',
  needs: 'exams',
  body: Acknowledged,
  answer: v.null(),
  message: '已结束',
});

/** Makes a published exam a draft again, as long as nobody has submitted. `acknowledged`: the record's `reach`. */
export const withdrawExam = adminCall({
  method: 'POST',
  path: 'exams/:id/withdraw',
  title: '撤回考试',
  needs: 'exams',
  body: Acknowledged,
  answer: v.null(),
  message: '已撤回',
});

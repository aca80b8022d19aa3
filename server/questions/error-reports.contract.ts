/** Administrators' calls for reported mistakes in questions. */
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
import { errorReportOutcomes } from './error-reports.rules.ts';
import { errorTypes } from './rules.ts';

export const errorReportStates = ['waiting', 'corrected', 'answered', 'dismissed', 'all'] as const;

/** `name`: search text for question stems and for names of reporters. */
export const ErrorReportFilter = v.object({
  /** Without `state`, the list shows undecided reports. */
  state: searchWord(errorReportStates),
  name: SearchText,
  type: searchOneOf(errorTypes),
  ...paging(),
});
export type ErrorReportFilter = v.InferOutput<typeof ErrorReportFilter>;

const answered = {
  /** 1: question corrected. 2: answered. 3: dismissed. Null: undecided. */
  outcome: v.nullable(v.picklist(errorReportOutcomes)),
  reply: v.string(),
  decided_by: v.string(),
  decided_at: v.nullable(Seconds),
};

const reported = {
  id: v.number(),
  /** Stem of the question at the time of the report, as plain text. */
  stem_text: v.string(),
  /** The same stem as HTML, with formulas. */
  preview: v.string(),
  type: v.picklist(errorTypes),
  error_msg: v.string(),
  created_at: Seconds,
  reporter: v.string(),
  /** Name of the question's owner; '' if the question is deleted. */
  owner: v.string(),
  school_name: v.string(),
  is_public: FlagNumber,
  ...answered,
};

export const ErrorReportRow = v.object(reported);
export type ErrorReportRow = v.InferOutput<typeof ErrorReportRow>;

export const listErrorReports = adminCall({
  method: 'GET',
  path: 'corrections',
  title: '题目纠错',
  needs: 'teaching',
  query: ErrorReportFilter,
  answer: page(ErrorReportRow),
});

/** `effect`: what changing the question does to running homework and exams; '' if nothing. */
export const ErrorReportDetail = v.object({
  ...reported,
  /** The question; null if it is deleted. */
  question: v.nullable(QuestionDetail),
  /** Number of other undecided reports of the same question, which are decided together with this one. */
  others: v.number(),
  effect: v.string(),
  seen: v.string(),
  /** Until when the user may undo their own decision; null if they cannot. */
  undo_until: v.nullable(Seconds),
});
export type ErrorReportDetail = v.InferOutput<typeof ErrorReportDetail>;

export const showErrorReport = adminCall({
  method: 'GET',
  path: 'corrections/:id',
  title: '题目纠错详情',
  needs: 'teaching',
  answer: ErrorReportDetail,
});

/** Decides a report without changing the question. `outcome`: 2 answered, which requires a `reply`; 3 dismissed. */
export const answerErrorReport = adminCall({
  method: 'POST',
  path: 'corrections/:id/answer',
  title: '回复或驳回题目纠错',
  needs: 'teaching',
  body: v.object({ outcome: searchOneOf([2, 3]), reply: TypedText }),
  answer: v.null(),
  message: '处理成功，十分钟内可以撤销',
});

/** Undoes a decision: the report is undecided again. */
export const undoErrorReportAnswer = adminCall({
  method: 'POST',
  path: 'corrections/:id/undo',
  title: '撤销题目纠错的处理',
  needs: 'teaching',
  answer: v.null(),
  message: '已撤销，纠错重新等待处理',
});

/**
 * Changes the question and closes all undecided reports about it. `acknowledged`: the `effect`, if any. `seen`: version
 * of the question when the form was opened.
 */
export const correctReportedQuestion = adminCall({
  method: 'PUT',
  path: 'corrections/:id/question',
  title: '更正题目',
  needs: 'teaching',
  body: v.object({ ...WrittenQuestion.entries, acknowledged: TypedText, seen: TypedText }),
  answer: v.null(),
  message: '题目已更正',
});

export const OwnErrorReport = v.object({
  id: v.number(),
  type: v.picklist(errorTypes),
  error_msg: v.string(),
  created_at: Seconds,
  ...answered,
});
export type OwnErrorReport = v.InferOutput<typeof OwnErrorReport>;

/** Lists the user's own reports of a question with their outcomes, latest first. */
export const listOwnErrorReports = call({
  method: 'GET',
  path: 'ques/corrections/:id',
  title: '我提交的纠错',
  needs: 'dispatch',
  answer: v.array(OwnErrorReport),
});

/**
 * The data of the grading desk: one report, or one student's answer to one question. The screen knows only these types,
 * so homework and exams share it over two sets of calls.
 */

import { type AnswerStatus, answerStatus, rateMode } from '#server/grading/rules.ts';
import type { CardItem } from '#server/grading-desk/answer.contract.ts';
import type { ReviewQuestion } from '#server/grading-desk/homework.contract.ts';
import type { QuestionQueue } from '#server/grading-desk/mark.contract.ts';
import type { PinnedComments } from '#server/grading-desk/pinned-comments.contract.ts';
import type { MatchingDrawing } from '../matching.tsx';
import type { DeskAddress } from '../screens.ts';

export interface Desk {
  address: DeskAddress;
  /**
   * Time at which the browser requested the desk, in milliseconds since 1970. Undefined for the server-rendered desk.
   */
  askedAt?: number;
  report: DeskReport;
  /** Formatted submission time. Undefined if the report was not submitted. */
  submitted: string | undefined;
  /** Formatted on the server: on a slow PC, the first use of Intl takes 100 ms. */
  lesson: string | undefined;
  /** Questions of the current tab, or the one question when grading by question. */
  questions: DeskQuestion[];
  subjective: CardItem[];
  objective: CardItem[];
  nextReportId: number | null;
  words: DeskWords;
  /** The grader's pinned comments, by shortcut key. */
  pinned: PinnedComments;
  /** When grading by question: the position of this student among all. */
  round: QuestionQueue | undefined;
}

export interface DeskWords {
  /** Noun for the whole that is graded: 作业 or 考试. */
  assignment: string;
  /** Noun for one student's work: 作业 or 答卷. */
  paper: string;
  /** Noun for the graded result: 报告 or 答卷. */
  report: string;
}

/** Head of a report. Scores are in points, rates in whole percent, times in unix seconds, `answer_time` in seconds. */
export interface DeskReport {
  report_id: number;
  nickname: string;
  assignment_id: number;
  assignment_name: string;
  /** Names of class, course and period, as far as they exist. */
  contextNames: string[];
  is_set_score: 1 | 2;
  /** Why the report cannot be graded. */
  closed?: string | undefined;
  submit_time: number;
  answer_time: number;
  objective_score: number;
  objective_total_score: number;
  objective_rate: number;
  /** Ungraded reports of the homework or exam, this one included. */
  waiting_count: number;
  submitted_count: number;
}

/** A question with the student's answer; `ques_type` is the canonical code. */
export interface DeskQuestion extends ReviewQuestion {
  /** Replaces the usual name of the question type. */
  type_name?: string;
  drawing?: MatchingDrawing | undefined;
  /** An objective answer in words, for questions whose options do not show the answer. */
  answer_words?: string;
  attachments?: { name: string; url: string; ext: string }[];
}

/** True if answers get a rate instead of points (is_set_score 1). */
export const isRatedDesk = (desk: Desk): boolean => desk.report.is_set_score === rateMode;

/** Message when the grader gets from one homework or exam to another, which may be scored in another way. */
export function otherAssignmentMessage(
  before: Pick<DeskReport, 'assignment_id' | 'is_set_score'>,
  { report, words }: Desk,
) {
  if (before.assignment_id === report.assignment_id) return undefined;
  const mode = report.is_set_score === rateMode ? '按正确率评分（%）' : '按分数评分';
  const change = before.is_set_score === report.is_set_score ? '' : `，改为${mode}`;
  return `已进入另一份${words.assignment}：${report.assignment_name}${change}`;
}

export const closedReason = ({ report }: Desk): string | undefined => report.closed;

export const isWaiting = (item: { status: AnswerStatus }): boolean => item.status === answerStatus.waiting;

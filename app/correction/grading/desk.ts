/**
 * What lies on the grading desk: one report, or one student's answer to one question. The screen knows only this, so
 * that the correction of homework and that of exams are the same screen over two sets of calls.
 */

import type { CardItem } from '#server/correction/answer.contract.ts';
import type { ReviewQuestion } from '#server/correction/homework.contract.ts';
import type { QuestionRound } from '#server/correction/mark.contract.ts';
import type { PinnedComments } from '#server/correction/pinned-comments.contract.ts';
import { type AnswerStatus, answerStatus, byRate } from '#server/grading/rules.ts';
import type { MatchingDrawing } from '../matching.tsx';
import type { DeskAddress } from '../screens.ts';

export interface Desk {
  address: DeskAddress;
  /** Milliseconds since 1970; of one that the browser asked for. */
  askedAt?: number;
  report: DeskReport;
  /** When it was handed in; undefined where it was not. */
  submitted: string | undefined;
  /** The scheduled lesson, in words: moments are read where the page is drawn, a slow PC needs a tenth of a second for its first. */
  lesson: string | undefined;
  /** Of the tab that the address names; by question the one question. */
  questions: DeskQuestion[];
  subjective: CardItem[];
  objective: CardItem[];
  nextReportId: number | null;
  words: DeskWords;
  /** The grader's own comments, by key. */
  pinned: PinnedComments;
  /** Where this student stands among all, by question. */
  round: QuestionRound | undefined;
}

export interface DeskWords {
  /** What all students were given: 作业 or 考试. */
  pile: string;
  /** What one of them handed in: 作业 or 答卷. */
  paper: string;
  /** What is finished: 报告 or 答卷. */
  report: string;
}

/** The head of a report. Scores in points, rates in whole percent, times in unix seconds, answer_time in seconds. */
export interface DeskReport {
  report_id: number;
  nickname: string;
  /** The homework or the exam that it belongs to. */
  pile_id: number;
  pile_name: string;
  /** Class, course and period, as far as there are any. */
  whereabouts: string[];
  is_set_score: 1 | 2;
  /** Why nothing can be graded here. */
  closed?: string | undefined;
  submit_time: number;
  answer_time: number;
  objective_score: number;
  objective_total_score: number;
  objective_rate: number;
  /** Reports of the pile that wait, this one included. */
  waiting_count: number;
  /** Reports of the pile that were handed in. */
  submitted_count: number;
}

/** A question with the student's answer; `ques_type` is the canonical code. */
export interface DeskQuestion extends ReviewQuestion {
  /** Where the type's usual name does not fit. */
  type_name?: string;
  /** A matching question with the lines that the student drew. */
  drawing?: MatchingDrawing | undefined;
  /** An objective answer in words, where they are not those of its options. */
  answer_words?: string;
  /** Files beside the stem. */
  attachments?: { name: string; url: string; ext: string }[];
}

/** is_set_score 1: rates instead of points. */
export const isRated = (desk: Desk): boolean => desk.report.is_set_score === byRate;

/** Said where a pass goes on into another homework or exam, whose marks may be of another kind. */
export function otherPile(before: Pick<DeskReport, 'pile_id' | 'is_set_score'>, { report, words }: Desk) {
  if (before.pile_id === report.pile_id) return undefined;
  const mode = report.is_set_score === byRate ? '按正确率评分（%）' : '按分数评分';
  const change = before.is_set_score === report.is_set_score ? '' : `，改为${mode}`;
  return `已进入另一份${words.pile}：${report.pile_name}${change}`;
}

/** Why nothing can be graded here, or undefined. */
export const closedReason = ({ report }: Desk): string | undefined => report.closed;

export const waits = (item: { status: AnswerStatus }): boolean => item.status === answerStatus.waiting;

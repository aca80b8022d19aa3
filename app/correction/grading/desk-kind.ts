/** What differs between the grading desk of homework and of exams. */
import type { GenericSchema } from 'valibot';
import type { CourseArrange } from '#server/correction/answer.contract.ts';
import type { Marked, QuestionRound, SameAnswer } from '#server/correction/mark.contract.ts';
import type { Call } from '#server/platform/calls/call.ts';
import type { ApiClient } from '../../api/client.server.ts';
import type { Outcome } from '../../api/outcome.server.ts';
import type { DeskAddress, DeskScreens } from '../screens.ts';
import type { Desk, DeskQuestion, DeskWords } from './desk.ts';
import type { DeskBody } from './desk-calls.server.ts';

/** A report with its cards. */
export interface OpenedReport extends Pick<Desk, 'report' | 'subjective' | 'objective' | 'nextReportId'> {
  arrange: CourseArrange | null;
  /** All of the tab that the address names, or one. */
  questions(only: number | undefined): Promise<Outcome<DeskQuestion[]>>;
}

/** What differs between the correction of homework and that of exams. */
export interface DeskKind {
  screens: DeskScreens;
  words: DeskWords;
  open(client: ApiClient, address: DeskAddress): Promise<Outcome<OpenedReport>>;
  calls: {
    round: DeskCall<QuestionRound>;
    save: DeskCall<Marked>;
    finish: DeskCall<Ending & Result>;
    finishAll: DeskCall<Ending & { count: number }>;
    same: DeskCall<SameAnswer[]>;
    gradeSame: DeskCall<{ batch_id: number; count: number }>;
    undoSame: DeskCall<{ undone: number; kept: string[] }>;
    rejudge: DeskCall<{ judgment_id: number; count: number }>;
    undoRejudge: DeskCall<{ count: number }>;
  };
  /** What its calls call by another name than those of homework. */
  names: Record<string, string | undefined>;
  /** What is said at the end of a report, where its call does not say it. */
  finished?(result: Result): string;
}

export type DeskCall<Answer> = Call<
  string,
  undefined,
  undefined,
  GenericSchema<DeskBody, unknown>,
  GenericSchema<unknown, Answer>,
  undefined,
  undefined
>;

export interface Ending {
  next_report_id: number | null;
  /** Homework all lie in one list. */
  exam_id?: number;
}

/** Of an exam: how it came out. */
export interface Result {
  ranking?: number | null;
  is_pass?: 0 | 1 | 2;
}

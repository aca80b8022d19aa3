/** Interface of the differences between grading homework and grading exams. */
import type { GenericSchema } from 'valibot';
import type { CourseArrange } from '#server/grading-desk/answer.contract.ts';
import type { EqualAnswer, QuestionQueue, SavedMark } from '#server/grading-desk/mark.contract.ts';
import type { Call } from '#server/platform/calls/call.ts';
import type { ApiClient } from '../../api/client.server.ts';
import type { Outcome } from '../../api/outcome.server.ts';
import type { DeskAddress, DeskScreens } from '../screens.ts';
import type { Desk, DeskQuestion, DeskWords } from './desk.ts';
import type { DeskBody } from './desk-calls.server.ts';

/** A report with its answer cards. */
export interface OpenedReport extends Pick<Desk, 'report' | 'subjective' | 'objective' | 'nextReportId'> {
  arrange: CourseArrange | null;
  /** Loads the questions of the current tab, or only the one with the id `only`. */
  questions(only: number | undefined): Promise<Outcome<DeskQuestion[]>>;
}

export interface DeskKind {
  screens: DeskScreens;
  words: DeskWords;
  open(client: ApiClient, address: DeskAddress): Promise<Outcome<OpenedReport>>;
  calls: {
    round: DeskCall<QuestionQueue>;
    save: DeskCall<SavedMark>;
    finish: DeskCall<FinishOutcome & ExamResult>;
    finishAll: DeskCall<FinishOutcome & { count: number }>;
    same: DeskCall<EqualAnswer[]>;
    gradeSame: DeskCall<{ batch_id: number; count: number }>;
    undoSame: DeskCall<{ undone: number; kept: string[] }>;
    rejudge: DeskCall<{ judgment_id: number; count: number }>;
    undoRejudge: DeskCall<{ count: number }>;
  };
  /** Maps field names of homework to the names that the calls of this kind use. */
  names: Record<string, string | undefined>;
  /** Message after finishing a report, if the call returns none. */
  finished?(result: ExamResult): string;
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

export interface FinishOutcome {
  next_report_id: number | null;
  /** Id of the exam to return to. Homework has none: all homework returns to one list. */
  exam_id?: number;
}

export interface ExamResult {
  ranking?: number | null;
  is_pass?: 0 | 1 | 2;
}

/** The calls behind one grading screen: that of homework and that of exams are the same screen over two of these. */
import type { MarkBody, Marked, SameAnswer } from '#server/correction/contract.ts';
import type { ApiClient } from '../../api/client.server.ts';
import type { Outcome } from '../../api/outcome.server.ts';
import type { DeskScreens } from '../screens.ts';
import type { DeskAddress } from './address.ts';
import type { Desk, DeskWords } from './desk.ts';

export interface FinishSent {
  report_id: number;
  class_id?: number | undefined;
  skip: readonly number[];
  comment: string;
  idempotencyKey: string | undefined;
}

/** One mark for this answer and the others, in the names of homework. */
export interface SameSent {
  report_id: number;
  class_id?: number | undefined;
  ques_id?: number | undefined;
  version: number;
  user_score: string;
  review_comment: string;
  answers: { report_id: number; version: number }[];
}

export interface Finished {
  next_report_id: number | null;
  /** The exam; homework all lie in one list. */
  pile_id?: number;
}

export interface DeskCalls {
  screens: DeskScreens;
  words: DeskWords;
  open(client: ApiClient, asked: DeskAddress): Promise<Outcome<Desk>>;
  /** In the names of homework; so are the fields of what is refused. */
  save(client: ApiClient, mark: MarkBody): Promise<Outcome<Marked>>;
  finish(client: ApiClient, finish: FinishSent): Promise<Outcome<Finished>>;
  /** How many reports finishAll would end. */
  countFinishable(client: ApiClient, asked: DeskAddress): Promise<Outcome<number>>;
  /** The other waiting answers that are the same text. */
  same(client: ApiClient, asked: DeskAddress): Promise<Outcome<SameAnswer[]>>;
  gradeSame(
    client: ApiClient,
    sent: SameSent,
    idempotencyKey: string | undefined,
  ): Promise<Outcome<{ batch_id: number; count: number }>>;
  undoSame(client: ApiClient, batch: number | undefined): Promise<Outcome<{ undone: number; kept: string[] }>>;
  finishAll(client: ApiClient, finish: Omit<FinishSent, 'comment'>): Promise<Outcome<Finished & { count: number }>>;
}

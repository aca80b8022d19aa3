/** The calls behind one grading screen: that of homework and that of exams are the same screen over two of these. */
import type { MarkBody, Marked } from '#server/correction/contract.ts';
import type { ApiClient, Outcome } from '../api.server.ts';
import type { DeskAddress } from './address.ts';
import type { Desk, DeskPlaces } from './desk.ts';

export interface FinishSent {
  report_id: number;
  class_id?: number | undefined;
  skip: readonly number[];
  comment: string;
  idempotencyKey: string | undefined;
}

export interface DeskCalls {
  places: DeskPlaces;
  /** What an address says; what this kind of correction does not know is left out. */
  readAddress(params: URLSearchParams): DeskAddress;
  open(client: ApiClient, asked: DeskAddress): Promise<Outcome<Desk>>;
  /** In the names of homework; so are the fields of what is refused. */
  save(client: ApiClient, mark: MarkBody): Promise<Outcome<Marked>>;
  finish(client: ApiClient, finish: FinishSent): Promise<Outcome<{ next_report_id: number | null; pile_id?: number }>>;
}

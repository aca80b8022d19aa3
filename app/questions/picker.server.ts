/** What a route that shows the question picker loads. */
import * as v from 'valibot';
import {
  knowledgeTree,
  listPublicQuestions,
  listQuestions,
  PublicFilter,
  type PublicRow,
  QuestionFilter,
  type QuestionRow,
} from '#server/questions/contract.ts';
import type { ApiClient } from '../api.server.ts';
import type { PickerData } from './picker.tsx';
import { type Bank, lastValues, paramsBehind, pickedIds } from './picker-address.ts';

/** Rows of one page of the dialog. */
const pageLength = 10;

/**
 * The questions of the bank that the address names, with what is picked. The public bank is refused where the school
 * does not offer it; `offersPublic` says whether it does (the setting switch_question_module).
 */
export async function pickerData(client: ApiClient, url: URL, offersPublic: boolean): Promise<PickerData> {
  const values: Record<string, string> = { limit: String(pageLength), ...lastValues(url.searchParams) };
  const bank: Bank = values.bank === 'public' ? 'public' : 'mine';
  const common = {
    bank,
    offersPublic,
    path: url.pathname,
    behind: paramsBehind(url.searchParams),
    picked: pickedIds(url.searchParams),
  };
  if (bank === 'public') {
    const filter = v.parse(PublicFilter, values);
    const [questions, points] = await Promise.all([
      client.send(listPublicQuestions, { body: { ...filter, with_preview: 1, for_picker: 1 } }),
      client.send(knowledgeTree),
    ]);
    return { ...common, filter, points, ...pageOf(questions, ({ point_name }) => point_name) };
  }
  const filter = v.parse(QuestionFilter, values);
  const questions = await client.send(listQuestions, { query: { ...filter, with_preview: 1, for_picker: 1 } });
  return { ...common, filter, points: [], ...pageOf(questions, ({ remark }) => remark) };
}

function pageOf<Row extends QuestionRow | PublicRow>(
  questions: { list: Row[]; total: number; page: number; limit: number },
  note: (row: Row) => string,
) {
  const { list, ...paging } = questions;
  return { ...paging, rows: list.map((row) => ({ ...row, ques_stem: '', note: note(row) })) };
}

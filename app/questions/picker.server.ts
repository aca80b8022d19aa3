import type { Page } from '#server/platform/calls/rules.ts';
import {
  listPublicQuestions,
  listQuestions,
  type PickablePoints,
  type PublicRow,
  pickablePoints,
  type QuestionRow,
} from '#server/questions/contract.ts';
import type { ApiClient } from '../api/client.server.ts';
import { pickedIds } from '../lib/picked-ids.ts';
import { pickerPage } from '../lib/picker-pages.ts';
import type { PickerData } from './picker.tsx';
import { pickQuestions } from './screens.ts';

/**
 * Loads the questions of the bank that the address names, and the picked questions. Refuses the public bank unless the
 * school offers it (`offersPublic`).
 */
export async function pickerData(
  client: ApiClient,
  url: URL,
  { offersPublic, present }: Pick<PickerData, 'offersPublic' | 'present'>,
): Promise<PickerData> {
  const view = pickQuestions.at(url);
  const { bank, scores } = view.place;
  const { ques_stem, ques_type, facility_value, remark, point_id, point_name, limit } = view.filter;
  const common = {
    bank,
    scores,
    offersPublic,
    present,
    ...pickQuestions.opened(url),
    picked: pickedIds(url.searchParams),
  };
  const filter = { ques_stem, ques_type, facility_value };
  const rows = { page: pickerPage(view), limit, with_preview: 1, for_picker: 1 } as const;
  if (bank === 'public') {
    const [questions, pick] = await Promise.all([
      client.send(listPublicQuestions, { body: { ...filter, point_id, ...rows } }),
      client.send(pickablePoints, { query: { point_id, point_name } }),
    ]);
    const shown = pageOf(questions, ({ point_name }) => point_name);
    return { ...common, filter: { ...filter, point_id, point_name }, ...pointsOf(pick), ...shown };
  }
  const questions = await client.send(listQuestions, { query: { ...filter, remark, ...rows } });
  return {
    ...common,
    filter: { ...filter, remark },
    points: [],
    isPart: false,
    ...pageOf(questions, (row) => row.remark),
  };
}

export const pointsOf = ({ points, is_part }: PickablePoints) => ({ points, isPart: is_part === 1 });

function pageOf<Row extends QuestionRow | PublicRow>(questions: Page<Row>, note: (row: Row) => string) {
  const { list, ...paging } = questions;
  return { ...paging, rows: list.map((row) => ({ ...row, ques_stem: '', note: note(row) })) };
}

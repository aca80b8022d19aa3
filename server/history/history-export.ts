/** The history that a filter finds as a spreadsheet, which is noted in it like every file that is made. */
import type { BodyOf } from '#server/platform/calls/call.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { SpreadsheetRow } from '#server/platform/export/spreadsheet.ts';
import {
  cellsOf,
  columnForms,
  type ExportColumn,
  type ExportContext,
  makeSpreadsheet,
} from '#server/platform/export/spreadsheet-file.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { exportHistory, HistoryRow } from './contract.ts';
import { foundBy, idsOf, rowsOf } from './list.ts';
import { historyExportMost } from './rules.ts';

/** Rows that are read at once: a few milliseconds of the request loop. */
const chunk = 200;

const told = ({ name, before, after }: HistoryRow['changes'][number]): string =>
  `${name}：${before || '空'} → ${after || '空'}`;

const columns: ExportColumn<HistoryRow>[] = [
  { header: '时间', type: 'datetime', width: 20, cell: (row) => row.at },
  { header: '操作人', type: 'text', width: 16, cell: (row) => row.who || '系统' },
  { header: '动作', type: 'text', width: 16, cell: (row) => row.action_name },
  { header: '对象', type: 'text', width: 12, cell: (row) => row.record_name },
  { header: '名称', type: 'text', width: 36, cell: (row) => row.title },
  { header: '变化', type: 'text', width: 80, cell: (row) => row.changes.map(told).join('；') },
];

type Asked = RuleContext<'actor' | 'now' | 'settings' | 'storage' | 'log'>;

/** Answers the address of the file. Refused: 404 a record of another school. */
export async function exportRows(
  context: Asked,
  filter: BodyOf<typeof exportHistory>,
): Promise<{ url: string } | Refusal> {
  const { db, storage, log, actor, now, settings } = context;
  const found = await foundBy(context, filter);
  if (isRefusal(found)) return found;
  const ids = await idsOf(db, found, { limit: historyExportMost, offset: 0 });
  const surroundings: ExportContext = { db, storage, log, actor, now, timezone: settings.timezone };
  async function* rows(progress: (done: number) => void): AsyncGenerator<SpreadsheetRow> {
    for (let from = 0; from < ids.length; from += chunk) {
      for (const row of await rowsOf(context, ids.slice(from, from + chunk))) yield cellsOf(columns, row);
      progress(Math.min(from + chunk, ids.length));
    }
  }
  return makeSpreadsheet(surroundings, {
    name: '操作记录.xlsx',
    total: ids.length,
    sheets: (progress) => [{ name: '操作记录', columns: columnForms(columns), rows: rows(progress) }],
  });
}

/** Exports filtered history rows as a spreadsheet. The export is itself recorded in the history. */
import type { BodyOf } from '#server/platform/calls/call.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { startExportFile } from '#server/platform/export/export-file.ts';
import { streamFromWorker } from '#server/platform/export/in-worker.ts';
import { type SpreadsheetRow, spreadsheetContentType, writeSpreadsheet } from '#server/platform/export/spreadsheet.ts';
import { cellsOf, columnForms, type ExportColumn } from '#server/platform/export/spreadsheet-file.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { exportHistory, HistoryRow } from './contract.ts';
import { historyQueryOf, matchingIds, readRowsById } from './list.ts';
import { maxExportedHistoryRows } from './rules.ts';
import type { exportInWorker } from './thread.ts';

/** Rows converted at a time; takes a few milliseconds, so that other requests are not held up. */
const chunk = 200;

const changeText = ({ name, before, after }: HistoryRow['changes'][number]): string =>
  `${name}：${before || '空'} → ${after || '空'}`;

const columns: ExportColumn<HistoryRow>[] = [
  { header: '时间', type: 'datetime', width: 20, cell: (row) => row.at },
  { header: '操作人', type: 'text', width: 16, cell: (row) => row.who || '系统' },
  { header: '动作', type: 'text', width: 16, cell: (row) => row.action_name },
  { header: '对象', type: 'text', width: 12, cell: (row) => row.record_name },
  { header: '名称', type: 'text', width: 36, cell: (row) => row.title },
  { header: '变化', type: 'text', width: 80, cell: (row) => row.changes.map(changeText).join('；') },
];

type RequestContext = RuleContext<'actor' | 'now' | 'settings' | 'storage' | 'log' | 'database'>;

/** From this number of rows on, a worker thread writes the file. */
const largeFrom = 2000;

/** Input of the worker: ids of the rows to export, and the user for whom they are displayed. */
export type RowsOrder = Pick<RequestContext, 'actor' | 'settings'> & { ids: readonly number[] };

/** Exports the rows; returns the address of the file. 404: the filter names a record of another school. */
export async function exportRows(
  context: RequestContext,
  filter: BodyOf<typeof exportHistory>,
): Promise<{ url: string } | Refusal> {
  const { db, database, storage, log, actor, now, settings } = context;
  const found = await historyQueryOf(context, filter);
  if (isRefusal(found)) return found;
  const ids = await matchingIds(db, found, { limit: maxExportedHistoryRows, offset: 0 });
  const order: RowsOrder = { actor, settings, ids };
  const { location } = database;
  const isApart = ids.length >= largeFrom && location !== ':memory:';
  return startExportFile(
    { db, storage, log },
    {
      staffId: actor.id,
      now,
      name: '操作记录.xlsx',
      contentType: spreadsheetContentType,
      extension: 'xlsx',
      total: ids.length,
      write: (progress) =>
        isApart
          ? streamFromWorker<typeof exportInWorker>(
              { module: '#server/history/thread.ts', run: 'exportInWorker', order, location },
              progress,
            )
          : rowsBytes(db, order, progress),
    },
  );
}

/** Yields the bytes of the file, and tells `progress` how many rows are written. */
export function rowsBytes(
  db: Database,
  { ids, ...asked }: RowsOrder,
  progress: (done: number) => void,
): ReadableStream<Uint8Array> {
  async function* rows(): AsyncGenerator<SpreadsheetRow> {
    for (let from = 0; from < ids.length; from += chunk) {
      for (const row of await readRowsById({ db, ...asked }, ids.slice(from, from + chunk)))
        yield cellsOf(columns, row);
      progress(Math.min(from + chunk, ids.length));
    }
  }
  return writeSpreadsheet({
    sheets: [{ name: '操作记录', columns: columnForms(columns), rows: rows() }],
    timeZone: asked.settings.timezone,
  });
}

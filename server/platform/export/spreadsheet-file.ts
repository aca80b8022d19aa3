/** Exports rows as a spreadsheet file. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import { startExportFile } from './export-file.ts';
import {
  type SpreadsheetCell,
  type SpreadsheetColumn,
  type SpreadsheetRow,
  spreadsheetContentType,
  writeSpreadsheet,
} from './spreadsheet.ts';

export interface ExportContext {
  db: Database;
  storage: Storage;
  log: Log;
  actor: Actor;
  /** Unix seconds. */
  now: number;
  timezone: string;
}

export interface ExportColumn<Row> extends SpreadsheetColumn {
  width: number;
  cell: (row: Row) => SpreadsheetCell;
}

export interface ExportSheet {
  name: string;
  columns: readonly SpreadsheetColumn[];
  rows: AsyncIterable<SpreadsheetRow>;
}

interface ExportFile {
  /** File name with its extension. */
  name: string;
  /** Total amount of work, in the units that `progress` counts. */
  total: number;
  /** Called once, when writing begins; calls `progress` with the amount of work done so far. */
  sheets: (progress: (done: number) => void) => ExportSheet[];
}

/** Starts to make a spreadsheet; returns the address of the file. */
export function makeSpreadsheet(
  { db, storage, log, actor, now, timezone }: ExportContext,
  { name, total, sheets }: ExportFile,
): Promise<{ url: string }> {
  return startExportFile(
    { db, storage, log },
    {
      staffId: actor.id,
      now,
      name,
      contentType: spreadsheetContentType,
      extension: 'xlsx',
      total,
      write: (progress) => writeSpreadsheet({ sheets: sheets(progress), timeZone: timezone }),
    },
  );
}

export const columnForms = <Row>(columns: readonly ExportColumn<Row>[]): SpreadsheetColumn[] =>
  columns.map(({ header, type, width }) => ({ header, type, width }));

export const cellsOf = <Row>(columns: readonly ExportColumn<Row>[], row: Row): SpreadsheetCell[] =>
  columns.map(({ cell }) => cell(row));

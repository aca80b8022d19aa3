/**
 * Extracts the refused rows of an upload in its own format, each with the reason, so that users can correct and upload
 * them again.
 */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { spreadsheetContentType, writeSpreadsheet } from '#server/platform/export/spreadsheet.ts';
import { openZip } from '#server/platform/files/zip.ts';
import { csvRows } from '#server/platform/text/csv.ts';
import { readText } from '#server/platform/text/encoding.ts';
import { newRemarks } from './diagnostics.ts';
import { rosterFiles } from './oneroster.ts';
import { type FileName, manifestFiles } from './oneroster-format.ts';
import { readCsvList } from './people.ts';
import { classHead, isClassHead } from './people-columns.ts';
import { headingsOf, topRows } from './people-mapping.ts';
import { archiveLimits, type UploadedFile } from './read.ts';
import { headRowsOf, isListOfPeople } from './workbook.ts';
import { readSheetTables, type SheetTable } from './workbook-file.ts';
import { reasonHead } from './workbook-words.ts';

/** Reasons by file or sheet, then by row number. */
export type RefusedPlaces = ReadonlyMap<string, ReadonlyMap<number, string>>;

export interface DownloadFile {
  extension: 'xlsx' | 'zip' | 'csv';
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Class of each sheet whose rows name none. The title that tells it does not become part of the new file. */
type SheetClasses = ReadonlyMap<string, string>;

/** Returns a file with the refused rows; undefined if the upload cannot be read or has none. */
export async function extractRefusedRows(
  file: UploadedFile,
  places: RefusedPlaces,
  classes: SheetClasses = new Map(),
): Promise<DownloadFile | undefined> {
  const office = await openZip(file.path, 'xlsx', archiveLimits);
  if ('ok' in office) {
    try {
      return await workbookOf(await readSheetTables(office.ok), places, classes);
    } finally {
      await office.ok.close();
    }
  }
  const zip = await openZip(file.path, 'zip', archiveLimits);
  if ('refused' in zip) return listOf(file, places, classes);
  try {
    const found = rosterFiles(zip.ok, newRemarks(false));
    const files = new Map<FileName, Uint8Array>();
    const opener = (path: string) => async () => (await zip.ok.stream(path)) ?? Readable.from([]);
    const take = async (file: FileName, people: ReadonlySet<string>): Promise<RefusedRow[]> => {
      const path = found?.files.get(file);
      if (path === undefined) return [];
      const reasons = places.get(path.split('/').at(-1) ?? path) ?? new Map();
      const rows = await rosterRows(opener(path), reasons, people);
      if (rows && rows.kept.length > 0) files.set(file, Buffer.from(rosterText(rows.head, rows.kept)));
      return rows?.kept ?? [];
    };
    const people = new Set((await take('users', new Set())).map(({ of }) => of('sourcedId')));
    for (const name of found?.files.keys() ?? []) if (name !== 'manifest' && name !== 'users') await take(name, people);
    return files.size > 0 ? await packageOf(files) : undefined;
  } finally {
    await zip.ok.close();
  }
}

// ---- a workbook -------------------------------------------------------------------------------------

async function workbookOf(
  tables: readonly SheetTable[],
  places: RefusedPlaces,
  classes: SheetClasses,
): Promise<DownloadFile | undefined> {
  const heads = isListOfPeople(tables) ? new Map<string, number>() : headRowsOf(tables);
  const sheets = tables
    .filter(({ name }) => places.has(name))
    .map((table) => {
      const headRow = heads.get(table.name);
      const reasons = places.get(table.name) ?? new Map();
      const rows = rowsOf(table, {
        ...(headRow !== undefined && { headRow }),
        reasons,
        className: classes.get(table.name),
      });
      const columns = (rows.next().value ?? []).map((header) => ({
        header,
        type: 'text' as const,
        width: Math.max(14, header.length * 2 + 4),
      }));
      return { name: table.name, columns, rows };
    });
  if (sheets.length === 0) return undefined;
  const bytes = new Uint8Array(await buffer(writeSpreadsheet({ sheets })));
  return { extension: 'xlsx', type: spreadsheetContentType, bytes };
}

interface RowsAsked {
  /** Row of the headings in a sheet of our own workbook. In a list, they are searched. */
  headRow?: number;
  reasons: ReadonlyMap<number, string>;
  className?: string | undefined;
}

/**
 * Yields the headings and the refused rows, without reasons from an earlier correction. A generator, because lists can
 * have millions of cells.
 */
function* rowsOf(
  table: Pick<SheetTable, 'rows'>,
  { headRow, reasons, className = '' }: RowsAsked,
): Generator<string[], undefined> {
  const { rows } = table;
  const { last, texts } = headRow === undefined ? headingsOf(topRows(table)) : { last: headRow, texts: [] };
  let head = texts.map((text) => text.trim());
  let width = head.length;
  for (const { row, cells } of rows()) {
    if (row === headRow) head = cells.map(({ text }) => text.trim());
    if (row === headRow || reasons.has(row)) width = Math.max(width, cells.length);
  }
  const places = Array.from({ length: width }, (_, at) => at).filter((at) => head[at] !== reasonHead);
  const isAdded = className !== '' && !head.some((text) => isClassHead(text));
  yield [...places.map((at) => head[at] ?? ''), ...(isAdded ? [classHead] : []), reasonHead];
  for (const { row, cells } of rows()) {
    const reason = row === last ? undefined : reasons.get(row);
    if (reason !== undefined)
      yield [...places.map((at) => cells[at]?.text ?? ''), ...(isAdded ? [className] : []), reason];
  }
}

// ---- a list -----------------------------------------------------------------------------------------

async function listOf(
  file: UploadedFile,
  places: RefusedPlaces,
  classes: SheetClasses,
): Promise<DownloadFile | undefined> {
  const list = await readCsvList(async () => createReadStream(file.path), file.name, newRemarks(false));
  const reasons = places.get(file.name);
  if (!list || !reasons) return undefined;
  return {
    extension: 'csv',
    ...csvOf(rowsOf(list, { reasons, className: classes.get(file.name) })),
  };
}

/** Number of characters that are encoded at once. */
const csvPiece = 2 ** 20;

/** Writes CSV with a byte order mark, by which Excel recognises UTF-8. */
export function csvOf(rows: Iterable<readonly string[]>): Pick<DownloadFile, 'type' | 'bytes'> {
  const pieces: Buffer[] = [];
  let text = '\uFEFF';
  for (const row of rows) {
    text += csvLine(row);
    if (text.length < csvPiece) continue;
    pieces.push(Buffer.from(text));
    text = '';
  }
  pieces.push(Buffer.from(text));
  return { type: 'text/csv; charset=utf-8', bytes: new Uint8Array(Buffer.concat(pieces)) };
}

/** Quotes a cell. One that a spreadsheet would run as a formula gets an apostrophe; signed numbers do not. */
export const csvCell = (cell: string): string =>
  `"${(/^[=+\-@]/.test(cell) && !/^[+-][\d\s-]+$/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

// ---- a package --------------------------------------------------------------------------------------

const reasonColumn = `metadata.${reasonHead}`;

interface RefusedRow {
  of(name: string): string;
  reason: string;
}

/** Returns the refused rows, and the roles of refused people, who would otherwise have no role when uploaded again. */
async function rosterRows(
  open: Parameters<typeof readText>[0],
  reasons: ReadonlyMap<number, string>,
  people: ReadonlySet<string>,
): Promise<{ head: string[]; kept: RefusedRow[] } | undefined> {
  const text = await readText(open);
  if (!text) return undefined;
  const refusedRows: RefusedRow[] = [];
  let head: string[] | undefined;
  for await (const rows of csvRows(text.pieces())) {
    for (const { row, cells } of rows) {
      if (!head) {
        head = cells;
        continue;
      }
      const names = head;
      const of = (name: string) => cells[names.indexOf(name)] ?? '';
      const isTheirs = people.has(of('userSourcedId')) && names.includes('roleType');
      if (reasons.has(row) || isTheirs) refusedRows.push({ of, reason: reasons.get(row) ?? '' });
    }
  }
  return head && { head, kept: refusedRows };
}

/** Writes the rows as a delta: as bulk data these few rows would end all other records. */
function rosterText(head: readonly string[], rows: readonly RefusedRow[]): string {
  const names = head.filter((name) => name !== reasonColumn);
  const filled: Readonly<Record<string, string>> = { status: 'active', dateLastModified: new Date().toISOString() };
  const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = [
    [...names, reasonColumn],
    ...rows.map(({ of, reason }) => [...names.map((name) => of(name) || filled[name] || ''), reason]),
  ];
  return lines.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

async function packageOf(files: ReadonlyMap<FileName, Uint8Array>): Promise<DownloadFile> {
  const modes = manifestFiles.map((file) => `file.${file},${files.has(file) ? 'delta' : 'absent'}`);
  const manifest = ['propertyName,value', 'manifest.version,1.0', 'oneroster.version,1.2', ...modes];
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(`${manifest.join('\r\n')}\r\n`), 'manifest.csv');
  for (const [name, bytes] of files) zip.addBuffer(Buffer.from(bytes), `${name}.csv`);
  zip.end();
  return { extension: 'zip', type: 'application/zip', bytes: new Uint8Array(await buffer(zip.outputStream)) };
}

/** Writes a OneRoster 1.2.1 package (CSV, bulk): rosters, courses, and results of homework and exams. */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { columnsOf, type FileName, fileNames, manifestFiles, ownColumnsOf } from './oneroster-format.ts';
import { type RosterExport, type Row, rosterRows } from './oneroster-roster.ts';

/** Files in the package have a fixed date, so that the same records in the same order give the same bytes. */
const fixedDate = { mtime: new Date(2000, 0, 1), forceDosTimestamp: true } as const;

export async function writeOneRoster(given: RosterExport): Promise<Readable> {
  const rows = await rosterRows(given);
  const zip = new ZipFile();
  // The library's type allows any stream, but it returns a Node stream.
  const output = zip.outputStream as Readable;
  const present = new Set<FileName>();
  for (const file of fileNames) {
    const of = rows[file];
    if (!of || !(await hasRows(of()))) continue;
    present.add(file);
    zip.addReadStreamLazy(`${file}.csv`, fixedDate, (give) => {
      const stream = Readable.from(csvBytes(file, of()), { objectMode: false });
      stream.once('error', (error) => output.destroy(error));
      give(null, stream);
    });
  }
  const manifest = [
    ['propertyName', 'value'],
    ['manifest.version', '1.0'],
    ['oneroster.version', '1.2'],
    ...manifestFiles.map((file) => [`file.${file}`, present.has(file) ? 'bulk' : 'absent']),
    ['source.systemName', 'Lectern'],
  ];
  zip.addBuffer(Buffer.from(manifest.map(csvLine).join('')), 'manifest.csv', fixedDate);
  zip.end();
  return output;
}

async function hasRows(rows: AsyncGenerator<Row>): Promise<boolean> {
  const first = await rows.next();
  await rows.return(undefined);
  return !first.done;
}

const maxBatchLength = 2 ** 16;

async function* csvBytes(file: FileName, rows: AsyncGenerator<Row>): AsyncGenerator<Buffer> {
  const names = [...columnsOf(file).map(({ name }) => name), ...ownColumnsOf(file)];
  let text = csvLine(names);
  for await (const row of rows) {
    text += csvLine(names.map((name) => row[name] ?? ''));
    if (text.length < maxBatchLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/** Line breaks inside a cell become spaces. */
const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoteCell(joinLines(cell))).join(',')}\r\n`;
const joinLines = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ');
const quoteCell = (text: string): string => (/[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * The part of spreadsheet.ts that runs in the worker: writes .xlsx (ECMA-376) as a stream. Never holds all rows or the
 * whole file in memory.
 */
import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { ZipFile } from 'yazl';
import type {
  ColumnType,
  FromWorker,
  SheetForm,
  SpreadsheetCell,
  SpreadsheetColumn,
  SpreadsheetRow,
  ToWorker,
} from './spreadsheet.ts';

export interface WorkbookJob {
  port: MessagePort;
  sheets: SheetForm[];
  timeZone: string;
}

/**
 * Runs in the worker. Requests rows from the main thread, sheet by sheet, and sends the file's bytes back only as fast
 * as its stream is read (backpressure).
 */
export async function produceWorkbook({ port, sheets, timeZone }: WorkbookJob): Promise<void> {
  let credit = 0;
  const arrivals = new EventEmitter();
  const say = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  port.on('message', (message: ToWorker) => {
    if ('reads' in message) {
      credit += 1;
      arrivals.emit('credit');
    } else arrivals.emit('rows', message);
  });

  async function* rowsOf(sheet: number): AsyncGenerator<SpreadsheetRow> {
    for (;;) {
      say({ wants: sheet });
      const [batch] = (await once(arrivals, 'rows')) as [Extract<ToWorker, { last: boolean }>];
      yield* batch.rows;
      if (batch.last) return;
    }
  }

  try {
    for await (const chunk of workbook(sheets, rowsOf, timeZone)) {
      while (credit === 0) await once(arrivals, 'credit');
      credit -= 1;
      // Copies the chunk into a buffer of its own, which can be transferred to the other thread.
      const bytes = new Uint8Array(chunk);
      say({ chunk: bytes }, [bytes.buffer]);
    }
    say({ done: true });
  } finally {
    port.close();
  }
}

function workbook(sheets: SheetForm[], rowsOf: (sheet: number) => AsyncIterable<SpreadsheetRow>, timeZone: string) {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const names = sheetNames(sheets.map((sheet) => sheet.name));
  const part = (name: string, xml: string) => zip.addBuffer(Buffer.from(xml), name, undated);

  part('[Content_Types].xml', contentTypes(sheets.length));
  part('_rels/.rels', relationships([['rId1', 'officeDocument', 'xl/workbook.xml']]));
  part('xl/workbook.xml', workbookXml(names));
  part(
    'xl/_rels/workbook.xml.rels',
    relationships([
      ...names.map((_, index): Relationship => [`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`]),
      [`rId${names.length + 1}`, 'styles', 'styles.xml'],
    ]),
  );
  part('xl/styles.xml', styles);
  sheets.forEach((sheet, index) => {
    // Only one sheet is open at a time, because the rows of all sheets usually come from the same database.
    zip.addReadStreamLazy(`xl/worksheets/sheet${index + 1}.xml`, undated, (give) => {
      const stream = Readable.from(sheetXml(sheet, rowsOf(index), timeZone, index === 0), { objectMode: false });
      stream.once('error', (error) => output.destroy(error));
      give(null, stream);
    });
  });
  zip.end();
  return output as AsyncIterable<Uint8Array>;
}

/** Files in the archive have a fixed date, so that equal rows give equal bytes. */
const undated = { mtime: new Date(2000, 0, 1), forceDosTimestamp: true } as const;

/** Characters of XML per chunk, which take about a millisecond of work. */
const chunkLength = 32_768;
/** Maximum rows of a sheet and characters of a cell in the file format. */
const maxRows = 1_048_576;
const maxCharacters = 32_767;

async function* sheetXml(
  { columns }: SheetForm,
  rows: AsyncIterable<SpreadsheetRow>,
  timeZone: string,
  isFirst: boolean,
): AsyncGenerator<Buffer> {
  const writers = columns.map((column, index) => cellWriter(column, columnName(index), timeZone));
  const header = columns.map((column, index) => {
    const format = column.type === 'text' ? style.header : style.numericHeader;
    return textCell(`${columnName(index)}1`, format, column.header);
  });
  let xml = `${opening(columns, isFirst)}<row r="1" ht="20" customHeight="1">${header.join('')}</row>`;
  let number = 1;
  for await (const row of rows) {
    number += 1;
    if (number > maxRows) throw new Error(`A sheet holds at most ${maxRows} rows`);
    xml += `<row r="${number}">`;
    for (let index = 0; index < writers.length; index += 1) xml += writers[index]?.(row[index], number) ?? '';
    xml += '</row>';
    if (xml.length >= chunkLength) {
      yield Buffer.from(xml);
      xml = '';
    }
  }
  yield Buffer.from(`${xml}</sheetData>${validations(columns)}</worksheet>`);
}

/** Number of rows that get dropdowns in a sheet for people to fill in. */
const filledRows = 20_000;
/** Maximum characters that the file format allows, both for a hint and for all choices of a column together. */
const hintLength = 255;

/** Formula with the choices of a dropdown; '' if there are none, or more than the file format allows. */
function listFormula(choices: NonNullable<SpreadsheetColumn['filledIn']>['choices']): string {
  if ('sheet' in choices) {
    const name = columnName(choices.column - 1);
    return `'${choices.sheet.replaceAll("'", "''")}'!$${name}$2:$${name}$${filledRows}`;
  }
  const listed = choices.join(',');
  return listed !== '' && listed.length <= hintLength ? `"${listed}"` : '';
}

/** XML of the dropdowns in the columns to fill in. Other input is accepted too; the import reports its errors. */
function validations(columns: readonly SpreadsheetColumn[]): string {
  const each = columns.flatMap(({ filledIn }, index) => {
    if (!filledIn) return [];
    const list = listFormula(filledIn.choices);
    const [type, formula] = list === '' ? ['', ''] : ['type="list" ', `<formula1>${escapeText(list)}</formula1>`];
    const hint = escapeText(filledIn.hint.slice(0, hintLength));
    const name = columnName(index);
    return [
      `<dataValidation ${type}allowBlank="1" showInputMessage="1" prompt="${hint}" sqref="${name}2:${name}${filledRows}">${formula}</dataValidation>`,
    ];
  });
  return each.length > 0 ? `<dataValidations count="${each.length}">${each.join('')}</dataValidations>` : '';
}

/** Positions of the cell formats in the list `styles` below. */
const style = {
  plain: 0,
  header: 1,
  text: 2,
  quoted: 3,
  percent: 4,
  percentTenths: 5,
  date: 6,
  datetime: 7,
  // Header of a number column, right-aligned like the numbers below it.
  numericHeader: 8,
  remark: 9,
  score: 10,
};

type CellWriter = (value: SpreadsheetCell, row: number) => string;

function cellWriter(column: SpreadsheetColumn, name: string, timeZone: string): CellWriter {
  const numeric = numericCell(column, timeZone);
  return (value, row) => {
    if (value === null || value === undefined || value === '') return '';
    if (numeric && typeof value === 'number') {
      if (!Number.isFinite(value)) return '';
      return `<c r="${name}${row}" s="${numeric.style}"><v>${numeric.value(value)}</v></c>`;
    }
    const text = String(value);
    // Marks a text that looks like a formula as quoted, so that it does not become one when somebody edits the cell
    // (formula injection).
    const format = /^[=+\-@\t\r]/.test(text) ? style.quoted : numeric ? style.remark : style.text;
    return textCell(`${name}${row}`, format, text);
  };
}

interface NumericCell {
  style: number;
  value(given: number): number;
}

function numericCell({ type, decimals }: SpreadsheetColumn, timeZone: string): NumericCell | null {
  const same = (value: number) => value;
  switch (type) {
    case 'text':
      return null;
    case 'number':
      return { style: style.plain, value: same };
    case 'score':
      return { style: style.score, value: same };
    case 'percent':
      return { style: decimals === 1 ? style.percentTenths : style.percent, value: same };
    case 'date':
    case 'datetime':
      return { style: type === 'date' ? style.date : style.datetime, value: serialDates(timeZone) };
  }
}

/** Converts unix seconds to spreadsheet time: days since 1899-12-30 in the time zone. */
function serialDates(timeZone: string): (seconds: number) => number {
  const offsetOf = zoneOffsets(timeZone);
  return (seconds) => (seconds + offsetOf(seconds)) / 86_400 + 25_569;
}

/**
 * Seconds that the time zone is ahead of UTC. Offsets change only at quarters of an hour, so they are cached per
 * quarter.
 */
function zoneOffsets(timeZone: string): (seconds: number) => number {
  const known = new Map<number, number>();
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (seconds) => {
    const quarter = Math.floor(seconds / 900);
    const before = known.get(quarter);
    if (before !== undefined) return before;
    const at = quarter * 900;
    const parts = clock.formatToParts(at * 1000);
    const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
    const local = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'));
    const offset = local / 1000 - at;
    if (known.size > 10_000) known.clear();
    known.set(quarter, offset);
    return offset;
  };
}

function textCell(reference: string, styleIndex: number, text: string): string {
  const space = /^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : '';
  return `<c r="${reference}" s="${styleIndex}" t="inlineStr"><is><t${space}>${escapeText(text)}</t></is></c>`;
}

const needsEscape = /[&<>"\p{Cc}\p{Cs}\ufffe\uffff]|_x[0-9a-f]{4}_/iu;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Removes characters that XML does not allow, and escapes text such as `_x0041_`, which would be read as an A. */
function escapeText(text: string): string {
  const cut = text.length > maxCharacters ? text.slice(0, maxCharacters) : text;
  if (!needsEscape.test(cut)) return cut;
  return cut
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(/(?![\t\n])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '')
    .replace(/[&<>"]/g, (character) => entities[character] ?? '');
}

/** Column letters by index: A, B, …, Z, AA, … */
function columnName(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

/** Makes sheet names valid: at most 31 characters, none of []:*?/\, no apostrophe at an end, no duplicates. */
function sheetNames(wanted: string[]): string[] {
  const taken = new Set<string>();
  return wanted.map((name) => {
    const plain =
      name
        .replace(/[[\]:*?/\\\p{Cc}\p{Cs}]/gu, ' ')
        .replace(/^'+|'+$/g, '')
        .trim() || '工作表';
    for (let count = 1; ; count += 1) {
      const suffix = count === 1 ? '' : `(${count})`;
      const candidate = `${[...plain]
        .slice(0, 31 - suffix.length)
        .join('')
        .slice(0, 31 - suffix.length)}${suffix}`;
      if (taken.has(candidate.toLowerCase())) continue;
      taken.add(candidate.toLowerCase());
      return candidate;
    }
  });
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeRelationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const parts = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const usualWidth: Record<ColumnType, number> = { text: 16, number: 10, score: 10, percent: 10, date: 12, datetime: 18 };

/** Width by type and header; a Chinese character takes two Latin ones. */
function defaultWidth({ header, type }: SpreadsheetColumn): number {
  const length = Array.from(header).reduce((sum, character) => sum + (character > '\u2e80' ? 2 : 1), 0);
  return Math.max(usualWidth[type], length + 4);
}

function opening(columns: readonly SpreadsheetColumn[], isFirst: boolean): string {
  const widths = columns.map((column, index) => {
    const place = index + 1;
    const typed = column.filledIn ? ` style="${style.text}"` : '';
    return `<col min="${place}" max="${place}" width="${column.width ?? defaultWidth(column)}"${typed} customWidth="1"/>`;
  });
  const cols = widths.length > 0 ? `<cols>${widths.join('')}</cols>` : '';
  const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const view = `<sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">${frozen}<selection pane="bottomLeft"/></sheetView>`;
  return `${declaration}<worksheet xmlns="${main}"><sheetViews>${view}</sheetViews><sheetFormatPr defaultRowHeight="16"/>${cols}<sheetData>`;
}

function workbookXml(names: string[]): string {
  const sheets = names.map(
    (name, index) => `<sheet name="${escapeText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return `${declaration}<workbook xmlns="${main}" xmlns:r="${officeRelationships}"><sheets>${sheets.join('')}</sheets></workbook>`;
}

type Relationship = [id: string, type: string, target: string];

function relationships(all: Relationship[]): string {
  const each = all.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${officeRelationships}/${type}" Target="${target}"/>`,
  );
  return `${declaration}<Relationships xmlns="${packages}/relationships">${each.join('')}</Relationships>`;
}

function contentTypes(sheets: number): string {
  const overrides = [
    ['/xl/workbook.xml', 'sheet.main'],
    ['/xl/styles.xml', 'styles'],
    ...Array.from({ length: sheets }, (_, index) => [`/xl/worksheets/sheet${index + 1}.xml`, 'worksheet']),
  ].map(([name, type]) => `<Override PartName="${name}" ContentType="${parts}.${type}+xml"/>`);
  return `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`;
}

/** The cell formats, in the order of `style`. The built-in number formats 9, 14 and 49 are 0%, date and text. */
const styles = `${declaration}<styleSheet xmlns="${main}"><numFmts count="4"><numFmt numFmtId="164" formatCode="0.0%"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="167" formatCode="0.0"/></numFmts><fonts count="2"><font><sz val="11"/><name val="等线"/></font><font><b/><sz val="11"/><name val="等线"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFF1F3F5"/><bgColor indexed="64"/></patternFill></fill></fills><borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top/><bottom style="thin"><color rgb="FFADB5BD"/></bottom><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="11"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="2" borderId="1" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment vertical="center"/></xf><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/><xf numFmtId="9" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="2" borderId="1" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment horizontal="right" vertical="center"/></xf><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment horizontal="right"/></xf><xf numFmtId="167" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

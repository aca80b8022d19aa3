/** Describes sheets for the page on which a person says what each column holds. */
import { type Column, type ColumnList, type ColumnMapping, isColumn, type SheetColumns } from './column-names.ts';
import type { Sheet, SheetRow } from './excel-reader.ts';
import { isTable, plainLine } from './rich-line.ts';
import { findTitles } from './sheet-columns.ts';
import { readChoices, readJudgement, readType } from './spelling.ts';

/** Limits of the excerpt of a sheet: enough to recognise a column. */
const maxSheets = 40;
const maxRows = 8;
const maxColumns = 40;
const maxCharacters = 60;

/** Returns the sheets with some content, with `mapping` or else a guess. */
export function describeSheets(sheets: readonly Sheet[], mapping?: ColumnMapping): SheetColumns[] {
  return sheets
    .filter(({ rows }) => rows.length > 0)
    .slice(0, maxSheets)
    .map((sheet) => describeSheet(sheet, mapping));
}

function describeSheet(sheet: Sheet, mapping: ColumnMapping | undefined): SheetColumns {
  const first = sheet.rows.slice(0, maxRows);
  const titles = findTitles(sheet, readType(sheet.name) === 6);
  const titleRow = titles?.row ?? 0;
  // Instructions may fill the rows above the titles.
  const shown = titleRow > (first.at(-1)?.number ?? 0) ? rowsFrom(sheet, titleRow) : first;
  const width = Math.min(maxColumns, Math.max(...shown.map(({ cells }) => Math.max(0, ...cells.keys()))));
  const rows = shown.map((row) => ({ number: row.number, cells: textsOf(row, width) }));
  const columns = titles
    ? Array.from({ length: width }, (_, at) => titledColumn(titles.columns, at + 1))
    : guessByContent(rows.map(({ cells }) => cells));
  const guess = { title_row: titles ? titleRow : titleRowOf(rows, columns), columns };
  return {
    name: sheet.name,
    rows,
    ...guess,
    ...(mapping && (mapping[sheet.name] ?? { columns: columns.map(() => '') })),
  };
}

const rowsFrom = (sheet: Sheet, number: number): SheetRow[] =>
  sheet.rows.filter((row) => row.number >= number).slice(0, maxRows);

const textsOf = (row: SheetRow, width: number): string[] =>
  Array.from({ length: width }, (_, at) => {
    const lines = row.cells.get(at + 1)?.lines ?? [];
    const text = lines.map((line) => (isTable(line) ? '' : plainLine(line))).join(' ');
    return [...text.replace(/\s+/g, ' ').trim()].slice(0, maxCharacters).join('');
  });

function titledColumn(columns: ReadonlyMap<Column, number>, at: number): Column | '' {
  const found = [...columns].find(([, column]) => column === at)?.[0];
  return found && isColumn(found) ? found : '';
}

/** Guesses columns without known titles: types, answers and numbers by their values, the stem by its length. */
function guessByContent(rows: readonly string[][]): ColumnList {
  const width = rows[0]?.length ?? 0;
  const columns: ColumnList = Array.from({ length: width }, () => '');
  const valuesOf = (at: number) => rows.slice(1).flatMap((cells) => cells[at] || []);
  const findBy = (isValue: (text: string) => boolean) =>
    columns.findIndex((column, at) => column === '' && valuesOf(at).length > 0 && valuesOf(at).every(isValue));
  const type = findBy((text) => readType(text) !== undefined);
  if (type !== -1) columns[type] = 'type';
  const answer = findBy((text) =>
    /^[A-Z、,，\s]+$/i.test(text) ? readChoices(text) !== undefined : readJudgement(text) !== undefined,
  );
  if (answer !== -1) columns[answer] = 'answer';
  const lengths = columns.map((column, at) => (column === '' ? valuesOf(at).join('').length : 0));
  const longest = Math.max(0, ...lengths);
  const stem = longest > 0 ? lengths.indexOf(longest) : -1;
  if (stem !== -1) columns[stem] = 'stem';
  const isCounted =
    valuesOf(0).length > 0 && valuesOf(0).every((text, index) => Number(text) - Number(valuesOf(0)[0]) === index);
  if (columns[0] === '' && isCounted) columns[0] = 'number';
  return withOptions(columns, stem, answer);
}

/** Columns between the stem and the answer hold the options. */
function withOptions(columns: ColumnList, stem: number, answer: number): ColumnList {
  const between = columns.slice(stem + 1, Math.max(answer, 0));
  if (stem === -1 || between.length < 2 || between.some((column) => column !== '')) return columns;
  return columns.map((column, at) => {
    const option = `option ${at - stem - 1}` as const;
    return at > stem && at < answer && isColumn(option) ? option : column;
  });
}

/** The first row has titles, unless it reads as a question itself. */
function titleRowOf(rows: SheetColumns['rows'], columns: ColumnList): number {
  const [first] = rows;
  if (!first) return 0;
  const type = columns.indexOf('type');
  const answer = columns.indexOf('answer');
  const isQuestion =
    (type !== -1 && readType(first.cells[type] ?? '') !== undefined) ||
    (answer !== -1 && /^[A-F]+$/i.test(first.cells[answer] ?? ''));
  return isQuestion ? 0 : first.number;
}

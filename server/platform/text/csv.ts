/** Streaming parser for comma-separated values (RFC 4180). */
import {
  cellTooLongMessage,
  LimitExceeded,
  maxCell,
  maxColumns,
  maxRows,
  tooManyColumns,
  tooManyRows,
} from './table-limits.ts';

export interface CsvRow {
  /** Number of the row, from 1. A row of several lines counts once; empty lines count. */
  row: number;
  cells: string[];
  /** Fault in the row. `open`: a quote without end. `quote`: a quote in the wrong place, kept as text. */
  fault?: 'open' | 'quote';
  /** True if a cell contains a line break. */
  isBroken: boolean;
}

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Yields, for each piece of text, the rows that it completes, without empty lines. Throws `LimitExceeded` beyond the
 * limits.
 */
export async function* csvRows(pieces: AsyncIterable<string>, separator = ','): AsyncGenerator<CsvRow[]> {
  const between = separator.charCodeAt(0);
  let row = 1;
  let cells: string[] = [];
  let cell = '';
  let fault: CsvRow['fault'];
  let isBroken = false;
  let state: 'start' | 'plain' | 'quoted' | 'ended' = 'start';
  let afterReturn = false;

  function endCell(): void {
    if (cell.length > maxCell) throw new LimitExceeded(row, cellTooLongMessage);
    if (cells.length >= maxColumns) throw new LimitExceeded(row, tooManyColumns);
    cells.push(cell);
    cell = '';
  }

  function take(): CsvRow | undefined {
    endCell();
    if (row > maxRows) throw new LimitExceeded(row, tooManyRows);
    const taken: CsvRow = { row, cells, isBroken };
    if (fault) taken.fault = fault;
    row += 1;
    cells = [];
    fault = undefined;
    isBroken = false;
    state = 'start';
    return taken.cells.length === 1 && taken.cells[0]?.trim() === '' ? undefined : taken;
  }

  let ended: CsvRow[] = [];
  for await (const piece of pieces) {
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (state === 'quoted') {
        if (code === quote) {
          cell += piece.slice(from, at);
          from = at + 1;
          state = 'ended';
        } else if (code === lineFeed || code === carriageReturn) isBroken = true;
        continue;
      }
      if (afterReturn) {
        afterReturn = false;
        if (code === lineFeed) {
          from = at + 1;
          continue;
        }
      }
      if (code === between || code === lineFeed || code === carriageReturn) {
        cell += piece.slice(from, at);
        from = at + 1;
        if (code === between) {
          endCell();
          state = 'start';
          continue;
        }
        afterReturn = code === carriageReturn;
        const taken = take();
        if (taken) ended.push(taken);
      } else if (code === quote) {
        if (state === 'ended') {
          // Inside quotes, two quotes mean one.
          from = at;
          state = 'quoted';
        } else if (state === 'start') {
          from = at + 1;
          state = 'quoted';
        } else fault ??= 'quote';
      } else if (state === 'ended') fault ??= 'quote';
      else state = 'plain';
    }
    cell += piece.slice(from);
    if (cell.length > maxCell) throw new LimitExceeded(row, cellTooLongMessage);
    yield ended;
    ended = [];
  }
  if (state === 'quoted') fault = 'open';
  if (state === 'start' && cells.length === 0 && cell === '') return;
  const last = take();
  if (last) yield [last];
}

/** Guesses the separator from the first line, because Excel writes the one of the Windows regional settings. */
export function separatorOf(line: string): ',' | ';' | '\t' {
  const bare = line.replace(/"[^"]*"/g, '');
  const count = (separator: string) => bare.split(separator).length;
  if (count('\t') > count(',') && count('\t') > count(';')) return '\t';
  return count(';') > count(',') ? ';' : ',';
}

/**
 * Tables as real .xlsx files. The rows are drawn here, where the database is; the file is made in a worker thread, to
 * which they travel in batches (5 % of the work), so that an export of 100,000 rows leaves the request loop free.
 */
import { MessageChannel } from 'node:worker_threads';
import { createPool, type Pool } from '#server/platform/jobs/pool.ts';

/**
 * text: always shown as it is, also where it begins with = + - @. number: a JavaScript number. score: the same, shown
 * with one decimal. percent: a fraction, 0.29 for 29 %; already truncated. date, datetime: unix seconds, shown in the
 * school's time zone.
 */
export type ColumnType = 'text' | 'number' | 'score' | 'percent' | 'date' | 'datetime';

export interface SpreadsheetColumn {
  header: string;
  type: ColumnType;
  /** In characters of Latin script; default: room for the header. */
  width?: number;
  /** Decimals of a percent, 0 (default) or 1. */
  decimals?: 0 | 1;
  /**
   * Of a sheet that people fill in: what is offered to choose from, in words or as another sheet's column (from 1), and
   * what is told them. What they type stays text.
   */
  filledIn?: { choices: readonly string[] | { sheet: string; column: number }; hint: string };
}

/** Null and undefined leave the cell empty. A string in a column of numbers, such as `/`, stays text. */
export type SpreadsheetCell = string | number | null | undefined;
export type SpreadsheetRow = readonly SpreadsheetCell[];

export interface SheetForm {
  name: string;
  columns: readonly SpreadsheetColumn[];
}

export interface Spreadsheet {
  sheets: (SheetForm & { rows: Iterable<SpreadsheetRow> | AsyncIterable<SpreadsheetRow> })[];
  /** IANA name; default Asia/Shanghai. */
  timeZone?: string;
}

export const spreadsheetContentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What the worker asks for and gives. */
export type FromWorker = { wants: number } | { chunk: Uint8Array<ArrayBuffer> } | { done: true };
/**
 * What it gets: the next rows of the sheet that it wants (fewer than it could be are the last ones), or leave to give.
 */
export type ToWorker = { rows: SpreadsheetRow[]; last: boolean } | { reads: true };

const batch = 500;
/** An export waits for its rows as long as the database takes. */
const timeLimit = 15 * 60_000;

let shared: Pool | undefined;

/**
 * The bytes of the file. Meant to be read at once, into the storage: while it is read it has the export thread to
 * itself, and other exports wait. Rows are drawn as fast as the bytes are read. When the reader cancels, the iterables
 * are ended (their `finally` runs); when one of them throws, the stream fails with its error.
 */
export function writeSpreadsheet({ sheets, timeZone = 'Asia/Shanghai' }: Spreadsheet): ReadableStream<Uint8Array> {
  shared ??= createPool({ workers: 1, timeLimit });
  const { port1: port, port2 } = new MessageChannel();
  const sources = sheets.map(({ rows }) => iteratorOf(rows));
  const stopped = new AbortController();
  const job = shared.run({
    module: '#server/platform/export/workbook.ts',
    run: 'produceWorkbook',
    input: { port: port2, sheets: sheets.map(({ name, columns }) => ({ name, columns })), timeZone },
    transfer: [port2],
    signal: stopped.signal,
  });

  async function stop(): Promise<void> {
    stopped.abort();
    port.close();
    await Promise.all(sources.map((source) => source.return?.()));
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const fail = async (error: unknown) => {
          if (stopped.signal.aborted) return;
          controller.error(error);
          await stop();
        };
        port.on('message', async (message: FromWorker) => {
          if (stopped.signal.aborted) return;
          if ('chunk' in message) controller.enqueue(message.chunk);
          else if ('done' in message) {
            port.close();
            controller.close();
          } else {
            const source = sources[message.wants];
            if (source) await nextRows(source).then((rows) => port.postMessage(rows satisfies ToWorker), fail);
          }
        });
        // That it went well is said above, behind the last of the bytes.
        job.then(
          (outcome) => ('failed' in outcome ? fail(new Error(`No spreadsheet: ${outcome.failed}`)) : undefined),
          fail,
        );
      },
      pull() {
        port.postMessage({ reads: true } satisfies ToWorker);
      },
      cancel: stop,
    },
    { highWaterMark: 4 },
  );
}

type RowIterator = Iterator<SpreadsheetRow> | AsyncIterator<SpreadsheetRow>;

function iteratorOf(rows: Iterable<SpreadsheetRow> | AsyncIterable<SpreadsheetRow>): RowIterator {
  return Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
}

async function nextRows(source: RowIterator): Promise<{ rows: SpreadsheetRow[]; last: boolean }> {
  const rows: SpreadsheetRow[] = [];
  while (rows.length < batch) {
    const next = await source.next();
    if (next.done) return { rows, last: true };
    rows.push(next.value);
  }
  return { rows, last: false };
}

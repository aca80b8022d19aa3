/**
 * Writes .xlsx files. The main thread, which has the database, reads the rows; a worker thread builds the file. Rows
 * travel in batches, which is 5 % of the work, so an export of 100,000 rows does not block requests.
 */
import { MessageChannel } from 'node:worker_threads';
import { createPool, type Pool } from '#server/platform/jobs/pool.ts';

/**
 * How a column's values are shown. `text`: literally, even if it begins with = + - @. `number`: a JavaScript number.
 * `score`: a number with one decimal. `percent`: a fraction (0.29 for 29 %), already truncated. `date`, `datetime`:
 * unix seconds, shown in the school's time zone.
 */
export type ColumnType = 'text' | 'number' | 'score' | 'percent' | 'date' | 'datetime';

export interface SpreadsheetColumn {
  header: string;
  type: ColumnType;
  /** Width in Latin characters; by default as wide as the header. */
  width?: number;
  /** Decimals of a percentage: 0 by default, or 1. */
  decimals?: 0 | 1;
  /**
   * For a sheet that people fill in: choices (words, or a column of another sheet, from 1) and a hint. Input stays
   * text.
   */
  filledIn?: { choices: readonly string[] | { sheet: string; column: number }; hint: string };
}

/** Null and undefined leave the cell empty. A string in a number column, such as `/`, stays text. */
export type SpreadsheetCell = string | number | null | undefined;
export type SpreadsheetRow = readonly SpreadsheetCell[];

export interface SheetForm {
  name: string;
  columns: readonly SpreadsheetColumn[];
}

export interface Spreadsheet {
  sheets: (SheetForm & { rows: Iterable<SpreadsheetRow> | AsyncIterable<SpreadsheetRow> })[];
  /** IANA name of the time zone; Asia/Shanghai by default. */
  timeZone?: string;
}

export const spreadsheetContentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Messages from the worker. */
export type FromWorker = { wants: number } | { chunk: Uint8Array<ArrayBuffer> } | { done: true };
/**
 * Messages to the worker: the next rows of the requested sheet, or permission to send more bytes. A batch that is not
 * full is the last of its sheet.
 */
export type ToWorker = { rows: SpreadsheetRow[]; last: boolean } | { reads: true };

const batch = 500;
/** Time limit in milliseconds, including the time spent waiting for the database. */
const timeLimit = 15 * 60_000;

let shared: Pool | undefined;

/**
 * Streams the bytes of the file. Read the stream into the storage at once: until it ends it holds the only export
 * thread. Rows are read at the reader's speed (backpressure). Cancelling ends the row iterables (their `finally` runs).
 * An error in a row iterable fails the stream.
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
        // Only handles failures: the worker reports success by its message `done`, after the last bytes.
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

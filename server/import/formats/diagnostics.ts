/** Collects the messages about an upload while it is read. */
import type { Place, Remark } from '../source-record.ts';

/** Similar notes are listed up to this number, then only counted. Doubts go further: each is shown with its row. */
const maxNotes = 20;
const maxDoubts = 1000;

/** Messages are similar if they differ only in their quoted text. */
const kindOf = ({ file, field, message }: Remark): string => `${file}|${field}|${message.replace(/“[^”]*”/g, '“”')}`;

class CappedRemarks {
  readonly list: Remark[] = [];
  readonly #counts = new Map<string, { said: number; last: Remark }>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(remark: Remark): void {
    const kind = kindOf(remark);
    const count = this.#counts.get(kind);
    if (count) {
      count.said += 1;
      count.last = remark;
    } else this.#counts.set(kind, { said: 1, last: remark });
    if ((count?.said ?? 1) <= this.#limit) this.list.push(remark);
  }

  all(): Remark[] {
    const rest = [...this.#counts.values()].flatMap(({ said, last }) =>
      said > this.#limit ? [{ ...last, message: `${last.message}（同类共${said}处，此处为最后一处）` }] : [],
    );
    return [...this.list, ...rest];
  }
}

export interface Remarks {
  /** Refuses the row, with a message. */
  reject(place: Place, field: string, message: string): void;
  /**
   * Accepts the row, with a note that a value was read despite its notation. In strict mode refuses the row instead and
   * returns false.
   */
  forgive(place: Place, field: string, message: string): boolean;
  doubt(place: Place, field: string, message: string): void;
  isRefused(place: Place): boolean;
  refused: Remark[];
  forgiven(): Remark[];
  doubted(): Remark[];
}

/** Turns such a note into an error: removes the clause that says how the value was read. */
const noteToError = (message: string): string =>
  message
    .replace(/[，：][^，：]*(?:已(?:照常|按[^，：]*)读取|已忽略|没有读取|没有导入)$/, '')
    .replace(/^(.*?)已按 ?(.+?) ?读取$/, '$1应写为 $2');

/** Maximum characters of a cell or field name that a message quotes. */
const quoted = 60;

const shortenQuotes = (text: string): string =>
  text.replace(/“([^”]*)”/g, (all, inner: string) => (inner.length > quoted ? `“${inner.slice(0, quoted)}…”` : all));

/** Creates a collection. Strict mode forgives nothing, and raises no doubts about what the standard allows. */
export function newRemarks(strict: boolean): Remarks {
  const refused: Remark[] = [];
  const forgiven = new CappedRemarks(maxNotes);
  const doubted = new CappedRemarks(maxDoubts);
  const rows = new Map<string, Set<number>>();
  const remarks: Remarks = {
    reject: ({ file, row }, field, message) => {
      refused.push({ file, row, field: field.slice(0, quoted), message: shortenQuotes(message) });
      const of = rows.get(file) ?? new Set();
      rows.set(file, of.add(row));
    },
    forgive: ({ file, row }, field, message) => {
      if (strict) remarks.reject({ file, row }, field, noteToError(message));
      else forgiven.add({ file, row, field: field.slice(0, quoted), message: shortenQuotes(message) });
      return !strict;
    },
    doubt: ({ file, row }, field, message) => {
      if (!strict) doubted.add({ file, row, field: field.slice(0, quoted), message: shortenQuotes(message) });
    },
    isRefused: ({ file, row }) => rows.get(file)?.has(row) ?? false,
    refused,
    forgiven: () => forgiven.all(),
    doubted: () => doubted.all(),
  };
  return remarks;
}

/** Note about files from Windows; the user need not do anything. */
export const byteOrderMark = '文件开头有 BOM 标记，已忽略';

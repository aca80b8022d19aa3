/** What is said of the places of an upload, while it is read. */
import type { Place, Remark } from '../source-record.ts';

/** Alike ones are said so often one by one; then how many more there are. */
const toldOneByOne = 20;

/** The same said of many places: what is quoted in it differs. */
const kindOf = ({ file, field, message }: Remark): string => `${file}|${field}|${message.replace(/“[^”]*”/g, '“”')}`;

class Told {
  readonly list: Remark[] = [];
  readonly #counts = new Map<string, { said: number; last: Remark }>();

  add(remark: Remark): void {
    const kind = kindOf(remark);
    const count = this.#counts.get(kind);
    if (count) {
      count.said += 1;
      count.last = remark;
    } else this.#counts.set(kind, { said: 1, last: remark });
    if ((count?.said ?? 1) <= toldOneByOne) this.list.push(remark);
  }

  all(): Remark[] {
    const rest = [...this.#counts.values()].flatMap(({ said, last }) =>
      said > toldOneByOne ? [{ ...last, message: `${last.message}（同类共${said}处，此处为最后一处）` }] : [],
    );
    return [...this.list, ...rest];
  }
}

export interface Remarks {
  /** The row is not taken. */
  reject(place: Place, field: string, message: string): void;
  /** Taken all the same; refused by who reads strictly. False: refused. */
  forgive(place: Place, field: string, message: string): boolean;
  doubt(place: Place, field: string, message: string): void;
  isRefused(place: Place): boolean;
  refused: Remark[];
  forgiven(): Remark[];
  doubted(): Remark[];
}

/** What is said of something that is not taken all the same: only what is wrong with it. */
const unforgiven = (message: string): string =>
  message
    .replace(/[，：][^，：]*(?:已(?:照常|按[^，：]*)读取|已忽略|没有读取|没有导入)$/, '')
    .replace(/^(.*?)已按 ?(.+?) ?读取$/, '$1应写为 $2');

/** Characters of a quoted cell, and of a field's name. */
const quoted = 60;

const clipped = (text: string): string =>
  text.replace(/“([^”]*)”/g, (all, inner: string) => (inner.length > quoted ? `“${inner.slice(0, quoted)}…”` : all));

/** Read strictly, nothing is forgiven, and what the standard does not forbid is not doubted. */
export function newRemarks(strict: boolean): Remarks {
  const refused: Remark[] = [];
  const forgiven = new Told();
  const doubted = new Told();
  const rows = new Map<string, Set<number>>();
  const remarks: Remarks = {
    reject: ({ file, row }, field, message) => {
      refused.push({ file, row, field: field.slice(0, quoted), message: clipped(message) });
      const of = rows.get(file) ?? new Set();
      rows.set(file, of.add(row));
    },
    forgive: ({ file, row }, field, message) => {
      if (strict) remarks.reject({ file, row }, field, unforgiven(message));
      else forgiven.add({ file, row, field: field.slice(0, quoted), message: clipped(message) });
      return !strict;
    },
    doubt: ({ file, row }, field, message) => {
      if (!strict) doubted.add({ file, row, field: field.slice(0, quoted), message: clipped(message) });
    },
    isRefused: ({ file, row }) => rows.get(file)?.has(row) ?? false,
    refused,
    forgiven: () => forgiven.all(),
    doubted: () => doubted.all(),
  };
  return remarks;
}

/** What is said of every text file that Windows wrote; nothing has to be done about it. */
export const byteOrderMark = '文件开头有 BOM 标记，已忽略';

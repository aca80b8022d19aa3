/** Types of the sheets and columns of our own workbook. */
import type { Kind, Place, Reference, SourceRecord, Value } from '../source-record.ts';
import type { Remarks } from './diagnostics.ts';

export type ColumnType =
  /** Single-line text. `code`: id, number or user name. `long`: multi-line text. */
  | { is: 'code' | 'long' | 'mobile' | 'day' | 'time' }
  /** `orDay`: a date cell is accepted. */
  | { is: 'text'; orDay?: true }
  | { is: 'number'; decimals?: number; least?: number; most: number }
  /** `meant` maps further words, such as job titles, to one of these. */
  | {
      is: 'word';
      words: Readonly<Record<string, string | number>>;
      meant?: (text: string) => string | undefined;
    }
  | { is: 'words'; words: Readonly<Record<string, string>> }
  /** A reference to a record of these kinds, or several. */
  | { is: 'one' | 'many'; of: readonly Kind[] };

export interface SheetColumn {
  head: string;
  /** Other headings for it. */
  also?: readonly string[];
  /** Field of the record; '' if `read` produces something else. */
  field: string;
  type: ColumnType;
  required?: true;
  /** An unreadable value refuses the whole row, because the row would mean something else without it. */
  isDecisive?: true;
  /** Explanation in the template. */
  hint: string;
  example: string;
  /** Fields from a filled cell, if it is not simply `field`. */
  read?(text: string, row: SheetRecord): Record<string, Value | undefined>;
  /** The cell's text, if it is not simply `field`. */
  write?(record: SourceRecord, written: WriteContext): string | Promise<string>;
}

/** A row, by the headings of its format. */
export interface SheetRecord {
  place: Place;
  format: SheetFormat;
  timeZone: string;
  remarks: Remarks;
  get(head: string): string;
  many(head: string, kind: Kind): Reference[];
}

export interface WriteContext {
  timeZone: string;
  /** Text that names records in a cell of another record. */
  named(references: readonly Reference[], within: readonly Kind[]): Promise<string>;
}

export interface SheetFormat {
  name: SheetName;
  also: readonly string[];
  /** Kinds of its rows in the order of writing, and further kinds it contains. */
  kinds: readonly Kind[];
  columns: readonly SheetColumn[];
}

export type SheetName =
  | '学校'
  | '年级与分类'
  | '课程'
  | '课时'
  | '班级'
  | '人员'
  | '学员'
  | '进班'
  | '教室'
  | '团课'
  | '课次'
  | '课表'
  | '分组';

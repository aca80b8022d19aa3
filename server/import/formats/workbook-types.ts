/** Types that describe the sheets and columns of our own workbook. */
import type { Place, RecordKind, Reference, SourceRecord, Value } from '../source-record.ts';
import type { Remarks } from './diagnostics.ts';

export type ColumnType =
  /** Single-line text. `code`: an id, a number or a user name. `long`: text of several lines. */
  | { is: 'code' | 'long' | 'mobile' | 'day' | 'time' }
  /** `orDay`: the cell may also be formatted as a date. */
  | { is: 'text'; orDay?: true }
  | { is: 'number'; decimals?: number; least?: number; most: number }
  /** One of `words`. `meant` maps further words, such as job titles, to one of these. */
  | {
      is: 'word';
      words: Readonly<Record<string, string | number>>;
      meant?: (text: string) => string | undefined;
    }
  | { is: 'words'; words: Readonly<Record<string, string>> }
  /** A reference to one record of these kinds, or to several. */
  | { is: 'one' | 'many'; of: readonly RecordKind[] };

export interface SheetColumn {
  head: string;
  /** Other headings by which the column is recognised. */
  also?: readonly string[];
  /** Field of the record that the column fills; '' if `read` fills others. */
  field: string;
  type: ColumnType;
  required?: true;
  /** An unreadable value refuses the whole row, which would mean something else without it. */
  isDecisive?: true;
  /** Explanation of the column in the template. */
  hint: string;
  example: string;
  /** Reads the fields from a cell that is not empty; needed if the column does not simply fill `field`. */
  read?(text: string, row: SheetRecord): Record<string, Value | undefined>;
  /** Writes the cell; needed if it is not simply the text of `field`. */
  write?(record: SourceRecord, written: WriteContext): string | Promise<string>;
}

/** A row, whose cells are found by the headings of its format. */
export interface SheetRecord {
  place: Place;
  format: SheetFormat;
  timeZone: string;
  remarks: Remarks;
  get(head: string): string;
  many(head: string, kind: RecordKind): Reference[];
}

export interface WriteContext {
  timeZone: string;
  /** Returns the text that names other records in a cell. */
  named(references: readonly Reference[], within: readonly RecordKind[]): Promise<string>;
}

export interface SheetFormat {
  name: SheetName;
  also: readonly string[];
  /** Kinds of the sheet's rows in the order of writing, and further kinds that their cells contain. */
  kinds: readonly RecordKind[];
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
  | '分组'
  | '考试';

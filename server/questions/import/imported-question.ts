/** A question that was read from a file, as the preview shows it and the import stores it. */
import type { QuestionDraft } from '#server/questions/rules.ts';
import type { SheetColumns } from './column-names.ts';
import type { Line } from './rich-line.ts';

export interface ImportNote {
  /** Place in the file: `第12行` in Word, `单选题!C5` in Excel. */
  where: string;
  message: string;
}

/** `place`: in words, in formats without lines. */
export type ImportSource = { line: number } | { sheet: string; row: number; cell: string } | { place: string };

export interface ImportedQuestion {
  /** Safe HTML: text of the file is escaped, and the import itself writes all tags. */
  draft: QuestionDraft;
  source: ImportSource;
  /** Errors; empty if the question can be imported. */
  errors: ImportNote[];
  /** Content of the file that the question will lack: formulas, pictures in unknown formats, text outside any field. */
  losses: ImportNote[];
  /** Readings that somebody should check. They do not block the import. */
  doubts: ImportNote[];
  /** Points, in halves; undefined if the file names none. */
  score?: number;
  /** Points of each part of a material question. */
  partScores?: (number | undefined)[];
  /** Number of the question as the file prints it, such as `12` or `（3）`. */
  number?: string;
  /** Number and points of each part of a material question, as the file prints them. */
  parts?: { number: string | undefined; score: number | undefined }[];
  /** First and last line of the document that the question was read from; only in Word. */
  lines?: { from: number; to: number };
}

export type PreviewFormat =
  | 'docx-paper'
  | 'docx-template'
  | 'xlsx'
  | 'moodle-xml'
  | 'gift'
  | 'aiken'
  | 'qti12'
  | 'qti21'
  | 'qti30'
  | 'imscc'
  | 'csv'
  | 'text';

export interface ImportPreview {
  format: PreviewFormat;
  questions: ImportedQuestion[];
  /** Errors about the file as a whole, such as a sheet without a stem column. */
  errors: ImportNote[];
  /** Text of the file that is in no question, in few words: cover, instructions, headings, an unknown kind of question. */
  leftOut: ImportNote[];
  /** Doubts about the file as a whole. */
  doubts: ImportNote[];
  /** Lines of the document, to show it beside its questions. A picture's `part` is its address. */
  paper?: Line[];
  /** Sheets of a spreadsheet, for the page that says what each column holds. */
  sheets?: SheetColumns[] | undefined;
}

/** A file to read. `name`: with its ending. */
export interface QuestionsFile {
  name: string;
  bytes: Uint8Array;
}

/** Stores a picture of the file; returns its URL, or null if it is refused. */
export type SavePicture = (bytes: Uint8Array, contentType: string) => Promise<string | null>;

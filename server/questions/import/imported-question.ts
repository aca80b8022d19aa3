/** A question that was read from a file, as the preview shows it and the import stores it. */
import type { QuestionDraft } from '#server/questions/rules.ts';
export interface ImportNote {
  /** Place in the file: `第12行` in Word, `单选题!C5` in Excel. */
  where: string;
  message: string;
}

export type ImportSource = { line: number } | { sheet: string; row: number; cell: string };

export interface ImportedQuestion {
  /** Safe HTML: text of the file is escaped, and the import itself writes all tags. */
  draft: QuestionDraft;
  source: ImportSource;
  /** Errors; empty if the question can be imported. */
  errors: ImportNote[];
  /** Content of the file that the question will lack: formulas, pictures in unknown formats, text outside any field. */
  losses: ImportNote[];
}

export interface ImportPreview {
  questions: ImportedQuestion[];
  /** Errors about the file as a whole, such as a sheet without a stem column. */
  errors: ImportNote[];
}

/** 1: Word (.docx). 2: Excel (.xlsx). */
export type ImportFormat = 1 | 2;

/** Stores a picture of the file; returns its URL, or null if it is refused. */
export type SavePicture = (bytes: Uint8Array, contentType: string) => Promise<string | null>;

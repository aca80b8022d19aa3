/** A parsed question, as the preview shows it and the commit stores it. */
import type { QuestionDraft } from '#server/questions/rules.ts';
export interface ImportNote {
  /** `第12行` in Word, `单选题!C5` in Excel. */
  where: string;
  message: string;
}

export type ImportSource = { line: number } | { sheet: string; row: number; cell: string };

export interface ImportedQuestion {
  /** Safe by construction: text of the file is escaped, and all tags are written by the import. */
  draft: QuestionDraft;
  source: ImportSource;
  /** Empty if the question can be imported. */
  errors: ImportNote[];
  /** Content of the file that the draft lacks: formulas, pictures in unknown formats, text outside any field. */
  losses: ImportNote[];
}

export interface ImportPreview {
  questions: ImportedQuestion[];
  /** Errors about the whole file, such as a sheet without a stem column. */
  errors: ImportNote[];
}

/** 1 Word (.docx), 2 Excel (.xlsx). */
export type ImportFormat = 1 | 2;

/** Stores a picture of the file. Returns its address, or null if it is refused. */
export type SavePicture = (bytes: Uint8Array, contentType: string) => Promise<string | null>;

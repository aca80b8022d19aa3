/** What the import understood of a file, as the preview shows it and the commit takes it. */
import type { QuestionDraft } from '#server/questions/rules.ts';
export interface ImportNote {
  /** `第12行` in Word, `单选题!C5` in Excel. */
  where: string;
  message: string;
}

export type ImportSource = { line: number } | { sheet: string; row: number; cell: string };

export interface ImportedQuestion {
  /** Sanitised by construction: text of the file is escaped, tags are only those that the import writes. */
  draft: QuestionDraft;
  source: ImportSource;
  /** Empty: the question may be imported as it is. */
  errors: ImportNote[];
  /** What stands in the file and not in the draft: formulas, pictures in unknown formats, text outside any field. */
  losses: ImportNote[];
}

export interface ImportPreview {
  questions: ImportedQuestion[];
  /** About the file as a whole, such as a sheet without a stem column. */
  errors: ImportNote[];
}

/** 1 Word (.docx), 2 Excel (.xlsx). */
export type ImportFormat = 1 | 2;

/** Keeps a picture of the file. Answers its address, or null where it is refused. */
export type SavePicture = (bytes: Uint8Array, contentType: string) => Promise<string | null>;

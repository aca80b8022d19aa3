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

/** Options per imported choice question at most. */
export const importedOptionsMost = 6;

/** Questions of one file at most: beyond that a preview is of no use to anybody. */
export const importedQuestionsMost = 10_000;

/** Keeps a picture of the file. Answers its address, or null where it is refused. */
export type SavePicture = (bytes: Uint8Array, contentType: string) => Promise<string | null>;

/** What a draft cannot hold. */
export const lossMessages = {
  formula: '公式无法保留，请导入后在题目中用公式编辑重新输入',
  shape: '图形（形状、图表、SmartArt）无法保留，请截成图片后插入',
  object: '嵌入的对象无法保留，请截成图片后插入',
  linkedPicture: '链接到外部的图片没有保留，请把图片插入文件中',
  missingPicture: '文件中缺少这张图片',
  note: '脚注和尾注无法保留',
  symbol: '特殊字体的符号无法识别',
} as const;

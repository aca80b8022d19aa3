/** Input and output of the writers of export formats. */
import type { Refusal } from '#server/platform/calls/outcome.ts';
import type { ExportVariant } from '../export.rules.ts';
import type { ImportNote } from '../import.contract.ts';
import type { QuestionDraft } from '../rules.ts';

export interface ExportQuestion extends Omit<QuestionDraft, 'ques_item'> {
  /** Id in the bank, the homework or the exam. */
  id: number;
  /** Number in the selection or on the paper: `3`, or `3.1` for a part of a material question. */
  number: string;
  /** Points, with at most one decimal; undefined in the bank. */
  score?: number;
  ques_item: ExportQuestion[];
}

export interface ExportOptions {
  /** Name of the selection: the homework, the exam, or 我的题目. */
  title: string;
  /** Which paper, in formats that have several (`hasVariants`). */
  variant: ExportVariant;
  /** True if only the report counts: `bytes` of the result may be empty. */
  reportOnly?: boolean;
  /** Reads a stored picture by its `src`; undefined if there is none. */
  readPicture(src: string): Promise<Uint8Array | undefined>;
}

export interface ExportedQuestions {
  bytes: Uint8Array;
  /** Content that the file lacks, by question. */
  losses: ImportNote[];
  /** Number of questions in the file; by default all. */
  count?: number;
}

export type QuestionWriter = (
  questions: readonly ExportQuestion[],
  options: ExportOptions,
) => Promise<ExportedQuestions | Refusal>;

/** Place of a question in the loss report. */
export const placeOf = ({ number }: Pick<ExportQuestion, 'number'>): string => `第${number}题`;

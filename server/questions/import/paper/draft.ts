/** A question while a paper is read: its lines by field, not yet typed. */
import type { ImportNote } from '../imported-question.ts';
import { isTable, type Line } from '../rich-line.ts';
import { lineName } from './facts.ts';
import type { SectionKind } from './question-kinds.ts';
import type { TypeTag } from './type-tags.ts';

/** Lines of a field. `where` names the first line. */
export interface Piece {
  where: string;
  lines: Line[];
}

export interface DraftOption extends Piece {
  /** Letter as printed, 0 for A. */
  index: number;
  /** The line with its label, if the row turns out to be text. */
  original: Line;
}

/** A question or a part of one, with lines as written. */
export interface Draft {
  number: string;
  value: number;
  where: string;
  from: number;
  to: number;
  tag: TypeTag | undefined;
  /** Kind of the section. */
  kind: SectionKind | undefined;
  section: number;
  score: number | undefined;
  stem: Line[];
  options: DraftOption[];
  answer: Piece | undefined;
  analysis: Piece | undefined;
  /** Lines of the analysis behind 【解答】, the answer if there is no other. */
  solution: Piece | undefined;
  difficulty: Piece | undefined;
  /** Knowledge points as written. */
  points: Piece | undefined;
  /** Chapter and source, for the remark. */
  notes: Piece | undefined;
  parts: Draft[];
  /** The line of a part with its number, if the parts turn out to be text. */
  original: Line[];
  /** Lines behind the last option. */
  after: Line[];
  /** True for a shared material, whose parts are questions of their own. */
  isMaterial: boolean;
  /** Numbers of the blanks in a text without numbered questions: __36__. */
  covers: number[];
  /** True for a section without numbers that is one question. */
  isSection: boolean;
  /** True once it is part of a shared material. */
  isTaken: boolean;
  errors: ImportNote[];
  doubts: ImportNote[];
  losses: ImportNote[];
}

export const emptyDraft = (
  number: string,
  value: number,
  line: number,
  kind: SectionKind | undefined,
  section: number,
): Draft => ({
  number,
  value,
  where: lineName(line),
  from: line,
  to: line,
  tag: undefined,
  kind,
  section,
  score: undefined,
  stem: [],
  options: [],
  answer: undefined,
  analysis: undefined,
  solution: undefined,
  difficulty: undefined,
  points: undefined,
  notes: undefined,
  parts: [],
  original: [],
  after: [],
  isMaterial: false,
  covers: [],
  isSection: false,
  isTaken: false,
  errors: [],
  doubts: [],
  losses: [],
});

export const noteAt = (line: number, message: string): ImportNote => ({ where: lineName(line), message });

/** Lines behind a label that names another question: 【3题详解】. */
export interface NumberedField {
  value: number;
  section: number;
  field: 'answer' | 'analysis';
  lines: Line[];
}

/** Collects lines that belong to no question; `attempts`: lines about the answers of students. */
export interface LeftOver {
  lines: Line[];
  attempts: number[];
  numbered: NumberedField[];
}

/** True if a line has more than text. */
export const hasObject = (line: Line): boolean =>
  isTable(line) || line.segments.some((segment) => !('text' in segment));

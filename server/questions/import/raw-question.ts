/** A question as read from a file, before its validation. */
import type { QuestionType } from '../rules.ts';
import type { ImportNote, ImportSource } from './imported-question.ts';
import { type Line, picturesIn } from './rich-line.ts';

/** A field of a question as read from the file. `where`: its place in the file, for messages. */
export interface RawField {
  where: string;
  lines: Line[];
  /** Why the content was not read, such as a formula in a cell; then `lines` is empty. */
  problem?: string;
}

/** A question as read from the file, not validated yet. */
export interface RawQuestion {
  source: ImportSource;
  /** Place of the question in the file, for messages about missing fields. */
  where: string;
  /** The type that the sheet says, or the text of the question's field 题型. */
  type?: QuestionType | RawField;
  stem?: RawField;
  options: RawField[];
  answer?: RawField;
  analysis?: RawField;
  difficulty?: RawField;
  remark?: RawField;
  /** Knowledge point as written; only of whole questions. */
  point?: RawField | undefined;
  /** Tags, joined as a question has them. */
  tags?: string | undefined;
  /** Text that says whether a fill-in question distinguishes upper and lower case. */
  letterCase?: RawField;
  items: RawQuestion[];
  /** Notes made while reading the file. */
  errors: ImportNote[];
  losses: ImportNote[];
  doubts: ImportNote[];
  /** Points, in halves. */
  score?: number;
  /** Number as the file prints it. */
  number?: string;
  /** First and last line of the document. */
  lines?: { from: number; to: number };
  /** True where one note about the file says that questions without a difficulty get the usual one. */
  hasUsualDifficulty?: boolean;
}

export const emptyRawQuestion = (source: ImportSource, where: string): RawQuestion => ({
  source,
  where,
  options: [],
  items: [],
  errors: [],
  losses: [],
  doubts: [],
});

/** Returns the names of all pictures of a question inside the file. */
export const picturesOf = (raw: RawQuestion): string[] => [
  ...fieldsOf(raw).flatMap((field) => picturesIn(field.lines)),
  ...raw.items.flatMap(picturesOf),
];

export const fieldsOf = (raw: RawQuestion): RawField[] =>
  [...Object.values(fieldsByPath(raw)), ...raw.options].filter((field) => field !== undefined);

export const fieldsByPath = (raw: RawQuestion): Readonly<Record<string, RawField | undefined>> => ({
  ques_type: typeof raw.type === 'object' ? raw.type : undefined,
  ques_stem: raw.stem,
  right_answer: raw.answer,
  ques_analysis: raw.analysis,
  facility_value: raw.difficulty,
  remark: raw.remark,
  point: raw.point,
  ignore_case: raw.letterCase,
});

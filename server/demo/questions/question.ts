import { readData } from '../data.ts';

/** A question as the demo's JSON files have it; stems may contain LaTeX in `$…$` and simple HTML. */
export interface DemoQuestion {
  /** Question type, as in the glossary. */
  type: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  stem: string;
  /** Options of types 1 to 4; the first has id 1. */
  options: string[];
  /** Right answer in stored form: option ids, blanks joined by `@@`, or the reference answer. */
  right: string;
  analysis: string;
  /** Facility value, 1 to 5. */
  facility: number;
  /** Topic; at most 20 characters. */
  remark: string;
  parts: DemoQuestion[];
}

/** A question in a JSON file, where empty fields are left out. */
export type QuestionData = Pick<DemoQuestion, 'type' | 'stem' | 'facility'> &
  Partial<Omit<DemoQuestion, 'parts'>> & { parts?: QuestionData[] };

const judgement = ['正确', '错误'];

export const completeQuestion = (written: QuestionData): DemoQuestion => ({
  options: written.type === 2 ? judgement : [],
  right: '',
  analysis: '',
  remark: '',
  ...written,
  parts: (written.parts ?? []).map(completeQuestion),
});

export const questionsOf = (subject: 'mathematics' | 'physics' | 'english' | 'chinese'): DemoQuestion[] =>
  readData<QuestionData[]>(`questions/${subject}.json`).map(completeQuestion);

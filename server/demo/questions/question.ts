import { readData } from '../data.ts';

/** Questions of the demo school as written in the JSON files; stems may hold LaTeX in `$…$` and simple HTML. */
export interface DemoQuestion {
  /** The canonical code. */
  type: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  stem: string;
  /** Types 1 to 4 only; the first has id 1. */
  options: string[];
  /** In stored form: option ids, blanks joined by `@@`, or the reference answer. */
  right: string;
  analysis: string;
  /** 1 to 5. */
  facility: number;
  /** At most 20 characters. */
  remark: string;
  parts: DemoQuestion[];
}

/** A question in a file, without its empty fields. */
export type WrittenQuestion = Pick<DemoQuestion, 'type' | 'stem' | 'facility'> &
  Partial<Omit<DemoQuestion, 'parts'>> & { parts?: WrittenQuestion[] };

const judgement = ['正确', '错误'];

export const completeQuestion = (written: WrittenQuestion): DemoQuestion => ({
  options: written.type === 2 ? judgement : [],
  right: '',
  analysis: '',
  remark: '',
  ...written,
  parts: (written.parts ?? []).map(completeQuestion),
});

export const questionsOf = (subject: 'mathematics' | 'physics' | 'english' | 'chinese'): DemoQuestion[] =>
  readData<WrittenQuestion[]>(`questions/${subject}.json`).map(completeQuestion);

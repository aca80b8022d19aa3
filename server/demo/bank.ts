/** Question banks of the demo school: the lecturer's, the assistant's and the public one. */
import { type DemoQuestion, questionsOf } from './questions/question.ts';

export type DemoSubject = '数学' | '物理' | '英语' | '语文';
export type BankName = 'teacher' | 'assist' | 'public';

export interface BankQuestion extends DemoQuestion {
  subject: DemoSubject;
  bank: BankName;
}

/** Per subject: its questions, and the banks that get them, taking turns within each question type. */
const turns: Record<DemoSubject, { questions: DemoQuestion[]; owners: BankName[] }> = {
  数学: { questions: questionsOf('mathematics'), owners: ['teacher', 'public', 'teacher', 'public', 'assist'] },
  物理: { questions: questionsOf('physics'), owners: ['teacher', 'public', 'teacher'] },
  英语: { questions: questionsOf('english'), owners: ['assist', 'public'] },
  语文: { questions: questionsOf('chinese'), owners: ['assist', 'public'] },
};

export const demoBank: BankQuestion[] = Object.entries(turns).flatMap(([subject, { questions, owners }]) => {
  const ofType = new Map<number, number>();
  return questions.map((question) => {
    const turn = ofType.get(question.type) ?? 0;
    ofType.set(question.type, turn + 1);
    return { ...question, subject: subject as DemoSubject, bank: owners[turn % owners.length] as BankName };
  });
});

/** Escapes `<` and `>` in formulas, because the stems are stored as HTML. */
export const storedHtml = (text: string): string =>
  text.replace(/\$[^$]+\$/g, (formula) => formula.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));

/** `right_answer` in stored form: HTML for a reference answer, plain text otherwise. */
export const storedAnswer = ({ type, right }: DemoQuestion): string => (type === 5 ? storedHtml(right) : right);

/** `ques_option` in stored form. */
export const storedOptions = ({ options, right }: DemoQuestion): string =>
  JSON.stringify(
    options.map((content, index) => ({
      id: index + 1,
      content: storedHtml(content),
      is_right: right.split(',').includes(String(index + 1)) ? 1 : 2,
    })),
  );

const entities: Record<string, string> = { nbsp: ' ', lt: '<', gt: '>', amp: '&' };

/** Converts a stem to plain text, for search and lists. */
export const stemText = (stem: string): string =>
  stem
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/&(nbsp|lt|gt|amp);/g, (_, name: string) => entities[name] as string)
    .trim();

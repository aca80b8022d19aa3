/** Reads some lines of a paper again, when somebody says where a question begins. */
import { normaliseDraft, type QuestionDraft } from '../rules.ts';
import { assembleQuestion } from './assemble.ts';
import type { ImportedQuestion } from './imported-question.ts';
import type { RawQuestion } from './raw-question.ts';
import { addressesIn, isBlankLine, type Line, linesToHtml, trimLines } from './rich-line.ts';
import { lineDoubts } from './rules.ts';
import { readWordQuestionsIn } from './word.ts';

type ReadQuestion = Omit<ImportedQuestion, 'lines'> & { lines: { from: number; to: number } };

const placeOf = (line: number): string => `第${line}行`;

/**
 * Returns the questions that the lines hold. Lines without the marks of a question become one short-answer question
 * with a doubt, so that no text is lost. `section`: the heading above them, which may name a type.
 */
export function readLines(lines: readonly Line[], section: string): ReadQuestion[] {
  const filled = lines.filter((line) => !isBlankLine(line));
  const first = filled[0];
  const last = filled.at(-1);
  if (!first || !last) return [];
  const span = { from: first.number, to: last.number };
  const heading = { number: 0, segments: [{ text: section, marks: [] }], continues: false };
  const { questions } = readWordQuestionsIn(section === '' ? lines : [heading, ...lines]);
  const pictures = addressesIn(lines);
  if (questions.length === 0) return [asText(lines, span)];
  return questions.map((raw: RawQuestion) => {
    const question = assembleQuestion(raw, pictures, (_, number) => placeOf(number));
    return { ...question, lines: question.lines ?? span };
  });
}

function asText(lines: readonly Line[], span: { from: number; to: number }): ReadQuestion {
  const draft: QuestionDraft = normaliseDraft({
    ques_type: 5,
    ques_stem: linesToHtml(trimLines(lines), addressesIn(lines)),
    ques_option: [],
    right_answer: '',
    ignore_case: 0,
    ques_analysis: '',
    facility_value: 3,
    remark: '',
    ques_item: [],
  });
  return {
    draft,
    source: { line: span.from },
    errors: [{ where: placeOf(span.from), message: lineDoubts.noAnswer }],
    losses: [],
    doubts: [{ where: placeOf(span.from), message: lineDoubts.plainText }],
    lines: span,
  };
}

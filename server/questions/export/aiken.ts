/** Writes Aiken, a text format for single choice. True/false questions become a choice of 正确 and 错误. */
import { optionLetter } from '#server/platform/text/rules.ts';
import type { ImportNote } from '../import.contract.ts';
import { type ExportedQuestions, type ExportQuestion, placeOf } from './export-question.ts';
import { exportLosses, fieldLosses, leftOutLoss } from './losses.ts';
import { plainLines } from './portable-html.ts';

export async function writeAiken(questions: readonly ExportQuestion[]): Promise<ExportedQuestions> {
  const losses: ImportNote[] = [];
  const written: string[] = [];
  for (const question of questions) {
    if (question.ques_type !== 1 && question.ques_type !== 2) {
      losses.push(leftOutLoss(question));
      continue;
    }
    const lost = new Set<string>();
    const oneLine = (html: string) => {
      const { text, losses: textLosses } = plainLines(html);
      for (const loss of textLosses) lost.add(loss);
      if (text.includes('\n')) lost.add(exportLosses.paragraphs);
      return text.replace(/\s*\n\s*/g, ' ');
    };
    const stem = oneLine(question.ques_stem);
    const options = question.ques_option.map(({ content }, index) => `${optionLetter(index)}. ${oneLine(content)}`);
    const right = question.ques_option.findIndex(({ is_right }) => is_right === 1);
    written.push([stem, ...options, `ANSWER: ${optionLetter(right)}`, ''].join('\n'));
    losses.push(...[...lost].map((message) => ({ where: placeOf(question), message })));
    losses.push(...fieldLosses(question, ['analysis', 'difficulty', 'remark', 'point', 'tags', 'score']));
  }
  return { bytes: Buffer.from(written.join('\n')), losses, count: written.length };
}

/** Reads GIFT files. */
import { importHtml, textToHtml } from './foreign-html.ts';
import { type GiftQuestion, type GiftText, parseGift } from './gift-parser.ts';
import { emptyMoodleQuestion, type MoodleAnswer, MoodleCollector, type MoodleQuestion } from './moodle-question.ts';
import type { QuestionsReader } from './reading.ts';
import { lineOf, maxImportedQuestions, moodleMessages, previewRefusals } from './rules.ts';
import { textOfFile } from './text-file.ts';

export const readGiftQuestions: QuestionsReader = async (bytes, { savePicture, onProgress = () => {} } = {}) => {
  const source = await textOfFile(bytes);
  if (source === undefined) return { refused: previewRefusals.notText };
  const { questions, errors } = parseGift(source);
  if (questions.length > maxImportedQuestions) return { refused: previewRefusals.tooManyQuestions };
  const collector = new MoodleCollector();
  const doubts = new Set<string>();
  let category = '';
  for (const [index, found] of questions.entries()) {
    if (found.kind === 'category') {
      category = categoryName(found.category);
      continue;
    }
    const losses = new Set<string>();
    const html = async ({ text, format }: GiftText): Promise<string> => {
      if (format === 'markdown' && /[*_`#[\]]/.test(text)) doubts.add(moodleMessages.markdown);
      const isHtml = format === 'html' || (format === 'moodle' && /<\/?[a-z][^<>]*>/i.test(text));
      if (!isHtml) return textToHtml(text);
      const read = await importHtml(format === 'html' ? text : text.replaceAll('\n', '<br />'), { savePicture });
      for (const loss of read.losses) losses.add(loss);
      return read.html;
    };
    const question = await convert(found, html);
    collector.add({ ...question, category, losses: [...losses] });
    onProgress((index + 1) / questions.length);
  }
  return collector.finish('gift', { errors, doubts: [...doubts] });
};

/** Last part of a category's path; '' for Moodle's own top categories. */
export function categoryName(path: string): string {
  const name =
    path
      .split(/(?<!\/)\/(?!\/)/)
      .at(-1)
      ?.replaceAll('//', '/')
      .trim() ?? '';
  return /^(?:\$\w+\$|top|Default for .*|.*默认.*)$/i.test(name) ? '' : name;
}

type Convert = (text: GiftText) => Promise<string>;

async function convert(found: Exclude<GiftQuestion, { kind: 'category' }>, html: Convert): Promise<MoodleQuestion> {
  const where = lineOf(found.line);
  const question: MoodleQuestion = {
    ...emptyMoodleQuestion({ line: found.line }, where),
    kind: found.kind === 'numerical' ? 'short' : found.kind,
    stem: await html(found.stem),
    analysis: await html(found.analysis),
    tags: found.tags,
  };
  switch (found.kind) {
    case 'choice':
      question.isSingle = found.isSingle;
      for (const answer of found.answers) question.answers.push(await convertAnswer(answer, html));
      return question;
    case 'short':
      for (const answer of found.answers) question.answers.push(await convertAnswer(answer, html));
      return question;
    case 'numerical':
      for (const answer of found.answers) {
        question.answers.push({ ...(await convertAnswer(answer, html)), ...numberOf(answer.answer.text) });
      }
      return question;
    case 'truefalse': {
      const feedback = { right: await html(found.rightFeedback), wrong: await html(found.wrongFeedback) };
      question.answers = [true, false].map((isTrue) => ({
        html: String(isTrue),
        fraction: isTrue === found.isTrue ? 1 : 0,
        feedback: isTrue === found.isTrue ? feedback.right : feedback.wrong,
      }));
      return question;
    }
    case 'match':
      for (const pair of found.pairs) {
        question.pairs.push({ question: await html(pair.question), answer: pair.answer.replace(/^\[\w+\]/, '') });
      }
      return question;
    default:
      return question;
  }
}

async function convertAnswer(
  { answer, fraction, feedback }: { answer: GiftText; fraction: number; feedback: GiftText },
  html: Convert,
): Promise<MoodleAnswer> {
  return { html: await html(answer), fraction, feedback: await html(feedback) };
}

/** Reads `3.14`, `3.14:0.01` and `3.1..3.2`; of a range the middle is the answer. */
function numberOf(written: string): Pick<MoodleAnswer, 'html' | 'tolerance'> {
  const [from, to] = written.split('..').map((text) => text.trim());
  if (from && to && Number.isFinite(Number(from)) && Number.isFinite(Number(to))) {
    const middle = Number(((Number(from) + Number(to)) / 2).toPrecision(12));
    return { html: String(middle), tolerance: `（${from}到${to}）` };
  }
  const [number = '', tolerance = ''] = written.split(':').map((text) => text.trim());
  return { html: number, ...(Number(tolerance) > 0 && { tolerance: `±${tolerance}` }) };
}

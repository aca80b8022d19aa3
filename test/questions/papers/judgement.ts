/** Compares how a paper was read with the questions it has. */
import { plainText } from '#server/platform/text/plain-text.ts';
import { readQuestions } from '#server/questions/import/formats.ts';
import type { ImportedQuestion, ImportPreview } from '#server/questions/import/imported-question.ts';
import { importedMessages } from '#server/questions/import/rules.ts';
import type { QuestionDraft } from '#server/questions/rules.ts';
import { certificatePapers } from './certificates.ts';
import { coursePapers } from './courses.ts';
import { examPapers } from './exams.ts';
import { type ExpectedQuestion, habits, type Paper, writePaper } from './habits.ts';
import { keyPapers } from './keys.ts';
import { languagePapers } from './languages.ts';
import { layoutPapers } from './layouts.ts';
import { mixedPapers } from './mixtures.ts';
import { subjects } from './subjects.ts';
import { trapPapers } from './traps.ts';
import { uglyPapers } from './ugly.ts';

/** All papers: each subject in each habit, and those that were written by hand. */
export const papers: readonly Paper[] = [
  ...habits.flatMap((habit) =>
    Object.entries(subjects).map(([subject, questions]) => writePaper(subject, questions, habit)),
  ),
  ...uglyPapers,
  ...languagePapers,
  ...examPapers,
  ...certificatePapers,
  ...keyPapers,
  ...layoutPapers,
  ...coursePapers,
  ...mixedPapers,
  ...trapPapers,
];

type Draft = Omit<QuestionDraft, 'ques_item'> & { ques_item?: QuestionDraft[] };

/** Text without what two people may write differently: width, spaces, the marks of blanks, punctuation at the end. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s_]+/g, '')
    .replaceAll('()', '')
    .replaceAll('[图片]', '')
    .replace(/[.,;:。]$/, '');

const foldHtml = (html: string): string => fold(plainText(html));

/** Returns the answer as the corpus writes it: letters, 对 or 错, blanks, or a text. */
function answerOf(draft: Draft): string {
  if (draft.ques_type === 6) return '';
  if (draft.ques_type === 5) return foldHtml(draft.right_answer);
  if (draft.ques_type === 7) return fold(draft.right_answer.replaceAll('@@', '；'));
  const right = draft.ques_option.flatMap(({ is_right }, index) => (is_right === 1 ? [index] : []));
  if (draft.ques_type === 2) return ['对', '错'][right[0] ?? 2] ?? '';
  return right.map((index) => String.fromCharCode(65 + index)).join('');
}

/** Compares two texts; `?` and `*` in the expected one stand for any text. */
const isSame = (expected: string, found: string): boolean =>
  expected === '?' || expected === '*' || fold(expected) === found;

/** Lists the fields in which a question was not read as expected. */
function differencesOf(expected: ExpectedQuestion, found: Draft): string[] {
  const parts = found.ques_item ?? [];
  const differences: string[] = [];
  const compare = (field: string, wanted: string, read: string) => {
    if (!isSame(wanted, read)) differences.push(`${field} “${read}” instead of “${fold(wanted)}”`);
  };
  compare('type', String(expected.type), String(found.ques_type));
  compare('stem', expected.stem, foldHtml(found.ques_stem));
  // The options of a true/false question are always 正确 and 错误.
  const options = expected.type === 2 ? [] : expected.options;
  const read = found.ques_type === 2 ? [] : found.ques_option.map(({ content }) => foldHtml(content));
  if (options.length !== read.length || options.some((option, index) => !isSame(option, read[index] ?? ''))) {
    differences.push(`options “${read.join(' | ')}” instead of “${options.map(fold).join(' | ')}”`);
  }
  compare('answer', expected.answer, answerOf(found));
  compare('analysis', expected.analysis, foldHtml(found.ques_analysis));
  compare('number of parts', String(expected.parts.length), String(parts.length));
  for (const [index, part] of expected.parts.entries()) {
    const own = parts[index];
    if (own) differences.push(...differencesOf(part, own).map((text) => `part ${index + 1}: ${text}`));
  }
  return differences;
}

export interface Judged {
  paper: string;
  verdict: 'right' | 'flagged' | 'silently wrong';
  differences: string[];
}

const isFlagged = ({ errors, doubts, losses }: ImportedQuestion): boolean =>
  errors.length + doubts.length > 0 || losses.some(({ message }) => !message.startsWith('没有填写难度'));

/** Compares a paper's questions by their place in the paper; a missing or additional one shifts those after it. */
export function judge(paper: Paper, preview: ImportPreview): Judged[] {
  const { questions, errors, doubts, leftOut } = preview;
  const found = [...questions];
  const judged = paper.expected.map((expected, index): Judged => {
    const stem = fold(expected.stem || (expected.parts[0]?.stem ?? ''));
    const at =
      stem === '*'
        ? Math.min(0, found.length - 1)
        : found.findIndex(({ draft }) => foldHtml(draft.ques_stem).includes(stem.slice(0, 12)));
    const [question] = at === -1 ? [] : found.splice(at, 1);
    if (!question) {
      const isSaid = [...errors, ...doubts, ...leftOut].some(
        ({ message }) => fold(message).includes(stem.slice(0, 6)) || message.startsWith(importedMessages.noQuestions),
      );
      return {
        paper: paper.name,
        verdict: isSaid ? 'flagged' : 'silently wrong',
        differences: [`question ${index + 1} “${stem.slice(0, 20)}” is missing`],
      };
    }
    const differences = differencesOf(expected, question.draft);
    if (expected.score !== undefined && question.score !== expected.score)
      differences.push(`score ${question.score} instead of ${expected.score}`);
    // A question without an answer is right if the person is told to add one.
    if (
      expected.answer === '' &&
      expected.type !== 6 &&
      !question.errors.some(({ message }) => message.includes('答案'))
    )
      differences.push('the missing answer is not said');
    const verdict = differences.length === 0 ? 'right' : isFlagged(question) ? 'flagged' : 'silently wrong';
    return { paper: paper.name, verdict, differences };
  });
  const additional = found.map(
    (question): Judged => ({
      paper: paper.name,
      verdict: isFlagged(question) ? 'flagged' : 'silently wrong',
      differences: [`“${foldHtml(question.draft.ques_stem).slice(0, 20)}” is no question of the paper`],
    }),
  );
  return [...judged, ...additional];
}

export async function readPaper({ name, file, answerFile }: Paper): Promise<ImportPreview> {
  const preview = await readQuestions(
    [{ name: `${name}.docx`, bytes: file }, ...(answerFile ? [{ name: '答案.docx', bytes: answerFile }] : [])],
    { savePicture: async () => '/files/1' },
  );
  if ('refused' in preview) throw new Error(`${name}: ${preview.refused}`);
  return preview;
}

/** Questions as they are read: formulas as MathML, answers in letters and words. */

import { Yielding } from '#server/platform/jobs/yielding.ts';
import {
  beginningOf,
  prepareFormulas,
  renderMath,
  sanitizeRichText,
  tooElaborate,
} from '#server/platform/text/rich-text.ts';
import { optionLetter } from '#server/platform/text/rules.ts';
import type { QuestionPreview } from './contract.ts';
import { blanksOf, hasOptions, type QuestionDraft, type QuestionOption } from './rules.ts';

export interface Display {
  ques_stem: string;
  ques_option: string[];
  right_answer: string;
  ques_analysis: string;
}

type DisplayedQuestion = Pick<
  QuestionDraft,
  'ques_type' | 'ques_stem' | 'ques_option' | 'right_answer' | 'ques_analysis'
>;

interface Texts {
  ques_stem: string;
  ques_option: readonly { content: string }[];
  right_answer: string;
  ques_analysis: string;
}

/** Of a question what may hold formats and formulas. */
export const textsOf = ({ ques_stem, ques_option, right_answer, ques_analysis }: Texts): string[] => [
  ques_stem,
  ...ques_option.map(({ content }) => content),
  right_answer,
  ques_analysis,
];

/** Makes the formulas of stored questions in turns with other requests, before they are shown. */
export const prepareQuestions = (
  rows: readonly (Omit<Texts, 'ques_option'> & { ques_option: string })[],
): Promise<void> =>
  prepareFormulas(
    rows.flatMap((row) => textsOf({ ...row, ques_option: JSON.parse(row.ques_option) as QuestionOption[] })),
  );

/** Give it nothing that did not pass `sanitizeRichText`. */
export function displayOf(question: DisplayedQuestion): Display {
  return {
    ques_stem: renderMath(question.ques_stem),
    ques_option: question.ques_option.map(({ content }) => renderMath(content)),
    right_answer: answerHtml(question),
    ques_analysis: renderMath(question.ques_analysis),
  };
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** `A、C`, `正确`, the blanks in their order, or the reference answer; HTML. A material question has none. */
function answerHtml({ ques_type, ques_option, right_answer }: DisplayedQuestion): string {
  if (ques_type === 2) return escapeHtml(ques_option.find((option) => option.is_right === 1)?.content ?? '');
  if (hasOptions(ques_type)) return rightLetters(ques_option);
  if (ques_type === 7) return renderMath(blanksOf(right_answer).map(escapeHtml).join('；'));
  return renderMath(right_answer);
}

const rightLetters = (options: readonly QuestionOption[]): string =>
  options.flatMap(({ is_right }, index) => (is_right === 1 ? [optionLetter(index)] : [])).join('、');

/** Characters of HTML, and of text where that is longer: twenty previews stay a small part of a page. */
const maxPreview = { html: 600, text: 160 };

export function previewOf(question: DisplayedQuestion, itemCount: number): QuestionPreview {
  return {
    ques_stem: short(question.ques_stem),
    ques_option: question.ques_option.map(({ content, is_right }) => ({ content: short(content), is_right })),
    right_answer: hasOptions(question.ques_type) ? answerHtml(question) : short(answerSource(question)),
    item_count: itemCount,
  };
}

const answerSource = ({ ques_type, right_answer }: DisplayedQuestion): string =>
  ques_type === 7 ? blanksOf(right_answer).map(escapeHtml).join('；') : right_answer;

/** A stem as a row shows it, where it has formulas; else '', for its text says as much. */
export function stemWithFormulas(html: string): string {
  const shown = short(html);
  return shown.includes('<math') ? shown : '';
}

/** The text as it is, or where it is long its beginning, without formats and pictures. */
function short(html: string): string {
  if (html.length <= maxPreview.html && !html.includes('src="data:')) {
    // Until the preview is shown its pictures are not fetched.
    return renderMath(html).replaceAll('<img ', '<img loading="lazy" ');
  }
  return renderMath(beginningOf(html, maxPreview.text));
}

/**
 * Texts as they will look when they are stored, in turns with other requests. One that would not be stored, for it is
 * too elaborate, is shown as it is written.
 */
export async function displayedTexts(texts: readonly string[]): Promise<string[]> {
  const shown: string[] = [];
  const turns = new Yielding();
  for (const text of texts) {
    const isTaken = tooElaborate([text]) === undefined;
    const safe = isTaken ? sanitizeRichText(text) : escapeHtml(text);
    if (isTaken) await prepareFormulas([safe], turns);
    shown.push(isTaken ? renderMath(safe) : safe);
    await turns.others();
  }
  return shown;
}

/** Renders questions for reading: formulas as MathML, answers in letters and words. */

import { Yielding } from '#server/platform/jobs/yielding.ts';
import { htmlExcerpt } from '#server/platform/text/plain-text.ts';
import { prepareFormulas, renderMath } from '#server/platform/text/render-math.ts';
import { complexityFault } from '#server/platform/text/rich-text-limits.ts';
import { optionLetter } from '#server/platform/text/rules.ts';
import { sanitizeRichText } from '#server/platform/text/sanitize.ts';
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

/** Returns the fields of a question that may contain rich text. */
export const textsOf = ({ ques_stem, ques_option, right_answer, ques_analysis }: Texts): string[] => [
  ques_stem,
  ...ques_option.map(({ content }) => content),
  right_answer,
  ques_analysis,
];

/** Renders the formulas of stored questions into the cache; lets other requests run in between. */
export const prepareQuestions = (
  rows: readonly (Omit<Texts, 'ques_option'> & { ques_option: string })[],
): Promise<void> =>
  prepareFormulas(
    rows.flatMap((row) => textsOf({ ...row, ques_option: JSON.parse(row.ques_option) as QuestionOption[] })),
  );

/** Returns the displayed texts of a question, which must have passed `sanitizeRichText`. */
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

/**
 * Returns the right answer as HTML: `A、C`, `正确`, the blanks in order, or the reference answer; '' for a material
 * question.
 */
function answerHtml({ ques_type, ques_option, right_answer }: DisplayedQuestion): string {
  if (ques_type === 2) return escapeHtml(ques_option.find((option) => option.is_right === 1)?.content ?? '');
  if (hasOptions(ques_type)) return rightLetters(ques_option);
  if (ques_type === 7) return renderMath(blanksOf(right_answer).map(escapeHtml).join('；'));
  return renderMath(right_answer);
}

const rightLetters = (options: readonly QuestionOption[]): string =>
  options.flatMap(({ is_right }, index) => (is_right === 1 ? [optionLetter(index)] : [])).join('、');

/**
 * Maximum characters of a preview as HTML, and as text if the HTML is longer. Keeps twenty previews a small part of a
 * page.
 */
const maxPreview = { html: 600, text: 160 };

export function previewOf(question: DisplayedQuestion, itemCount: number): QuestionPreview {
  return {
    ques_stem: shortenHtml(question.ques_stem),
    ques_option: question.ques_option.map(({ content, is_right }) => ({ content: shortenHtml(content), is_right })),
    right_answer: hasOptions(question.ques_type) ? answerHtml(question) : shortenHtml(answerSource(question)),
    item_count: itemCount,
  };
}

const answerSource = ({ ques_type, right_answer }: DisplayedQuestion): string =>
  ques_type === 7 ? blanksOf(right_answer).map(escapeHtml).join('；') : right_answer;

/** Renders a stem for a row of a list; '' if it has no formulas, because then its plain text is enough. */
export function stemWithFormulas(html: string): string {
  const shown = shortenHtml(html);
  return shown.includes('<math') ? shown : '';
}

/** Returns the HTML; of a long text only the beginning, without formatting and pictures. */
function shortenHtml(html: string): string {
  if (html.length <= maxPreview.html && !html.includes('src="data:')) {
    // The browser loads these pictures only when it shows the preview.
    return renderMath(html).replaceAll('<img ', '<img loading="lazy" ');
  }
  return renderMath(htmlExcerpt(html, maxPreview.text));
}

/**
 * Renders texts as they would look when stored; lets other requests run in between. A text too elaborate to be stored
 * is returned as typed.
 */
export async function displayedTexts(texts: readonly string[]): Promise<string[]> {
  const shown: string[] = [];
  const turns = new Yielding();
  for (const text of texts) {
    const isTaken = complexityFault([text]) === undefined;
    const safe = isTaken ? sanitizeRichText(text) : escapeHtml(text);
    if (isTaken) await prepareFormulas([safe], turns);
    shown.push(isTaken ? renderMath(safe) : safe);
    await turns.others();
  }
  return shown;
}

/** Compares questions by normalised text: without white space, punctuation, case, width and pictures. Pure. */
import { plainText } from '#server/platform/text/plain-text.ts';
import type { QuestionDraft } from './rules.ts';

/** Share of the shingles from which on two questions are nearly equal. */
export const nearlyEqual = 0.7;

/** Characters below which questions are only compared as equal, because a short text has too few shingles. */
export const minComparedLength = 12;

/** Leaves out white space, punctuation, width, case, and pictures. */
const normalise = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/［图片］|[\s\u200b-\u200f\ufeff,.;:?!。，、；：？！…_（）()“”"‘’'《》<>]/g, '');

/** Text of an option. Cheaper than `plainText`, because every option of the bank is read. */
const optionText = (html: string): string =>
  html.replace(/<span[^>]*data-latex="([^"]*)"[^>]*>/g, '$1').replace(/<[^>]*>|&\w+;/g, '');

export interface Compared {
  /** Equal for equal questions. */
  key: string;
  text: string;
}

/** `stem`: plain text of the stem. */
export function comparedOf(type: number, stem: string, options: readonly { content: string }[]): Compared {
  const parts = [stem, ...options.map(({ content }) => optionText(content))].map(normalise);
  return { key: `${type}\n${parts.join('\n')}`, text: parts.join('') };
}

export const comparedDraft = ({ ques_type, ques_stem, ques_option }: QuestionDraft): Compared =>
  comparedOf(ques_type, plainText(ques_stem), ques_option);

/** Characters of a shingle. */
export const shingleLength = 3;

export function shinglesOf(text: string): Set<string> {
  const shingles = new Set<string>();
  for (let at = 0; at + shingleLength <= text.length; at += 1) shingles.add(text.slice(at, at + shingleLength));
  return shingles;
}

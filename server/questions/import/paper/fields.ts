/** Fields of the question that a draft becomes. */
import type { RawField } from '../raw-question.ts';
import { type Line, plainText, type TextLine, trimLines } from '../rich-line.ts';
import { paperMessages } from '../rules.ts';
import { readJudgement } from '../spelling.ts';
import type { Draft } from './draft.ts';

export const textOf = (lines: readonly Line[]): string => plainText(lines);

export const textLine = (text: string, number: number): TextLine => ({
  number,
  continues: false,
  segments: [{ text, marks: [] }],
});

export const isMark = (text: string): boolean => readJudgement(text) !== undefined;

export const fieldOf = (where: string, lines: readonly Line[]): RawField => ({ where, lines: trimLines(lines) });

export function addAnalysis(draft: Draft, where: string, lines: readonly Line[]): void {
  if (lines.length === 0) return;
  draft.analysis = { where: draft.analysis?.where ?? where, lines: [...lines, ...(draft.analysis?.lines ?? [])] };
}

export function contradiction(draft: Draft, where: string, other: string): void {
  const own = draft.answer;
  draft.errors.push({
    where,
    message: paperMessages.twoAnswers(short(textOf(own?.lines ?? [])), own?.where ?? draft.where, other),
  });
}

const short = (text: string): string => {
  const characters = [...text.replace(/\s+/g, ' ')];
  return characters.length > 12 ? `${characters.slice(0, 12).join('')}…` : characters.join('');
};

/** Splits one answer after all parts of a question into an answer for each part. */
import { isTable, type Line, plainLine, type TextLine, trimLines } from '../rich-line.ts';
import { paperMessages } from '../rules.ts';
import type { Draft } from './draft.ts';
import { partsToText } from './draft-tidy.ts';
import { cutFrom, lineName } from './facts.ts';
import { numberAt } from './numbers.ts';

export function shareAnswers(draft: Draft): void {
  const last = draft.parts.at(-1);
  if (!last) return;
  const isSharedByOne = draft.parts.length > 1 && draft.parts.slice(0, -1).every((part) => part.answer === undefined);
  if (isSharedByOne && last.answer) {
    draft.answer ??= last.answer;
    last.answer = undefined;
    if (draft.parts.every((part) => part === last || part.analysis === undefined)) {
      draft.analysis ??= last.analysis;
      last.analysis = undefined;
    }
  }
  if (draft.answer) {
    const shares = splitByParts(draft.answer.lines, draft.parts.length);
    if (!shares) {
      draft.doubts.push({ where: draft.answer.where, message: paperMessages.partsUnclear });
      partsToText(draft);
      return;
    }
    draft.parts.forEach((part, index) => {
      const lines = shares[index] as Line[];
      if (lines.length > 0) part.answer ??= { where: lineName(lines[0]?.number ?? draft.from), lines };
    });
    draft.answer = undefined;
  }
  const isLabelled = draft.analysis?.lines.some((line) => !isTable(line) && /^【/.test(plainLine(line)));
  const explained = draft.analysis && !isLabelled && splitByParts(draft.analysis.lines, draft.parts.length);
  if (!explained) return;
  draft.parts.forEach((part, index) => {
    const lines = explained[index] as Line[];
    if (lines.length > 0) part.analysis ??= { where: lineName(lines[0]?.number ?? draft.from), lines };
  });
  draft.analysis = undefined;
}

/** Splits lines at (1), (2), …; undefined if they do not begin with (1) or a number is missing. */
export const splitByParts = (lines: readonly Line[], count: number): Line[][] | undefined =>
  splitAt(lines, count, false) ?? splitAt(lines, count, true);

/** `isLenient`: a number counts wherever it stands in a line, also in 如图（2）. */
function splitAt(lines: readonly Line[], count: number, isLenient: boolean): Line[][] | undefined {
  const shares: Line[][] = [];
  let style: string | undefined;
  for (const line of lines) {
    if (isTable(line)) {
      if (shares.length === 0) return undefined;
      shares.at(-1)?.push(line);
      continue;
    }
    let rest: TextLine = line;
    const spoken =
      shares.length === 0 ? /^[\s\u3000]*(?:解|答|证明|解答)[\s\u3000]*[:：][\s\u3000]*/.exec(plainLine(line)) : null;
    if (spoken) rest = cutFrom(rest, spoken[0].length);
    for (;;) {
      const text = plainLine(rest);
      const label = numberAt(text);
      const isNext = label && label.value === shares.length + 1 && (style === undefined || label.style === style);
      if (isNext) {
        style = label.style;
        rest = cutFrom(rest, label.to);
        shares.push([]);
      } else if (shares.length === 0) {
        if (text.trim() === '') break;
        return undefined;
      }
      // The next number in the same line: behind a space or a full stop.
      const next = nextPart(plainLine(rest), shares.length + 1, style, isLenient);
      const share = cutFrom(rest, 0, next ?? plainLine(rest).length);
      const end = /[\s\u3000]*[;；]?[\s\u3000]*$/.exec(plainLine(share))?.index;
      shares.at(-1)?.push(next === undefined ? share : cutFrom(share, 0, end));
      if (next === undefined) break;
      rest = cutFrom(rest, next);
    }
  }
  return shares.length === count ? shares.map((share) => trimLines(share)) : undefined;
}

function nextPart(text: string, value: number, style: string | undefined, isLenient: boolean): number | undefined {
  const sign =
    style === 'circle'
      ? String.fromCodePoint(0x2460 + value - 1)
      : style === 'bracket'
        ? `[（(]\\s*${value}\\s*[)）]`
        : style === 'roman'
          ? `[（(]\\s*(?:${romanSigns[value - 1] ?? '$'})\\s*[)）]`
          : undefined;
  if (!sign) return undefined;
  const behindMark = `(?<=[\\s\\u3000；;。.，,、])${sign}`;
  const behindWord = `(?<=[^图表在由与和据合如若见第及至到从])${sign}(?=[^中的题小式])`;
  const match = new RegExp(isLenient ? sign : `${behindMark}|${behindWord}`).exec(text);
  return match && match.index > 0 ? match.index : undefined;
}

const romanSigns = ['Ⅰ|ⅰ|I|i', 'Ⅱ|ⅱ|II|ii', 'Ⅲ|ⅲ|III|iii', 'Ⅳ|ⅳ|IV|iv', 'Ⅴ|ⅴ|V|v', 'Ⅵ|ⅵ|VI|vi'];

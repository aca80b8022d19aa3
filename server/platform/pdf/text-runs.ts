/** Text of a paragraph: blanks to write in, preserved spaces, and trimmed lines. */

import type { Inline } from './blocks.ts';

/** Makes leading and repeated spaces non-breaking; Typst would collapse them. */
export const keepSpaces = (text: string): string =>
  text.replaceAll('\t', '    ').replace(/^ +| (?= )/gm, (spaces) => '\u00a0'.repeat(spaces.length));

/** Matches places to write into: underscores, and empty brackets for the letter of a choice. */
const blankPattern = /_{2,}|[（(][\s\u00a0\u3000]+[）)]|（）/g;

export function textRuns(text: string, style: string): Inline[] {
  const f = style ? { f: style } : {};
  if (style.includes('c')) return [{ k: 't', t: text, ...f }];
  if (style.includes('w')) return [{ k: 't', t: keepSpaces(text), ...f }];
  const collapsed = text.replace(/[ \t\r\n\f]+/g, ' ');
  if (style.includes('u') && /^[\s\u00a0\u3000]+$/.test(collapsed) && /[\u00a0\u2000-\u200a\u3000]/.test(collapsed)) {
    return [{ k: 'blank', n: widthOf(collapsed) }];
  }
  const runs: Inline[] = [];
  let from = 0;
  for (const match of collapsed.matchAll(blankPattern)) {
    if (match.index > from) runs.push({ k: 't', t: collapsed.slice(from, match.index), ...f });
    runs.push(match[0].startsWith('_') ? { k: 'blank', n: widthOf(match[0]) } : { k: 'choice' });
    from = match.index + match[0].length;
  }
  if (from < collapsed.length) runs.push({ k: 't', t: collapsed.slice(from), ...f });
  return runs;
}

/** Width of a blank in full-width characters: at least three, at most a line. */
function widthOf(text: string): number {
  const width = Array.from(text).reduce((sum, character) => sum + (character === '\u3000' ? 1 : 0.5), 0);
  return Math.min(30, Math.max(3, width));
}

/** Trims spaces and line breaks at both ends, as browsers do. */
export function trimLine(line: Inline[]): Inline[] {
  const result = line.filter((one) => one.k !== 't' || one.t !== '');
  const isBlank = (one: Inline | undefined) => one?.k === 'br' || (one?.k === 't' && /^[ \t\r\n]*$/.test(one.t));
  while (isBlank(result[0])) result.shift();
  while (isBlank(result.at(-1))) result.pop();
  const [first] = result;
  const last = result.at(-1);
  if (first?.k === 't') result[0] = { ...first, t: first.t.replace(/^[ \t\r\n]+/, '') };
  if (last?.k === 't') {
    const current = result.at(-1);
    if (current?.k === 't') result[result.length - 1] = { ...current, t: current.t.replace(/[ \t\r\n]+$/, '') };
  }
  return result;
}

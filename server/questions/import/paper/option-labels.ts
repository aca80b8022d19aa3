/** Finds the labels of options in a line: A. B、 (C) D． */

export interface OptionLabel {
  /** 0 for A. */
  index: number;
  from: number;
  to: number;
}

/** Letters beyond this one label no option. */
const maxLetters = 12;

const letterOf = (index: number) => `[${String.fromCharCode(65 + index, 0xff21 + index)}]`;

const signs = '[.．、:：)），]|[,。](?!\\d)';

/** A label with a sign, at the start of a line or behind a space, a Chinese character or a closing mark. */
const signedLabels = Array.from({ length: maxLetters }, (_, index) => {
  const letter = letterOf(index);
  return new RegExp(
    `(?:(?<=^|[\\s\\u3000])[(（[【]\\s*${letter}\\s*[)）\\]】](?:\\s*[．、]|\\s*\\.(?![a-z\\d]))?|(?<![A-Za-z0-9.．(（/])${letter}\\s*(?:${signs})${index === 2 ? '|(?<=^|\\s)©' : ''})[ \\t\\u3000]*`,
    'g',
  );
});

/** A label behind a letter or digit, as in `A.5B.6C.7`; it only counts where all letters up to it are there. */
const gluedLabels = Array.from(
  { length: maxLetters },
  (_, index) => new RegExp(`(?<![A-Za-z])${letterOf(index)}[.．、][ \\t\\u3000]*`, 'g'),
);

/** A letter alone between spaces. */
const bareLabels = Array.from(
  { length: maxLetters },
  (_, index) =>
    new RegExp(
      `(?<=^|[\\s\\u3000])${letterOf(index)}(?=[\\s\\u3000\\u4e00-\\u9fff\\ufffc（(“"\\[【]|$)[ \\t\\u3000]*`,
      'g',
    ),
);

function find(pattern: RegExp | undefined, text: string, from: number): { from: number; to: number } | undefined {
  if (!pattern) return undefined;
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? { from: match.index, to: match.index + match[0].length } : undefined;
}

/** Returns the option letter that begins a line, with a sign; 0 for A. */
export function leadingOption(text: string): number | undefined {
  const match =
    /^[\s\u3000]*(?:[(（[【]\s*([A-LＡ-Ｌ])\s*[)）\]】]|([A-LＡ-Ｌ])\s*(?:[.．、:：)），]|[,。](?!\d)))/.exec(text);
  const letter = match?.[1] ?? match?.[2];
  return letter ? letter.normalize('NFKC').charCodeAt(0) - 65 : undefined;
}

/**
 * Returns the labels of a row of options that begins at `at`, the first of which is `index`. Later letters must follow
 * in order; one letter may be missing between them.
 */
export function optionRow(text: string, index: number, at = 0): OptionLabel[] {
  const start = at + (/^[\s\u3000]*/.exec(text.slice(at))?.[0].length ?? 0);
  const first = find(signedLabels[index], text, at);
  if (first?.from === start) return following(text, [{ index, ...first }]);
  // A letter without a sign counts if the next letter follows in the same line.
  const bare = find(bareLabels[index], text, at);
  if (bare?.from !== start) return [];
  const row = following(text, [{ index, ...bare }]);
  return row.length > 1 ? row : bareRow(text, { index, ...bare });
}

function following(text: string, row: OptionLabel[]): OptionLabel[] {
  for (;;) {
    const last = row.at(-1);
    if (!last) return row;
    const next = (index: number) => find(signedLabels[index], text, last.to) ?? find(gluedLabels[index], text, last.to);
    const expected = next(last.index + 1);
    if (expected) {
      row.push({ index: last.index + 1, ...expected });
      continue;
    }
    const later = next(last.index + 2);
    if (!later || !/\s$/.test(text.slice(last.to, later.from))) return row;
    row.push({ index: last.index + 2, ...later });
  }
}

function bareRow(text: string, first: OptionLabel): OptionLabel[] {
  const row = [first];
  for (let index = first.index + 1; ; index += 1) {
    const label = find(bareLabels[index], text, row.at(-1)?.to ?? 0);
    if (!label) break;
    row.push({ index, ...label });
  }
  // “A man and B company” is text: at least three letters, or nothing but the letters.
  const onlyLetters = /^[\s\u3000A-L\ufffc]*$/.test(text.slice(first.from));
  const isWide = /\t|\s{2,}/.test(text.slice(first.to, row[1]?.from ?? first.to));
  return row.length >= 3 || (row.length === 2 && (onlyLetters || isWide)) ? row : [];
}

/** Finds a row of options behind the stem in the same line: `选出正确的一项 A.甲 B.乙 C.丙`. Undefined if there is none. */
export function optionsBehindStem(text: string, at: number): OptionLabel[] | undefined {
  const first = find(signedLabels[0], text, at);
  if (!first || first.from <= at) return undefined;
  const row = following(text, [{ index: 0, ...first }]);
  return row.length >= 3 || (row.length === 2 && /[）)。？?：:\s]$/.test(text.slice(at, first.from))) ? row : undefined;
}

import type { Readable } from 'node:stream';
import { readXml } from '#server/platform/office/xml.ts';

/**
 * Computes Word's automatic numbers and letters, which are not in the text. Typing “A.” and Enter begins a list whose
 * letters exist only on screen, so options would lose their letters.
 */

interface Level {
  start: number;
  format: string;
  text: string;
}

interface NumberedList {
  list: string;
  /** Number with which each level begins again. */
  restarts: Map<number, number>;
}

export interface NumberedStyle {
  id?: string;
  level?: number;
  basedOn?: string;
}

export interface Numbering {
  levels: Map<string, Map<number, Level>>;
  lists: Map<string, NumberedList>;
}

/** Reads the part word/numbering.xml of a Word document. */
export async function readNumbering(part: Readable | undefined): Promise<Numbering> {
  const numbering: Numbering = { levels: new Map(), lists: new Map() };
  if (!part) return numbering;
  let levels: Map<number, Level> | undefined;
  let list: NumberedList | undefined;
  let level: Level | undefined;
  let levelIndex = 0;
  await readXml(part, {
    open: (name, attribute) => {
      if (name === 'w:abstractNum') {
        levels = new Map();
        numbering.levels.set(attribute('w:abstractNumId') ?? '', levels);
      } else if (name === 'w:num') {
        list = { list: '', restarts: new Map() };
        numbering.lists.set(attribute('w:numId') ?? '', list);
      } else if (name === 'w:abstractNumId' && list) {
        list.list = attribute('w:val') ?? '';
      } else if (name === 'w:lvlOverride') {
        levelIndex = Number(attribute('w:ilvl'));
      } else if (name === 'w:startOverride' && list) {
        list.restarts.set(levelIndex, Number(attribute('w:val')));
      } else if (name === 'w:lvl' && levels && !list) {
        level = { start: 1, format: 'decimal', text: '' };
        levels.set(Number(attribute('w:ilvl')), level);
      } else if (level) {
        const value = attribute('w:val');
        if (name === 'w:start') level.start = Number(value);
        else if (name === 'w:numFmt') level.format = value ?? 'decimal';
        else if (name === 'w:lvlText') level.text = value ?? '';
      }
    },
    close: (name) => {
      if (name === 'w:abstractNum') levels = undefined;
      else if (name === 'w:num') list = undefined;
      else if (name === 'w:lvl') level = undefined;
    },
  });
  return numbering;
}

/** Reads from word/styles.xml the paragraph styles that number their paragraphs. */
export async function readNumberedStyles(part: Readable | undefined): Promise<Map<string, NumberedStyle>> {
  const styles = new Map<string, NumberedStyle>();
  if (!part) return styles;
  let style: NumberedStyle | undefined;
  await readXml(part, {
    open: (name, attribute) => {
      if (name === 'w:style' && attribute('w:type') === 'paragraph') {
        style = {};
        styles.set(attribute('w:styleId') ?? '', style);
      } else if (style) {
        const value = attribute('w:val');
        if (name === 'w:numId') style.id = value;
        else if (name === 'w:ilvl') style.level = Number(value);
        else if (name === 'w:basedOn') style.basedOn = value;
      }
    },
    close: (name) => {
      if (name === 'w:style') style = undefined;
    },
  });
  return styles;
}

/** Returns the list that a paragraph style uses, its own or one it inherits. */
export function numberingOfStyle(
  styles: ReadonlyMap<string, NumberedStyle>,
  styleId: string | undefined,
): { id: string; level: number } | undefined {
  let style = styleId === undefined ? undefined : styles.get(styleId);
  // At most 20 steps, because styles may inherit from each other in a circle.
  for (let step = 0; style && step < 20; step += 1) {
    if (style.id !== undefined) return { id: style.id, level: style.level ?? 0 };
    style = style.basedOn === undefined ? undefined : styles.get(style.basedOn);
  }
  return undefined;
}

/**
 * Returns a counter. Each call of it counts the next paragraph of list `id`, and returns the paragraph's label, such as
 * `A.` or `（3）`.
 */
export function createCounter(numbering: Numbering): (id: string, level: number) => string {
  const counters = new Map<string, (number | undefined)[]>();
  const started = new Set<string>();
  return (id, levelIndex) => {
    const list = numbering.lists.get(id);
    const levels = list && numbering.levels.get(list.list);
    const level = levels?.get(levelIndex);
    if (!list || !levels || !level) return '';
    const counts = counters.get(list.list) ?? [];
    counters.set(list.list, counts);
    const restart = list.restarts.get(levelIndex);
    if (restart !== undefined && !started.has(`${id} ${levelIndex}`)) counts[levelIndex] = restart - 1;
    started.add(`${id} ${levelIndex}`);
    counts[levelIndex] = (counts[levelIndex] ?? level.start - 1) + 1;
    counts.length = levelIndex + 1;
    if (level.format === 'bullet') return '•';
    return level.text.replace(/%([1-9])/g, (_, digit) => {
      const index = Number(digit) - 1;
      const shown = levels.get(index);
      return shown ? formatCount(counts[index] ?? shown.start, shown.format) : '';
    });
  };
}

function formatCount(count: number, format: string): string {
  switch (format) {
    case 'none':
      return '';
    case 'upperLetter':
      return letterCount(count);
    case 'lowerLetter':
      return letterCount(count).toLowerCase();
    case 'upperRoman':
      return romanCount(count);
    case 'lowerRoman':
      return romanCount(count).toLowerCase();
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'japaneseCounting':
    case 'taiwaneseCountingThousand':
      return chineseCount(count);
    case 'decimalEnclosedCircle':
    case 'decimalEnclosedCircleChinese':
      return count >= 1 && count <= 20 ? String.fromCodePoint(0x2460 + count - 1) : String(count);
    case 'ideographTraditional':
      return '甲乙丙丁戊己庚辛壬癸'.charAt(count - 1) || String(count);
    default:
      return String(count);
  }
}

/** Letters in the way Word counts: A … Z, AA, BB … */
const letterCount = (count: number): string =>
  count < 1 ? String(count) : String.fromCharCode(65 + ((count - 1) % 26)).repeat(Math.min(Math.ceil(count / 26), 10));

function romanCount(count: number): string {
  if (count < 1 || count > 3999) return String(count);
  const numerals: [number, string][] = [
    [1000, 'M'],
    [900, 'CM'],
    [500, 'D'],
    [400, 'CD'],
    [100, 'C'],
    [90, 'XC'],
    [50, 'L'],
    [40, 'XL'],
    [10, 'X'],
    [9, 'IX'],
    [5, 'V'],
    [4, 'IV'],
    [1, 'I'],
  ];
  let rest = count;
  let text = '';
  for (const [value, numeral] of numerals) {
    text += numeral.repeat(Math.floor(rest / value));
    rest %= value;
  }
  return text;
}

function chineseCount(count: number): string {
  if (count < 1 || count > 99) return String(count);
  const digits = '零一二三四五六七八九';
  const tens = Math.floor(count / 10);
  const ones = count % 10;
  if (tens === 0) return digits.charAt(ones);
  return `${tens > 1 ? digits.charAt(tens) : ''}十${ones > 0 ? digits.charAt(ones) : ''}`;
}

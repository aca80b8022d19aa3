import type { Readable } from 'node:stream';
import { type ReadAttribute, readXml } from '#server/platform/office/xml.ts';

/**
 * Computes Word's automatic numbers and letters, which are not in the text. Typing “A.” and Enter begins a list whose
 * letters exist only on screen, so options would lose their letters.
 */

interface Level {
  start: number;
  format: string;
  text: string;
  /** True if the label shows the numbers of outer levels as digits, such as 1.2 below 第一章. */
  isLegal?: boolean;
  /** The level goes on after an outer one of this index or further in; undefined: every outer level restarts it. */
  restartsAfter?: number;
}

interface NumberedList {
  list: string;
  /** Number with which each level begins again. */
  restarts: Map<number, number>;
  /** Levels that this list defines differently. */
  levels: Map<number, Level>;
}

interface ListDefinition {
  levels: Map<number, Level>;
  /** The style that holds the levels, if the definition has none of its own. */
  styleLink?: string;
  style?: string;
}

export interface NumberedStyle {
  id?: string;
  level?: number;
  basedOn?: string;
}

export interface Numbering {
  definitions: Map<string, ListDefinition>;
  lists: Map<string, NumberedList>;
}

/** Reads the part word/numbering.xml of a Word document. */
export async function readNumbering(part: Readable | undefined): Promise<Numbering> {
  const numbering: Numbering = { definitions: new Map(), lists: new Map() };
  if (!part) return numbering;
  let definition: ListDefinition | undefined;
  let list: NumberedList | undefined;
  let level: Level | undefined;
  let levelIndex = 0;
  await readXml(part, {
    open: (name, attribute) => {
      const value = attribute('w:val');
      if (name === 'w:abstractNum') {
        definition = { levels: new Map() };
        numbering.definitions.set(attribute('w:abstractNumId') ?? '', definition);
      } else if (name === 'w:num') {
        list = { list: '', restarts: new Map(), levels: new Map() };
        numbering.lists.set(attribute('w:numId') ?? '', list);
      } else if (name === 'w:abstractNumId' && list) {
        list.list = value ?? '';
      } else if (name === 'w:lvlOverride') {
        levelIndex = Number(attribute('w:ilvl'));
      } else if (name === 'w:startOverride' && list) {
        list.restarts.set(levelIndex, Number(value));
      } else if (name === 'w:lvl') {
        level = { start: 1, format: 'decimal', text: '' };
        (list ?? definition)?.levels.set(Number(attribute('w:ilvl')), level);
      } else if (name === 'w:numStyleLink' && definition) {
        definition.styleLink = value;
      } else if (name === 'w:styleLink' && definition) {
        definition.style = value;
      } else if (level) {
        openInLevel(level, name, attribute);
      }
    },
    close: (name) => {
      if (name === 'w:abstractNum') definition = undefined;
      else if (name === 'w:num') list = undefined;
      else if (name === 'w:lvl') level = undefined;
    },
  });
  return numbering;
}

function openInLevel(level: Level, name: string, attribute: ReadAttribute): void {
  const value = attribute('w:val');
  if (name === 'w:start') level.start = Number(value);
  else if (name === 'w:numFmt') level.format = value ?? 'decimal';
  else if (name === 'w:lvlText') level.text = value ?? '';
  else if (name === 'w:isLgl') level.isLegal = value !== '0' && value !== 'false';
  else if (name === 'w:lvlRestart') level.restartsAfter = Number(value);
}

/** Levels of a list: of its definition or its list style, overridden by its own. */
function levelsOf({ definitions }: Numbering, list: NumberedList): Map<number, Level> | undefined {
  const own = definitions.get(list.list);
  if (!own) return undefined;
  const linked =
    own.levels.size === 0 && own.styleLink !== undefined
      ? [...definitions.values()].find(({ style }) => style === own.styleLink)
      : undefined;
  return new Map([...(linked ?? own).levels, ...list.levels]);
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
  const known = new Map<string, Map<number, Level> | undefined>();
  return (id, levelIndex) => {
    const list = numbering.lists.get(id);
    if (!list) return '';
    if (!known.has(id)) known.set(id, levelsOf(numbering, list));
    const levels = known.get(id);
    const level = levels?.get(levelIndex);
    if (!levels || !level) return '';
    const counts = counters.get(list.list) ?? [];
    counters.set(list.list, counts);
    const restart = list.restarts.get(levelIndex);
    if (restart !== undefined && !started.has(`${id} ${levelIndex}`)) counts[levelIndex] = restart - 1;
    started.add(`${id} ${levelIndex}`);
    counts[levelIndex] = (counts[levelIndex] ?? level.start - 1) + 1;
    for (let inner = levelIndex + 1; inner < counts.length; inner += 1) {
      // 0 means that the level never restarts; n, that level n - 1 and those outside it restart it.
      const after = levels.get(inner)?.restartsAfter;
      if (after === undefined || levelIndex < after) counts[inner] = undefined;
    }
    if (level.format === 'bullet') return '•';
    return level.text.replace(/%([1-9])/g, (_, digit) => {
      const index = Number(digit) - 1;
      const shown = levels.get(index);
      const format = level.isLegal && shown?.format !== 'none' ? 'decimal' : shown?.format;
      return shown && format ? formatCount(counts[index] ?? shown.start, format) : '';
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
    case 'decimalEnclosedParen':
      return count >= 1 && count <= 20 ? String.fromCodePoint(0x2474 + count - 1) : String(count);
    case 'decimalEnclosedFullstop':
      return count >= 1 && count <= 20 ? String.fromCodePoint(0x2488 + count - 1) : String(count);
    case 'ideographEnclosedCircle':
      return count >= 1 && count <= 10 ? String.fromCodePoint(0x3280 + count - 1) : String(count);
    case 'decimalZero':
      return String(count).padStart(2, '0');
    case 'decimalFullWidth':
    case 'decimalFullWidth2':
      return [...String(count)].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('');
    case 'chineseLegalSimplified':
      return chineseCount(count).replace(/./g, (digit) =>
        '零壹贰叁肆伍陆柒捌玖拾'.charAt('零一二三四五六七八九十'.indexOf(digit)),
      );
    case 'ideographZodiac':
      return '子丑寅卯辰巳午未申酉戌亥'.charAt(count - 1) || String(count);
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

export function chineseCount(count: number): string {
  if (count < 1 || count > 99) return String(count);
  const digits = '零一二三四五六七八九';
  const tens = Math.floor(count / 10);
  const ones = count % 10;
  if (tens === 0) return digits.charAt(ones);
  return `${tens > 1 ? digits.charAt(tens) : ''}十${ones > 0 ? digits.charAt(ones) : ''}`;
}

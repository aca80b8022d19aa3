/** Finds the number that a line of a paper begins with. */

/** `dot`: 1. 1、 第1题. `bracket`: （1）. `paren`: 1). `circle`: ①. `chinese`: 一、. `roman`: （Ⅰ） or (i), for parts only. */
export type NumberStyle = 'dot' | 'bracket' | 'paren' | 'circle' | 'chinese' | 'roman';

export interface NumberLabel {
  style: NumberStyle;
  value: number;
  /** The number without its sign, as `number` of the question: `12`, `（3）`. */
  printed: string;
  /** Offset of the label in the line, and of the text behind it. */
  from: number;
  to: number;
  /** True if the line may as well begin with a quantity: `7.5%`, `3 名学生`. */
  isWeak: boolean;
}

const chineseDigits = '零一二三四五六七八九';

/** Returns the value of 一 to 九十九; undefined for anything else. */
export function chineseValue(text: string): number | undefined {
  const parts = /^(?:([一二三四五六七八九])?(十))?([一二三四五六七八九])?$/.exec(text);
  if (!parts || text === '') return undefined;
  const tens = parts[2] ? (parts[1] ? chineseDigits.indexOf(parts[1]) : 1) : 0;
  return tens * 10 + (parts[3] ? chineseDigits.indexOf(parts[3]) : 0);
}

const romanValues: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 };

/** Returns the value of I to XXXIX, also of the single characters Ⅰ to Ⅻ. */
export function romanValue(text: string): number | undefined {
  const letters = text.normalize('NFKC');
  if (!/^(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})$/.test(letters)) return undefined;
  const values = [...letters].map((letter) => romanValues[letter] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}

/** White space and ornaments in front of a number. */
const lead = /^[\s\u3000]*(?:[*＊★☆※▲△●◆■•]\s*)?/;

/** A year behind a number, as in `10.2022年诺贝尔奖`, which does not make the number a decimal. */
const year = /^(?:1[5-9]|20)\d\d(?:年|[-—～~.]\d)/;

/** Reads the number of a question or part at offset `at` of a line. */
export function numberAt(text: string, at = 0): NumberLabel | undefined {
  const from = at + (lead.exec(text.slice(at))?.[0].length ?? 0);
  const rest = text.slice(from);
  const label = (style: NumberStyle, value: number, printed: string, length: number, isWeak = false): NumberLabel => {
    const gap = /^[\s\u3000]*/.exec(rest.slice(length))?.[0].length ?? 0;
    return { style, value, printed: printed.normalize('NFKC'), from, to: from + length + gap, isWeak };
  };
  const dotted = /^([0-9０-９]{1,4})\s*([.．、。]|[,，:：])(?!\s*[.．。、,，])/.exec(rest);
  if (dotted?.[1] && dotted[2]) {
    const behind = rest.slice(dotted[0].length);
    const isDecimal = /^[0-9０-９]/.test(behind) && !year.test(behind.normalize('NFKC'));
    const isWeak = isDecimal || /[,，:：]/.test(dotted[2]);
    return label('dot', digits(dotted[1]), dotted[1], dotted[0].length, isWeak);
  }
  const named =
    /^第\s*([0-9０-９]{1,4}|[一二三四五六七八九十]{1,3})\s*[小道]?题\s*[.．、:：]?/.exec(rest) ??
    /^(?:题目?|问题|试题|例题?|变式|练习|[QＱ]|No[.．])\s*([0-9０-９]{1,4})\s*[.．、:：]/.exec(rest) ??
    /^([0-9０-９]{1,4})\s*题\s*[.．、:：]/.exec(rest);
  if (named?.[1]) {
    const value = chineseValue(named[1]) ?? digits(named[1]);
    return label('dot', value, String(value), named[0].length);
  }
  const bracketed = /^[（(【[［]\s*([0-9０-９]{1,3})\s*[)）】\]］]\s*[.．、]?/.exec(rest);
  if (bracketed?.[1]) return label('bracket', digits(bracketed[1]), `（${bracketed[1]}）`, bracketed[0].length);
  const roman = /^[（(]\s*([ⅠⅡⅢⅣⅤⅥⅰⅱⅲⅳⅴⅵ]|I{1,3}|IV|V|VI|i{1,3}|iv|v|vi)\s*[)）]/.exec(rest);
  const romanNumber = roman?.[1] === undefined ? undefined : romanValue(roman[1].normalize('NFKC').toUpperCase());
  if (roman && romanNumber) return label('roman', romanNumber, roman[0], roman[0].length);
  const closed = /^([0-9０-９]{1,3})\s*[)）]/.exec(rest);
  if (closed?.[1]) return label('paren', digits(closed[1]), closed[1], closed[0].length);
  const circled = /^([①-⑳])\s*[.．、]?/.exec(rest);
  if (circled?.[1]) return label('circle', (rest.codePointAt(0) ?? 0) - 0x2460 + 1, circled[1], circled[0].length);
  const chinese = /^([一二三四五六七八九十]{1,3})\s*[、.．]/.exec(rest);
  const chineseNumber = chinese?.[1] === undefined ? undefined : chineseValue(chinese[1]);
  if (chinese?.[1] && chineseNumber) return label('chinese', chineseNumber, chinese[1], chinese[0].length);
  const bare =
    /^([0-9０-９]{1,4})(?=[【[（(]\s*(?:单|多|判断|不定|填空|简答))/.exec(rest) ??
    /^([0-9０-９]{1,3})(?=[\s\u3000]+[^\s\d+\-×÷=<>%.．、])/.exec(rest);
  if (bare?.[1])
    return label('dot', digits(bare[1]), bare[1], bare[0].length, !/[【[（(]/.test(rest.charAt(bare[0].length)));
  return undefined;
}

const digits = (text: string): number => Number(text.normalize('NFKC'));

/** Questions that a text names together, as in `回答1～3题` or `完成第6、7题`. */
export interface QuestionRange {
  first: number;
  last: number;
}

const rangeWords =
  /(?:回答|完成|解答|做|答)(?:下列|下面|以下|后面)?(?:的)?\s*第?\s*(\d{1,3})\s*(?:题)?\s*(?:[-~～—–－﹣‒―至到、和,，]+)\s*第?\s*(\d{1,3})\s*(?:各|两|三|小|道)*(?:题|问)/;

/** A line of nothing but a range: （1～2题共用题干）, ［41～42］, 3-5题共用备选答案, Questions 1 to 3 are based on …. */
const rangeLines: readonly RegExp[] = [
  /^\s*[(（【[]?\s*第?\s*(\d{1,3})\s*题?\s*[-~～—–－至到]+\s*第?\s*(\d{1,3})\s*小?题\s*(?:共用|共享|共同|基于|使用|为).{0,20}$/,
  /^\s*[【[［]\s*(\d{1,3})\s*[-~～—–－至到]+\s*(\d{1,3})\s*(?:小?题)?\s*[\]】］]\s*$/,
  /^\s*\(\s*第?\s*(\d{1,3})\s*[-~～—–－至到]+\s*(\d{1,3})\s*小?题\s*\)\s*$/,
  /^\s*Questions?\s+(\d{1,3})\s*(?:to|[-~～—–])\s*(\d{1,3})\b/i,
];

/** A range in brackets in front of a text: （1～2题共用题干）患者…. */
const rangeInFront =
  /^\s*[(（【[]\s*第?\s*(\d{1,3})\s*题?\s*[-~～—–－至到]+\s*第?\s*(\d{1,3})\s*小?题\s*(?:共用|共享|共同|基于|使用)[^)\]】]{0,10}[)\]】]/;

/** True if a line only says which questions belong together. */
export const isRangeLine = (text: string): boolean =>
  rangeLines.some((pattern) => pattern.test(text.normalize('NFKC')));

export function rangeIn(text: string): QuestionRange | undefined {
  const plain = text.normalize('NFKC').replaceAll('~', '～');
  const match = [rangeWords, ...rangeLines, rangeInFront]
    .map((pattern) => pattern.exec(plain))
    .find((found) => found !== null);
  if (!match) return undefined;
  const [first, last] = [Number(match[1]), Number(match[2])];
  return last > first && last - first < 30 ? { first, last } : undefined;
}

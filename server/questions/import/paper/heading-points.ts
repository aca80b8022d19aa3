/** Reads what a heading says about points and the number of questions. */

export interface HeadingPoints {
  /** Points of each question. */
  each: number | undefined;
  perBlank: number | undefined;
  /** Points by question number: 第1～10题每题2分，第11～20题每题3分. */
  scores: ReadonlyMap<number, number>;
  /** How many questions there should be. */
  count: number | undefined;
}

/** Patterns for text without spaces, in half width; the first that fits counts. */
const patterns = {
  count: [
    /共(?:有)?(\d{1,4})(?:个|道)?(?:小题|题)/, // 共10小题
    /(?:本大?题|有)(\d{1,4})(?:个|道)?(?:小题|题)/, // 本大题10小题
    /[(,](\d{1,4})道?题/, // （10题，20分）
  ],
  each: [
    /每(?:一)?(?:道|个)?(?:小题|题|问)(?:各|得)?(\d+(?:\.\d+)?)分/, // 每小题3分
    /各(\d+(?:\.\d+)?)分/, // 各2分
    /(\d+(?:\.\d+)?)分\/(?:题|道)/, // 2分/题
    /(\d+(?:\.\d+)?)分?[×x*]\d+(?:题|=)/, // 2×10=20分
  ],
  perBlank: [/每空(\d+(?:\.\d+)?)分/], // 每空1分
  total: [
    /共(\d+(?:\.\d+)?)分/, // 共20分
    /(?:满分|计)(\d+(?:\.\d+)?)分/, // 满分40分
  ],
  onlyTotal: [/[(](\d+(?:\.\d+)?)分[)]/], // （50分）
} as const;

/** 第1～10题每题2分, 11-20题各3分 */
const numberedQuestions =
  /第?(\d{1,3})(?:[-~～—–至到、](?:第)?(\d{1,3}))?(?:小题|题)(?:各|每题|每小题)?(\d+(?:\.\d+)?)分/g;

/** Maximum number of questions that a range of a heading names. */
const maxRange = 50;

const folded = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '');

function numberIn(text: string, options: readonly RegExp[]): number | undefined {
  for (const pattern of options) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return Number(found);
  }
  return undefined;
}

/** Reads what a heading says: 每小题3分, 每空1分, 第1～10题每题2分. */
export function readPoints(text: string): HeadingPoints {
  const plain = folded(text);
  const scores = new Map<number, number>();
  for (const [, first, last, points] of plain.matchAll(numberedQuestions)) {
    const end = Math.min(Number(last ?? first), Number(first) + maxRange);
    for (let value = Number(first); value <= end; value += 1) scores.set(value, Number(points));
  }
  const count = numberIn(plain, patterns.count);
  const only = count === 1 ? numberIn(plain, patterns.total) : undefined;
  return {
    each: scores.size > 0 ? undefined : (numberIn(plain, patterns.each) ?? only),
    perBlank: numberIn(plain, patterns.perBlank),
    scores,
    count,
  };
}

/** Points of a whole section: 作文（50分）, （共10小题；每小题1分，满分10分）. */
export const totalOf = (text: string): number | undefined =>
  numberIn(folded(text), [...patterns.total, ...patterns.onlyTotal]);

/** True if the points of the whole section stand in a bracket: （本大题共20分）. */
export const hasTotal = (text: string): boolean =>
  /[（(]\s*(?:本大?题|满分|共|计|合计)?\s*(?:共|计)?\s*\d+(?:\.\d+)?\s*分/.test(text);

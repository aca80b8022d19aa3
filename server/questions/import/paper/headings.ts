/** Recognises the headings of a paper. They give question type and points to the questions below them. */
import { englishHeadingIn, englishKindIn } from './english-headings.ts';
import { type HeadingPoints, hasTotal, readPoints } from './heading-points.ts';
import { chineseValue, romanValue } from './numbers.ts';
import { kindIn, type SectionKind } from './question-kinds.ts';

export interface Heading extends HeadingPoints {
  /** Place in the hierarchy: 0 卷 and 部分, 1 一、, 2 节, 3 （一）. */
  rank: number;
  ordinal: number | undefined;
  /** Its words, up to a bracket or colon. */
  title: string;
  kind: SectionKind | undefined;
  /** False if only its number makes it a heading. */
  isCertain: boolean;
}

/** Units of 第一卷, 第二节, by rank. */
const unitsByRank: readonly (readonly string[])[] = [
  ['卷', '部分', '单元', '章', '模块', '板块', '关', '课时', '课', '讲', '专题', '套'],
  ['大题'],
  ['节'],
];

const rankOfUnit = new Map(unitsByRank.flatMap((units, rank) => units.map((unit) => [unit, rank])));

interface OrdinalForm {
  pattern: RegExp;
  /** Undefined: the unit decides. */
  rank: number | undefined;
}

const chineseNumber = '[一二三四五六七八九十]{1,3}';

/** Forms of the number of a heading: group 1 is the number, group 2 the unit. */
const ordinalForms: readonly OrdinalForm[] = [
  // 第一部分, 第Ⅱ卷, 第2节
  {
    pattern: new RegExp(`^第\\s*(${chineseNumber}|[ⅠⅡⅢⅣⅤ]|[IVX]{1,4}|\\d)\\s*(${[...rankOfUnit.keys()].join('|')})`),
    rank: undefined,
  },
  // 一、选择题; 一．; 一 选择题; 一单选题
  { pattern: new RegExp(`^(${chineseNumber})(?:\\s*[、.．,，:：]|\\s+|(?=[单多判选填简]))`), rank: 1 },
  // （一）
  { pattern: new RegExp(`^[（(]\\s*(${chineseNumber})\\s*[)）]\\s*[、.．]?`), rank: 3 },
  // Ⅰ. I.
  { pattern: /^([ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩ]|[IVX]{1,4})\s*[.．、]/, rank: 1 },
];

/** A卷, B卷（共60分）. */
const sheetPattern = /^[\s\u3000]*([A-D])\s*卷[\s\u3000]*(?:[（(].*|[:：].*)?$/;

/** Names of types that are a heading without a number. */
const typeNames = [
  '选择题?|单选题?|多选题?|不定项题?|判断题?|是非题|填空题?|完形填空',
  '简答题?|问答题?|论述题?|计算题?|解答题?|证明题|作图题|辨析题?|名词解释题?|应用题|翻译题?|改错题?',
  '分析题|案例题|材料题|综合题|探究题|实验题|操作题|阅读理解题?|听力题?',
  '写作题?|作文题?|书面表达|主观题|客观题',
].join('|');

/** A1型题, A3/A4型题, X型题, of medical papers. */
const medicalNames = '[ABCKX]\\d?(?:[/、和][AB]\\d)?型(?:单选|多选|选择)?题?';

const plainHeading = new RegExp(
  `^[\\s\\u3000]*[【[]?\\s*([\\u4e00-\\u9fff]{0,4}?(?:${typeNames})|(?:${medicalNames}))\\s*[】\\]]?`,
);

/** Words behind the name of a type in a heading without a number. */
const headingRest = /^(?:部分|类|题型)?[\s\u3000]*(?:[（(【[].*|[:：].*|[共每本].*)?$/;

/** Maximum length of a heading that names no points. */
const maxHeading = 40;

/** Maximum length of any heading. */
const maxLength = 300;

export function headingIn(text: string): Heading | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > maxLength) return undefined;
  const sheet = sheetPattern.exec(text)?.[1];
  if (sheet) {
    const ordinal = sheet.charCodeAt(0) - 64;
    return { rank: 0, ordinal, title: '', kind: undefined, isCertain: true, ...readPoints(text) };
  }
  for (const { pattern, rank } of ordinalForms) {
    const match = pattern.exec(trimmed);
    if (match) return numberedHeading(trimmed, match, rank);
  }
  return typeHeading(text, trimmed) ?? englishHeadingIn(text);
}

function numberedHeading(trimmed: string, match: RegExpExecArray, rank: number | undefined): Heading | undefined {
  const [label, spelled = '', unit] = match;
  const rest = trimmed.slice(label.length).trimStart();
  const points = readPoints(rest);
  const title = rest.split(/[（(。:：，,；;\s]/)[0] ?? '';
  const named =
    kindIn(title.slice(0, 16)) ?? englishKindIn(rest.slice(0, 30)) ?? (unit ? kindIn(rest.slice(0, 40)) : undefined);
  const { each, count, perBlank } = points;
  const saysPoints = each !== undefined || count !== undefined || perBlank !== undefined || hasTotal(rest);
  const isLong = trimmed.length > maxHeading;
  // “一、什么是激励？（30分）” is a question in spite of its points.
  const isCertain =
    unit === '卷' ||
    unit === '部分' ||
    (!isQuestionLike(title) && (named !== undefined || (saysPoints && (!isLong || title.length < 20))));
  if (isLong && !saysPoints && !(named !== undefined && title.length <= 12)) return undefined;
  if (!isCertain && /[；;？?]$|.{12}[。]$/.test(trimmed)) return undefined;
  const inBracket = isCertain ? kindIn(rest.replace(/^[^（(]*[（(]/, '').slice(0, 8)) : undefined;
  return {
    rank: rank ?? rankOfUnit.get(unit ?? '') ?? 1,
    ordinal: chineseValue(spelled) ?? romanValue(spelled) ?? (Number(spelled) || undefined),
    title,
    kind: named ?? inBracket,
    ...points,
    isCertain,
  };
}

/** A number in front of the name of a type, as in `2. 判断题`. */
const numberInFront = /^[\s\u3000]*\d{1,2}\s*[、.．]\s*/;

function typeHeading(text: string, trimmed: string): Heading | undefined {
  const stripped = text.replace(numberInFront, '');
  const isNumberedType = /^[\u4e00-\u9fff]{0,4}(?:选择|判断|填空|简答|单选|多选)题/.test(stripped);
  const plain = plainHeading.exec(isNumberedType ? stripped : text);
  const kind = plain?.[1] && kindIn(plain[1]);
  if (!plain?.[1] || !kind) return undefined;
  const rest = stripped.slice(plain[0].length);
  if (!headingRest.test(rest) || (trimmed.length > maxHeading && !/分|题/.test(rest))) return undefined;
  // `判断题：长江是…` is a question.
  if (/^[:：]\s*\S/.test(rest) && !/[分题√×对错]/.test(rest)) return undefined;
  return { rank: 1, ordinal: undefined, title: plain[1], kind, ...readPoints(rest), isCertain: true };
}

const isQuestionLike = (title: string): boolean => /下列|以下|什么|如何|怎样|为什么|哪|请|试述|简述|根据/.test(title);

/** Recognises the headings of a paper, which hand their question type and score down to the questions below. */
import type { QuestionType } from '#server/questions/rules.ts';
import { englishHeadingIn, englishKindIn } from './english-headings.ts';
import { chineseValue, romanValue } from './numbers.ts';

/** What kind of questions a heading announces. `choice`: single or multiple, the answers decide. `open`: written answers. */
export type SectionKind = QuestionType | 'choice' | 'open' | 'reading';

/** Words of headings and type tags, the more specific ones first. */
const kindWords: readonly (readonly [string, SectionKind])[] = [
  ['非选择', 'open'],
  ['A1型', 1],
  ['A2型', 1],
  ['A3型', 1],
  ['A4型', 1],
  ['A3/A4型', 1],
  ['B1型', 1],
  ['A型', 1],
  ['B型', 1],
  ['C型', 1],
  ['K型', 1],
  ['X型', 3],
  ['配伍', 1],
  ['常识判断', 'choice'],
  ['判断推理', 'choice'],
  ['逻辑判断', 'choice'],
  ['定义判断', 'choice'],
  ['图形推理', 'choice'],
  ['类比推理', 'choice'],
  ['言语理解', 'choice'],
  ['数量关系', 'choice'],
  ['资料分析', 'choice'],
  ['不定项', 4],
  ['不定向', 4],
  ['多项选择', 3],
  ['多选', 3],
  ['双项选择', 3],
  ['双选', 3],
  ['单项选择', 1],
  ['单项填空', 1],
  ['单选', 1],
  ['最佳选择', 1],
  ['判断说理', 'open'],
  ['判断改错', 'open'],
  ['判断', 2],
  ['是非', 2],
  ['正误', 2],
  ['对错', 2],
  ['辨析', 'open'],
  ['选择填空', 'choice'],
  ['完形填空', 'reading'],
  ['完型填空', 'reading'],
  ['语法填空', 'open'],
  ['阅读', 'reading'],
  ['听力', 'choice'],
  ['选择', 'choice'],
  ['选一选', 'choice'],
  ['填空', 7],
  ['填一填', 7],
  ['默写', 7],
  ['简答', 'open'],
  ['问答', 'open'],
  ['论述', 'open'],
  ['解答', 'open'],
  ['计算', 'open'],
  ['证明', 'open'],
  ['作图', 'open'],
  ['实验', 'open'],
  ['探究', 'open'],
  ['综合', 'open'],
  ['应用题', 'open'],
  ['名词解释', 'open'],
  ['材料', 'open'],
  ['案例', 'open'],
  ['分析题', 'open'],
  ['主观', 'open'],
  ['写作', 'open'],
  ['作文', 'open'],
  ['习作', 'open'],
  ['书面表达', 'open'],
  ['翻译', 'open'],
  ['改错', 'open'],
  ['解释', 'open'],
  ['操作题', 'open'],
  ['编程', 'open'],
  ['客观题', 'choice'],
  ['解决问题', 'open'],
  ['口算', 'open'],
  ['竖式', 'open'],
  ['应用', 'open'],
  ['判一判', 2],
  ['会判断', 2],
  ['会选', 'choice'],
  ['会填', 7],
];

/** Returns the kind of questions that a text names. */
export const kindIn = (text: string): SectionKind | undefined =>
  kindWords.map(([word, kind]) => ({ kind, at: text.indexOf(word), word })).find(({ at }) => at !== -1)?.kind;

/** Kinds that a tag beside a question can name: 【单选题】, （多选）, [判断题]. */
const tagPattern =
  /^[\s\u3000]*[【[（(［〔]\s*(单选题?|单项选择题?|多选题?|多项选择题?|双选题?|不定项选择题?|不定项题?|不定项|判断题?|是非题|填空题?|简答题?|问答题?|论述题?|计算题?|解答题?|案例分析题?|名词解释|选择题|主观题|材料(?:分析|解析)?题|阅读(?:理解)?题|案例题|分析题|综合题)\s*(?:[,，、;；]?\s*(?:共|本题)?\s*(\d+(?:\.\d+)?)\s*分)?\s*[】\])）］〕]\s*[:：]?[\s\u3000]*/;

const spelledTag =
  /^[\s\u3000]*(单选题|单项选择题|多选题|多项选择题|判断题|填空题|简答题|问答题|不定项选择题)[\s\u3000]*[:：][\s\u3000]*(?=\S)/;

/** A tag behind the stem: …的有（  ）（多选） */
const trailingTag =
  /[（(【[]\s*(单选题?|多选题?|多项选择题?|单项选择题?|双选题?|不定项选择题?|不定项|判断题?)\s*[)）】\]][\s\u3000。.*]*$/;

/** Finds a type tag at the end of a stem; `from`: its offset. */
export function tagBehind(text: string): { kind: SectionKind; from: number } | undefined {
  const match = trailingTag.exec(text);
  const kind = match?.[1] && kindIn(match[1]);
  return match && kind ? { kind, from: match.index } : undefined;
}

export interface TypeTag {
  kind: SectionKind;
  score: number | undefined;
  to: number;
}

export function tagAt(text: string, at: number): TypeTag | undefined {
  const match = tagPattern.exec(text.slice(at)) ?? spelledTag.exec(text.slice(at));
  const kind = match?.[1] && kindIn(match[1]);
  if (!match || !kind) return undefined;
  return { kind, score: match[2] ? Number(match[2]) : undefined, to: at + match[0].length };
}

export interface Heading {
  /** Place in the hierarchy: 0 卷 and 部分, 1 一、, 2 节, 3 （一）. */
  rank: number;
  ordinal: number | undefined;
  /** Its words, up to a bracket or colon. */
  title: string;
  kind: SectionKind | undefined;
  /** Points of each question, and of questions that the heading names. */
  each: number | undefined;
  perBlank: number | undefined;
  scores: ReadonlyMap<number, number>;
  /** How many questions there should be. */
  count: number | undefined;
  /** False if only its number makes it a heading. */
  isCertain: boolean;
}

const ordinalPattern =
  /^[\s\u3000]*(?:第\s*([一二三四五六七八九十]{1,3}|[ⅠⅡⅢⅣⅤ]|[IVX]{1,4}|\d)\s*(卷|部分|大题|节|单元|章|模块|关|板块)|([一二三四五六七八九十]{1,3})(?:\s*[、.．,，:：]|[\s\u3000]+|(?=[单多判选填简]))|[（(]\s*([一二三四五六七八九十]{1,3})\s*[)）]\s*[、.．]?|([ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩ]|[IVX]{1,4})\s*[.．、])[\s\u3000]*/;

const ranks: Readonly<Record<string, number>> = {
  卷: 0,
  部分: 0,
  单元: 0,
  章: 0,
  模块: 0,
  板块: 0,
  关: 0,
  大题: 1,
  节: 2,
};

/** Words behind the name of a type that may stand in a heading without a number. */
const headingRest = /^(?:部分|类|题型)?[\s\u3000]*(?:[（(【[].*|[:：].*|[共每本].*)?$/;

const plainHeading =
  /^[\s\u3000]*[【[]?\s*([\u4e00-\u9fff]{0,4}?(?:选择题?|单选题?|多选题?|判断题?|是非题|填空题?|简答题?|问答题?|论述题?|计算题?|解答题?|证明题|作图题|辨析题?|名词解释题?|应用题|分析题|案例题|综合题|探究题|实验题|操作题|写作题?|作文题?|书面表达|完形填空|阅读理解题?|主观题|客观题|翻译题?|改错题?|材料题|论述题|听力题?|不定项题?)|(?:[ABCKX]\d?(?:[/、和][AB]\d)?型(?:单选|多选|选择)?题?))\s*[】\]]?/;

/** Maximum length of a heading that names no score. */
const maxHeading = 40;

export function headingIn(text: string): Heading | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 300) return undefined;
  const numbered = ordinalPattern.exec(text);
  if (numbered) {
    const [whole, division, unit, listed, bracketed, roman] = numbered;
    const rest = text.slice(whole.length);
    const spelled = division ?? listed ?? bracketed ?? roman ?? '';
    const ordinal = chineseValue(spelled) ?? romanValue(spelled) ?? (Number(spelled) || undefined);
    const scored = readScores(rest);
    const title = rest.split(/[（(。:：，,；;\s]/)[0] ?? '';
    const kind =
      kindIn(title.slice(0, 16)) ?? englishKindIn(rest.slice(0, 30)) ?? (unit ? kindIn(rest.slice(0, 40)) : undefined);
    const saysScore =
      scored.each !== undefined || scored.count !== undefined || scored.perBlank !== undefined || totalScore.test(rest);
    const isLong = trimmed.length > maxHeading;
    // “一、什么是激励？（30分）” is a question, whatever it is worth.
    const isCertain =
      unit === '卷' ||
      unit === '部分' ||
      (!isQuestionLike(title) && (kind !== undefined || (saysScore && (!isLong || title.length < 20))));
    if (isLong && !saysScore && !(kind !== undefined && title.length <= 12)) return undefined;
    if (!isCertain && /[；;？?]$|.{12}[。]$/.test(trimmed)) return undefined;
    return {
      rank: unit ? (ranks[unit] ?? 1) : bracketed ? 3 : 1,
      ordinal,
      title,
      kind: kind ?? (isCertain ? kindIn(rest.replace(/^[^（(]*[（(]/, '').slice(0, 8)) : undefined),
      ...scored,
      isCertain,
    };
  }
  const plain = plainHeading.exec(
    text.replace(/^[\s\u3000]*\d{1,2}\s*[、.．]\s*(?=[\u4e00-\u9fff]{0,4}(?:选择|判断|填空|简答|单选|多选)题)/, ''),
  );
  if (!plain?.[1]) return englishHeadingIn(text);
  const stripped = text.replace(/^[\s\u3000]*\d{1,2}\s*[、.．]\s*/, '');
  const rest = stripped.slice(plain[0].length);
  if (!headingRest.test(rest) || (trimmed.length > maxHeading && !/分|题/.test(rest))) return undefined;
  if (/^[:：]\s*\S/.test(rest) && !/[分题√×对错]/.test(rest)) return undefined;
  const kind = kindIn(plain[1]);
  return kind === undefined
    ? undefined
    : { rank: 1, ordinal: undefined, title: plain[1], kind, ...readScores(rest), isCertain: true };
}

const totalScore = /[（(]\s*(?:本大?题|满分|共|计|合计)?\s*(?:共|计)?\s*\d+(?:\.\d+)?\s*分/;

/** Points of a whole section: 作文（50分）, （共10小题；每小题1分，满分10分）. */
export function totalOf(text: string): number | undefined {
  const plain = text.normalize('NFKC').replace(/\s+/g, '');
  const total = /(?:满分|共|计|合计)(\d+(?:\.\d+)?)分/.exec(plain) ?? /[(](\d+(?:\.\d+)?)分[)]/.exec(plain);
  return total?.[1] === undefined ? undefined : Number(total[1]);
}

const isQuestionLike = (title: string): boolean => /下列|以下|什么|如何|怎样|为什么|哪|请|试述|简述|根据/.test(title);

function readScores(text: string): Pick<Heading, 'each' | 'perBlank' | 'scores' | 'count'> {
  const plain = text.normalize('NFKC').replace(/\s+/g, '');
  const numberIn = (pattern: RegExp) => {
    const found = pattern.exec(plain)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const scores = new Map<number, number>();
  for (const [, first, last, points] of plain.matchAll(
    /第?(\d{1,3})(?:[-~～—–至到、](?:第)?(\d{1,3}))?(?:小题|题)(?:各|每题|每小题)?(\d+(?:\.\d+)?)分/g,
  )) {
    for (let at = Number(first); at <= Math.min(Number(last ?? first), Number(first) + 50); at += 1)
      scores.set(at, Number(points));
  }
  const count =
    numberIn(/共(?:有)?(\d{1,4})(?:个|道)?(?:小题|题)/) ??
    numberIn(/(?:本大?题|有)(\d{1,4})(?:个|道)?(?:小题|题)/) ??
    numberIn(/[(（,，](\d{1,4})道?题/);
  const each =
    numberIn(/每(?:一)?(?:道|个)?(?:小题|题|问)(?:各|得)?(\d+(?:\.\d+)?)分/) ??
    numberIn(/[各](\d+(?:\.\d+)?)分/) ??
    numberIn(/(\d+(?:\.\d+)?)分\/(?:题|道)/) ??
    numberIn(/(\d+(?:\.\d+)?)分?[×x*]\d+(?:题|=)/);
  const total = numberIn(/共(\d+(?:\.\d+)?)分/) ?? numberIn(/(?:满分|计)(\d+(?:\.\d+)?)分/);
  const only = count === 1 ? total : undefined;
  return {
    each: scores.size > 0 ? undefined : (each ?? only),
    perBlank: numberIn(/每空(\d+(?:\.\d+)?)分/),
    scores,
    count,
  };
}

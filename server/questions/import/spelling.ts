/** Understands the various ways in which people write types, difficulties and answers. */

/** Makes full-width characters half-width, and removes white space and invisible characters. */
import { judgementOptions, type QuestionType } from '#server/questions/rules.ts';
export const removeSpaces = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/\s+/g, '');

const typeSpellings: Readonly<Record<QuestionType, readonly string[]>> = {
  1: ['单选', '单选题', '单项选择', '单项选择题'],
  2: ['判断', '判断题', '是非题', '对错题', '判断正误'],
  3: ['多选', '多选题', '多项选择', '多项选择题'],
  4: ['不定项', '不定项题', '不定项选择', '不定项选择题', '不定向选择题'],
  5: ['简答', '简答题', '主观题', '问答', '问答题', '解答', '解答题', '论述', '论述题', '计算题'],
  6: ['材料', '材料题', '材料分析题', '阅读题', '阅读理解', '阅读理解题', '综合题'],
  7: ['填空', '填空题'],
};

const typeBySpelling = new Map(
  Object.entries(typeSpellings).flatMap(([type, spellings]) =>
    spellings.map((spelling): [string, QuestionType] => [spelling, Number(type) as QuestionType]),
  ),
);

/** Returns the type that a field 题型 or the name of a sheet means. */
export const readType = (text: string): QuestionType | undefined =>
  typeBySpelling.get(removeSpaces(text).replace(/^[:(]+|[).。:]+$/g, ''));

/** True for 选择题, which does not say how many options are right. */
export const isUnspecifiedChoice = (text: string): boolean => /^(?:客观)?选择题?$/.test(removeSpaces(text));

const difficultyWords = new Map<string, number>([
  ['易', 1],
  ['容易', 1],
  ['简单', 1],
  ['很易', 1],
  ['较易', 2],
  ['较容易', 2],
  ['较简单', 2],
  ['偏易', 2],
  ['中', 3],
  ['中等', 3],
  ['一般', 3],
  ['适中', 3],
  ['普通', 3],
  ['较难', 4],
  ['偏难', 4],
  ['难', 5],
  ['困难', 5],
  ['很难', 5],
]);

/** Returns the difficulty from 1 (easy) to 5 (hard): written as a digit, 一 to 五, a word from 易 to 难, or stars. */
export function readDifficulty(text: string): number | undefined {
  const stars = text.match(/[★⭐🌟]/gu)?.length ?? 0;
  if (stars > 0) return stars <= 5 && /^[★⭐🌟☆\s]+$/u.test(text.replaceAll('\ufe0f', '')) ? stars : undefined;
  const spelled = removeSpaces(text).replace(/^难度:?/, '');
  const word = spelled.replace(/^第/, '').replace(/(?:颗?星|级|档|度|\.0+)$/, '');
  if (/^[1-5]$/.test(word)) return Number(word);
  const numeral = '一二三四五'.indexOf(word) + 1;
  if (word.length === 1 && numeral > 0) return numeral;
  return difficultyWords.get(word) ?? difficultyWords.get(spelled);
}

/** Returns whether a fill-in question distinguishes upper and lower case; 1: it does not. */
export function readLetterCase(text: string): 0 | 1 | undefined {
  const word = removeSpaces(text).replace(/(?:字母)?大小写$/, '');
  if (['不区分', '不分', '忽略'].includes(word)) return 1;
  return ['区分', '分'].includes(word) ? 0 : undefined;
}

const rightWords = new Set(['对', '正确', '√', '✓', '✔', '☑', '✅', 't', 'true', 'y', 'yes', 'right', '是', '真']);
const wrongWords = new Set([
  '错',
  '错误',
  '×',
  '✗',
  '✘',
  '✕',
  '✖',
  '☒',
  '❌',
  'x',
  'f',
  'false',
  'n',
  'no',
  'wrong',
  '否',
  '假',
  '不对',
  '不正确',
]);

/** Returns a true/false answer: 1 right (正确), 2 wrong (错误). These are also the ids of its options. */
export function readJudgement(text: string): 1 | 2 | undefined {
  const word = bareAnswer(text).toLowerCase();
  if (rightWords.has(word)) return 1;
  return wrongWords.has(word) ? 2 : undefined;
}

/** Removes what surrounds an answer, as in 答案：（A）。 */
const bareAnswer = (text: string): string =>
  removeSpaces(text)
    .replace(/\ufe0f/g, '')
    .replace(/^(?:正确答案|参考答案|答案)?(?:是|为)?:?(?:故?选项?)?(?=.)/, '')
    .replace(/^[([{【「"'“‘]+|[)\]}】」"'”’。.;,、]+$/g, '');

/**
 * Returns the option ids in ascending order. Accepts AB, A、B, A,B, A B, ab, and numbers as in 1、3; undefined for
 * anything else.
 */
export function readChoices(text: string): number[] | undefined {
  const bare = bareAnswer(text.trim().replace(/\s+/g, '、'));
  const parts = bare.split(/[、,;/|+&和与及.]+/).filter((part) => part !== '');
  if (parts.length === 0) return undefined;
  if (parts.every((part) => /^[a-z]+$/i.test(part))) {
    const ids = [...parts.join('').toUpperCase()].map((letter) => letter.charCodeAt(0) - 64);
    return ascending(ids);
  }
  return parts.every((part) => /^(?:[1-9]|1\d|2[0-6])$/.test(part)) ? ascending(parts.map(Number)) : undefined;
}

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((one, other) => one - other);

/** Splits a fill-in answer into its blanks: at `@@`, or else at semicolons and line breaks. */
export function readBlanks(text: string): string[] {
  const separator = text.includes('@@') || text.includes('＠＠') ? /@@|＠＠/ : /[;；\n]/;
  const blanks = text.split(separator).map((blank) => blank.trim());
  // A separator after the last blank does not begin another one.
  if (blanks.length > 1 && blanks.at(-1) === '') blanks.pop();
  return withoutNumbers(blanks);
}

/** Removes the numbers of blanks, as in （1）甲；（2）乙 and ①甲；②乙. */
function withoutNumbers(blanks: string[]): string[] {
  if (blanks.length < 2) return blanks;
  const rest = blanks.map((blank, index) => {
    const label = /^(?:[(（](\d{1,2})[)）]|(\d{1,2})[.．、](?!\d)|([①-⑳]))\s*/.exec(blank);
    const number = label?.[1] ?? label?.[2] ?? label?.[3]?.normalize('NFKC');
    return label && Number(number) === index + 1 ? blank.slice(label[0].length) : undefined;
  });
  return rest.every((blank) => blank !== undefined) ? rest : blanks;
}

/** Returns which of two options means 正确, if the other one means 错误. */
export function judgementOptionIds(contents: readonly string[]): { right: 1 | 2 } | undefined {
  if (contents.length !== judgementOptions(0).length) return undefined;
  const spelled = contents.map((content) => bareAnswer(content).toLowerCase());
  // The variables x and y are no signs.
  if (spelled.includes('x') && spelled.includes('y')) return undefined;
  const [first, second] = contents.map((content) => readJudgement(content));
  if (first === 1 && second === 2) return { right: 1 };
  return first === 2 && second === 1 ? { right: 2 } : undefined;
}

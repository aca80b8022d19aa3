/**
 * Tags by which our Moodle XML and GIFT files keep what these formats have no field for, such as the difficulty. Moodle
 * keeps tags, so that a question comes back whole.
 */
import { type QuestionType, questionTypeNames } from './rules.ts';

export interface TaggedFields {
  /** Only named where the format itself cannot say it. */
  type?: QuestionType;
  difficulty?: number;
  remark?: string;
  /** Path of the knowledge point. */
  point?: string | undefined;
  /** Tags of the question's owner. */
  own?: readonly string[];
  /** True if upper and lower case differ in the answers to blanks. */
  isCaseSensitive?: boolean;
  /** Number of the material question in the file: on its text, and on each of its parts. */
  material?: number;
  partOf?: number;
}

/** Source of the classification by knowledge point in QTI packages. */
export const pointSource = '知识点';

const caseTag = '区分大小写';

export const writeTags = (fields: TaggedFields): string[] => [
  ...(fields.type === undefined ? [] : [`题型:${questionTypeNames[fields.type]}`]),
  ...(fields.material === undefined ? [] : [`材料题:${fields.material}`]),
  ...(fields.partOf === undefined ? [] : [`小题:${fields.partOf}`]),
  ...(fields.difficulty ? [`难度:${fields.difficulty}`] : []),
  ...(fields.isCaseSensitive ? [caseTag] : []),
  ...(fields.point ? [`知识点:${fields.point}`] : []),
  ...(fields.remark ? [`备注:${fields.remark}`] : []),
  // A tag of the owner that looks like one of ours gets a prefix, so that it comes back as it was.
  ...(fields.own ?? []).map((tag) => (readTags([tag]).others[0] === tag ? tag : `标签:${tag}`)),
];

/** Reads our tags; `others` are the owner's tags, or tags of other programs. */
export function readTags(tags: readonly string[]): { fields: TaggedFields; others: string[] } {
  const fields: TaggedFields = {};
  const others = tags.flatMap((tag) => {
    const [, name, value = ''] = /^(题型|材料题|小题|难度|知识点|备注|标签)[:：](.*)$/s.exec(tag.trim()) ?? [];
    const type = questionTypes.get(value);
    if (tag.trim() === caseTag) fields.isCaseSensitive = true;
    else if (name === '题型' && type) fields.type = type;
    else if (name === '材料题' && isCount(value)) fields.material = Number(value);
    else if (name === '小题' && isCount(value)) fields.partOf = Number(value);
    else if (name === '难度' && /^[1-5]$/.test(value)) fields.difficulty = Number(value);
    else if (name === '知识点' && value !== '') fields.point = value;
    else if (name === '备注') fields.remark = value;
    else return [name === '标签' ? value : tag];
    return [];
  });
  return { fields, others };
}

const isCount = (text: string): boolean => /^\d{1,6}$/.test(text);

const questionTypes = new Map(
  Object.entries(questionTypeNames).map(([type, name]) => [name, Number(type) as QuestionType]),
);

const answerHeading = '<p>【答案】</p>';
const analysisHeading = '<p>【解析】</p>';

/** Joins a reference answer and an analysis into one text, for formats that have only one place for both. */
export const joinAnswer = (answer: string, analysis: string): string =>
  answer === '' ? analysis : `${answerHeading}${answer}${analysis === '' ? '' : `${analysisHeading}${analysis}`}`;

/** Splits what `joinAnswer` joined. */
export function splitAnswer(joined: string): { answer: string; analysis: string } {
  if (!joined.startsWith(answerHeading)) return { answer: '', analysis: joined };
  const [answer = '', ...analysis] = joined.slice(answerHeading.length).split(analysisHeading);
  return { answer, analysis: analysis.join(analysisHeading) };
}

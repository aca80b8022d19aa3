/** Converts a question to the fields of a posted form, and back. */
import {
  blankSeparator,
  hasOptions,
  isQuestionType,
  judgementOptions,
  optionCount,
  type QuestionDraft,
  type QuestionOption,
  type QuestionType,
  rightOptionIds,
} from '#server/questions/rules.ts';
import { htmlOf } from './rich-text.ts';

/** The methods that FormData and URLSearchParams have in common. */
export interface Fields {
  get(name: string): FormDataEntryValue | null;
  getAll(name: string): unknown[];
  has(name: string): boolean;
}

/** A new question. Its difficulty is the middle of five. */
export function emptyDraft(type: QuestionType = 1): QuestionDraft {
  return {
    ques_type: type,
    ques_stem: '',
    ques_option: initialOptions(type),
    right_answer: '',
    ignore_case: 0,
    ques_analysis: '',
    facility_value: 3,
    remark: '',
    ques_item: type === 6 ? [emptyItem()] : [],
  };
}

/** A new part of a material question, with the difficulty of the material. */
export const emptyItem = (): QuestionDraft => ({ ...emptyDraft(), facility_value: 0 });

/** Initial options of a question type: four empty ones, the two of a true/false question, or none. */
export function initialOptions(type: QuestionType): QuestionOption[] {
  if (type === 2) return judgementOptions(0);
  if (!hasOptions(type)) return [];
  return Array.from({ length: optionCount.initial }, (_, index) => ({ id: index + 1, content: '', is_right: 2 }));
}

type StoredDraft = Omit<QuestionDraft, 'ques_item' | 'tags'> & { ques_item?: StoredDraft[] };

/** Returns the draft of a stored question, without its tags and the other fields of the record. */
export const draftOf = (question: StoredDraft): QuestionDraft => ({
  ques_type: question.ques_type,
  ques_stem: question.ques_stem,
  ques_option: question.ques_option,
  right_answer: question.right_answer,
  ignore_case: question.ignore_case,
  ques_analysis: question.ques_analysis,
  facility_value: question.facility_value,
  remark: question.remark,
  ...(question.point !== undefined && { point: question.point }),
  ques_item: (question.ques_item ?? []).map(draftOf),
});

/**
 * Returns the draft in the form that the API takes; the right answer of a choice question is derived from its options.
 */
export const draftForApi = (draft: QuestionDraft): QuestionDraft => ({
  ...draft,
  ...(hasOptions(draft.ques_type) && { right_answer: rightOptionIds(draft.ques_option) }),
  ques_item: draft.ques_item.map(draftForApi),
});

/** Maximum numbers of fields read from a form; no question has more. */
const maxItems = 200;

const maxBlanks = 100;

/**
 * Reads the question whose fields begin with `prefix`. Field names are the paths that `checkQuestion` uses in its
 * errors.
 */
export function readDraft(form: Fields, prefix = ''): QuestionDraft {
  const text = (name: string) => String(form.get(prefix + name) ?? '');
  const rich = (name: string) => readText(form, prefix + name);
  const code = Number(text('ques_type'));
  const type = isQuestionType(code) ? code : 1;
  const items: QuestionDraft[] = [];
  while (items.length < maxItems && form.has(`${prefix}ques_item.${items.length}.ques_type`)) {
    items.push(readDraft(form, `${prefix}ques_item.${items.length}.`));
  }
  const facility = Number(text('facility_value'));
  const point = form.get(`${prefix}point`);
  const tags = form.get(`${prefix}tags`);
  return {
    ques_type: type,
    ques_stem: rich('ques_stem'),
    ques_option: readOptions(form, prefix, type),
    right_answer: type === 7 ? readBlanks(form, prefix).join(blankSeparator) : rich('right_answer'),
    ignore_case: text('ignore_case') === '1' ? 1 : 0,
    ques_analysis: rich('ques_analysis'),
    facility_value: Number.isInteger(facility) ? facility : 0,
    remark: text('remark'),
    ...(typeof point === 'string' && { point }),
    ...(typeof tags === 'string' && { tags }),
    ques_item: items,
  };
}

function readText(form: Fields, name: string): string {
  const sent = String(form.get(name) ?? '').replace(/\r\n?/g, '\n');
  return form.get(`${name}.as`) === 'html' ? sent : htmlOf(sent);
}

function readOptions(form: Fields, prefix: string, type: QuestionType): QuestionOption[] {
  const right = new Set(form.getAll(`${prefix}right_option`).map(Number));
  if (type === 2) return judgementOptions(right.has(0) ? 1 : right.has(1) ? 2 : 0);
  const options: QuestionOption[] = [];
  while (options.length <= optionCount.most && form.has(`${prefix}ques_option.${options.length}.content`)) {
    const index = options.length;
    const content = readText(form, `${prefix}ques_option.${index}.content`);
    options.push({ id: index + 1, content, is_right: right.has(index) ? 1 : 2 });
  }
  return options;
}

function readBlanks(form: Fields, prefix: string): string[] {
  const blanks: string[] = [];
  while (blanks.length < maxBlanks && form.has(`${prefix}right_answer.${blanks.length}`)) {
    blanks.push(String(form.get(`${prefix}right_answer.${blanks.length}`) ?? ''));
  }
  return blanks;
}

/** Converts a question to form fields; `readDraft` does the reverse. */
export function draftFields(draft: QuestionDraft, prefix = ''): [string, string][] {
  const rich = (name: string, html: string): [string, string][] => [
    [prefix + name, html],
    [`${prefix}${name}.as`, 'html'],
  ];
  const options = draft.ques_type === 2 ? [] : draft.ques_option;
  return [
    [`${prefix}ques_type`, String(draft.ques_type)],
    [`${prefix}facility_value`, String(draft.facility_value)],
    [`${prefix}remark`, draft.remark],
    ...(draft.point === undefined ? [] : ([[`${prefix}point`, draft.point]] satisfies [string, string][])),
    ...(draft.tags === undefined ? [] : ([[`${prefix}tags`, draft.tags]] satisfies [string, string][])),
    ...rich('ques_stem', draft.ques_stem),
    ...options.flatMap(({ content }, index) => rich(`ques_option.${index}.content`, content)),
    ...draft.ques_option.flatMap(({ is_right }, index): [string, string][] =>
      is_right === 1 ? [[`${prefix}right_option`, String(index)]] : [],
    ),
    ...(draft.ques_type === 7
      ? typedBlanks(draft).map((blank, index): [string, string] => [`${prefix}right_answer.${index}`, blank])
      : rich('right_answer', draft.right_answer)),
    ...(draft.ignore_case === 1 ? ([[`${prefix}ignore_case`, '1']] satisfies [string, string][]) : []),
    ...rich('ques_analysis', draft.ques_analysis),
    ...draft.ques_item.flatMap((item, index) => draftFields(item, `${prefix}ques_item.${index}.`)),
  ];
}

/** Returns the blanks of a fill-in question as typed; there is at least one. */
export const typedBlanks = (draft: QuestionDraft): string[] => draft.right_answer.split(blankSeparator);

const fieldNames: Record<string, string> = {
  ques_type: '题型',
  ques_stem: '题干',
  ques_option: '选项',
  content: '选项',
  right_answer: '答案',
  ignore_case: '大小写',
  ques_analysis: '解析',
  facility_value: '难度',
  remark: '备注',
  point: '知识点',
  tags: '标签',
  ques_item: '小题',
};

/** Label of a field in the error summary, such as `第2小题 题干`. */
export function fieldLabel(path: string): string {
  const item = /^ques_item\.(\d+)\./.exec(path);
  const name = fieldNames[path.split('.').at(-1) ?? ''] ?? '题目';
  return item ? `第${Number(item[1]) + 1}小题 ${name}` : name;
}

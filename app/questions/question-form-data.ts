/**
 * The question form without its looks: the fields of a posted form to a question and back, and every operation on it as
 * a pure function. The server runs them for a browser without client JS, the browser runs the same ones with it.
 */

// ---- texts ---------------------------------------------------------------------------------------

/**
 * A rich text travels as plain text, which is what a text area without client JS is for, or as HTML, where it has
 * formats that plain text does not hold. Which of the two is said in a field of its own, `<name>.as`.
 */
import { optionLetter } from '#server/platform/text/rules.ts';
import {
  blankSeparator,
  draftMessages,
  hasOptions,
  isQuestionType,
  judgementOptions,
  optionCount,
  type QuestionDraft,
  type QuestionOption,
  type QuestionType,
} from '#server/questions/rules.ts';
export type TextForm = 'text' | 'html';

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': '\u00a0' };

/** The plain text of HTML that is nothing but text in paragraphs and lines; undefined for anything else. */
export function plainTextOf(html: string): string | undefined {
  const lines = html
    .replace(/\s*\n\s*/g, ' ')
    .replace(/<br ?\/?>/g, '\n')
    .replace(/<\/p>\s*<p>/g, '\n')
    .replace(/^<p>|<\/p>$/g, '');
  if (lines.includes('<')) return undefined;
  const text = lines.replace(/&(?:amp|lt|gt|quot|nbsp);/g, (entity) => entities[entity] ?? entity);
  return /&(?:#\d+|#x[\da-f]+|[a-z]+);/i.test(lines.replace(/&(?:amp|lt|gt|quot|nbsp);/g, '')) ? undefined : text;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One line as it is, several as a paragraph each. */
export function htmlOf(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  return lines.length === 1 ? escapeHtml(text) : lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
}

/** Without markup and on one line, for labels and for what holds no formats. */
export const wordsOf = (html: string): string =>
  (plainTextOf(html.replace(/<[^<>]*>/g, ' ')) ?? html.replace(/<[^<>]*>/g, ' ')).replace(/\s+/g, ' ').trim();

// ---- a question as the fields of a form -------------------------------------------------------------

/** FormData or URLSearchParams. */
export interface Fields {
  get(name: string): unknown;
  getAll(name: string): unknown[];
  has(name: string): boolean;
}

export function emptyDraft(type: QuestionType = 1): QuestionDraft {
  return {
    ques_type: type,
    ques_stem: '',
    ques_option: initialOptions(type),
    right_answer: '',
    ques_analysis: '',
    facility_value: 0,
    remark: '',
    ques_item: type === 6 ? [emptyDraft(1)] : [],
  };
}

/** Four empty options, the two of a judgement, or none. */
function initialOptions(type: QuestionType): QuestionOption[] {
  if (type === 2) return judgementOptions(0);
  if (!hasOptions(type)) return [];
  return Array.from({ length: optionCount.initial }, (_, index) => ({ id: index + 1, content: '', is_right: 2 }));
}

type Stored = Omit<QuestionDraft, 'ques_item'> & { ques_item?: Stored[] };

/** A stored question as a draft, without whatever else came with it. */
export const draftOf = (question: Stored): QuestionDraft => ({
  ques_type: question.ques_type,
  ques_stem: question.ques_stem,
  ques_option: question.ques_option,
  right_answer: question.right_answer,
  ques_analysis: question.ques_analysis,
  facility_value: question.facility_value,
  remark: question.remark,
  ques_item: (question.ques_item ?? []).map(draftOf),
});

/** More than any question has: a form with more fields is nobody's. */
const itemsMost = 200;
const blanksMost = 100;

/**
 * Reads the question whose fields begin with `prefix`. The names are the paths of `checkQuestion`'s messages, so that
 * each message finds its field.
 */
export function readDraft(form: Fields, prefix = ''): QuestionDraft {
  const text = (name: string) => String(form.get(prefix + name) ?? '');
  const rich = (name: string) => readText(form, prefix + name);
  const code = Number(text('ques_type'));
  const type = isQuestionType(code) ? code : 1;
  const items: QuestionDraft[] = [];
  while (items.length < itemsMost && form.has(`${prefix}ques_item.${items.length}.ques_type`)) {
    items.push(readDraft(form, `${prefix}ques_item.${items.length}.`));
  }
  const facility = Number(text('facility_value'));
  return {
    ques_type: type,
    ques_stem: rich('ques_stem'),
    ques_option: readOptions(form, prefix, type),
    right_answer: type === 7 ? readBlanks(form, prefix).join(blankSeparator) : rich('right_answer'),
    ques_analysis: rich('ques_analysis'),
    facility_value: Number.isInteger(facility) ? facility : 0,
    remark: text('remark'),
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
  while (blanks.length < blanksMost && form.has(`${prefix}right_answer.${blanks.length}`)) {
    blanks.push(String(form.get(`${prefix}right_answer.${blanks.length}`) ?? ''));
  }
  return blanks;
}

/** The fields that `readDraft` reads back as the same question. */
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
    ...rich('ques_stem', draft.ques_stem),
    ...options.flatMap(({ content }, index) => rich(`ques_option.${index}.content`, content)),
    ...draft.ques_option.flatMap(({ is_right }, index): [string, string][] =>
      is_right === 1 ? [[`${prefix}right_option`, String(index)]] : [],
    ),
    ...(draft.ques_type === 7
      ? shownBlanks(draft).map((blank, index): [string, string] => [`${prefix}right_answer.${index}`, blank])
      : rich('right_answer', draft.right_answer)),
    ...rich('ques_analysis', draft.ques_analysis),
    ...draft.ques_item.flatMap((item, index) => draftFields(item, `${prefix}ques_item.${index}.`)),
  ];
}

/** The blanks of a fill-in as they are typed; always at least one. */
export const shownBlanks = (draft: QuestionDraft): string[] => draft.right_answer.split(blankSeparator);

// ---- operations -----------------------------------------------------------------------------------

/** `at` is the question that is meant: '' or `ques_item.N.`. */
export type Operation =
  | { kind: 'save' | 'preview' | 'cancel' }
  | { kind: 'change-type'; at: string; type: QuestionType }
  | { kind: 'add-option' | 'add-blank'; at: string }
  | { kind: 'ask-option' | 'remove-option' | 'remove-blank'; at: string; index: number }
  | { kind: 'add-item' }
  | { kind: 'ask-item' | 'remove-item' | 'move-up' | 'move-down'; index: number }
  | { kind: 'upload'; field: string };

/** What only a browser with client JS sends: everything else is read from the posted form. */
export type Edit =
  | { kind: 'replace'; draft: QuestionDraft }
  | { kind: 'edit'; at: string; change: Partial<QuestionDraft> }
  | { kind: 'edit-option'; at: string; index: number; content: string }
  | { kind: 'choose-option'; at: string; index: number; isRight: boolean }
  | { kind: 'edit-blank'; at: string; index: number; text: string };

export interface QuestionFormState {
  draft: QuestionDraft;
  /** An operation that waits for a yes. */
  asking?: { at: string; option: number } | { item: number };
  /** Why an operation did nothing. */
  message?: string;
}

/** The value of the button of an operation; the button's name is `<prefix>operation`. */
export function operationValue(operation: Operation): string {
  const { kind } = operation;
  const words: (string | number)[] = [kind];
  if ('at' in operation) words.push(operation.at || '-');
  if ('index' in operation) words.push(operation.index);
  if ('field' in operation) words.push(operation.field);
  return words.join(' ');
}

/**
 * The operation of a posted form; `save` where no button is named, as when Enter is pressed. A type is changed by the
 * select beside the button.
 */
export function readOperation(form: Fields, prefix = ''): Operation {
  const [kind = '', first = '', second = ''] = String(form.get(`${prefix}operation`) ?? 'save').split(' ');
  const at = /^ques_item\.\d{1,3}\.$/.test(first) ? first : '';
  const index = Number(second || first) || 0;
  switch (kind) {
    case 'preview':
    case 'cancel':
    case 'add-item':
      return { kind };
    case 'change-type': {
      const type = Number(form.get(`${prefix}${at}new_type`));
      return { kind, at, type: isQuestionType(type) ? type : 1 };
    }
    case 'add-option':
    case 'add-blank':
      return { kind, at };
    case 'ask-option':
    case 'remove-option':
    case 'remove-blank':
      return { kind, at, index };
    case 'ask-item':
    case 'remove-item':
    case 'move-up':
    case 'move-down':
      return { kind, index };
    case 'upload':
      return { kind, field: first };
    default:
      return { kind: 'save' };
  }
}

/**
 * A type that was chosen in its select without the button beside it: then the fields that were typed are those of the
 * old type, and saving them would save something else than what is seen.
 */
export function pendingTypeChange(form: Fields, draft: QuestionDraft, prefix = ''): Operation | undefined {
  const places = ['', ...draft.ques_item.map((_, index) => `ques_item.${index}.`)];
  for (const at of places) {
    const chosen = Number(form.get(`${prefix}${at}new_type`));
    const present = questionAt(draft, at)?.ques_type;
    if (isQuestionType(chosen) && chosen !== present) return { kind: 'change-type', at, type: chosen };
  }
  return undefined;
}

/** Puts a picture behind what a field holds. `field` is its path, such as `ques_option.1.content`. */
export function withPicture(draft: QuestionDraft, field: string, source: string): QuestionDraft {
  const [, item, option, name = ''] = /^(ques_item\.\d+\.)?(?:ques_option\.(\d+)\.)?(\w+)$/.exec(field) ?? [];
  const picture = `<p><img src="${source}" alt="图片"></p>`;
  return changeAt(draft, item ?? '', (question) => {
    const at = Number(option);
    const before = question.ques_option[at];
    if (option !== undefined && before) return changeOption(question, at, { content: before.content + picture });
    if (name !== 'ques_stem' && name !== 'ques_analysis' && name !== 'right_answer') return question;
    return { ...question, [name]: question[name] + picture };
  });
}

const fieldNames: Record<string, string> = {
  ques_type: '题型',
  ques_stem: '题干',
  ques_option: '选项',
  content: '选项',
  right_answer: '答案',
  ques_analysis: '解析',
  facility_value: '难度',
  remark: '备注',
  ques_item: '小题',
};

/** What a field is called in the summary of the messages: `第2小题 题干`. */
export function fieldLabel(path: string): string {
  const item = /^ques_item\.(\d+)\./.exec(path);
  const name = fieldNames[path.split('.').at(-1) ?? ''] ?? '题目';
  return item ? `第${Number(item[1]) + 1}小题 ${name}` : name;
}

export const formMessages = {
  first: '已经是第一题',
  last: '已经是最后一题',
  askOption: '确定删除该选项吗？',
  askItem: '是否移除该题目？',
} as const;

/** The form after an operation or an edit. What cannot be done leaves it as it is, with the reason. */
export function reduceQuestionForm(state: QuestionFormState, action: Operation | Edit): QuestionFormState {
  const { draft } = state;
  const at = (place: string, change: (question: QuestionDraft) => QuestionDraft): QuestionFormState => ({
    draft: changeAt(draft, place, change),
  });
  switch (action.kind) {
    case 'replace':
      return { ...state, draft: action.draft };
    case 'edit':
      return { ...state, ...at(action.at, (question) => ({ ...question, ...action.change })) };
    case 'edit-option':
      return {
        ...state,
        ...at(action.at, (question) => changeOption(question, action.index, { content: action.content })),
      };
    case 'choose-option':
      return { ...state, ...at(action.at, (question) => chooseOption(question, action.index, action.isRight)) };
    case 'edit-blank':
      return {
        ...state,
        ...at(action.at, (question) =>
          withBlanks(question, replaced(shownBlanks(question), action.index, action.text)),
        ),
      };
    case 'change-type':
      return at(action.at, (question) => changeType(question, action.type));
    case 'add-option':
      if (optionsAt(draft, action.at).length >= optionCount.most) return { draft, message: draftMessages.optionCount };
      return at(action.at, (question) =>
        withOptions(question, [...question.ques_option, { id: 0, content: '', is_right: 2 }]),
      );
    case 'ask-option':
      if (optionsAt(draft, action.at).length <= optionCount.least) return { draft, message: draftMessages.optionCount };
      return { draft, asking: { at: action.at, option: action.index } };
    case 'remove-option':
      if (optionsAt(draft, action.at).length <= optionCount.least) return { draft, message: draftMessages.optionCount };
      return at(action.at, (question) => withOptions(question, without(question.ques_option, action.index)));
    case 'add-blank':
      return at(action.at, (question) => withBlanks(question, [...shownBlanks(question), '']));
    case 'remove-blank':
      return at(action.at, (question) => {
        const blanks = shownBlanks(question);
        return blanks.length > 1 ? withBlanks(question, without(blanks, action.index)) : question;
      });
    case 'add-item':
      return { draft: { ...draft, ques_item: [...draft.ques_item, emptyDraft(1)] } };
    case 'ask-item':
      if (draft.ques_item.length <= 1) return { draft, message: draftMessages.oneItem };
      return { draft, asking: { item: action.index } };
    case 'remove-item':
      if (draft.ques_item.length <= 1) return { draft, message: draftMessages.oneItem };
      return { draft: { ...draft, ques_item: without(draft.ques_item, action.index) } };
    case 'move-up':
      return action.index <= 0 ? { draft, message: formMessages.first } : { draft: swapItems(draft, action.index - 1) };
    case 'move-down':
      return action.index >= draft.ques_item.length - 1
        ? { draft, message: formMessages.last }
        : { draft: swapItems(draft, action.index) };
    case 'save':
    case 'preview':
    case 'cancel':
    case 'upload':
      return { draft };
  }
}

// Array.prototype.with and toSpliced came a version after the oldest browser that is served.
const replaced = <T>(list: readonly T[], at: number, value: T): T[] =>
  list.map((one, index) => (index === at ? value : one));
const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at);

/** Changes the question at '' or `ques_item.N.`; a place that is not there changes nothing. */
function changeAt(draft: QuestionDraft, at: string, change: (question: QuestionDraft) => QuestionDraft): QuestionDraft {
  if (at === '') return change(draft);
  const index = itemIndex(at);
  const item = draft.ques_item[index];
  return item ? { ...draft, ques_item: replaced(draft.ques_item, index, change(item)) } : draft;
}

const itemIndex = (at: string): number => Number(at.split('.')[1]);

/** The question at '' or `ques_item.N.`. */
const questionAt = (draft: QuestionDraft, at: string): QuestionDraft | undefined =>
  at === '' ? draft : draft.ques_item[itemIndex(at)];

const optionsAt = (draft: QuestionDraft, at: string): QuestionOption[] => questionAt(draft, at)?.ques_option ?? [];

const withOptions = (question: QuestionDraft, options: QuestionOption[]): QuestionDraft => ({
  ...question,
  ques_option: options.map((option, index) => ({ ...option, id: index + 1 })),
});

const withBlanks = (question: QuestionDraft, blanks: string[]): QuestionDraft => ({
  ...question,
  right_answer: blanks.join(blankSeparator),
});

function changeOption(question: QuestionDraft, index: number, change: Partial<QuestionOption>): QuestionDraft {
  const option = question.ques_option[index];
  return option
    ? { ...question, ques_option: replaced(question.ques_option, index, { ...option, ...change }) }
    : question;
}

/** Single choices and judgements have one right option, the others several. */
function chooseOption(question: QuestionDraft, index: number, isRight: boolean): QuestionDraft {
  const chosen: 1 | 2 = isRight ? 1 : 2;
  if (question.ques_type > 2) return changeOption(question, index, { is_right: chosen });
  const only = (option: QuestionOption, position: number): QuestionOption => ({
    ...option,
    is_right: position === index ? chosen : 2,
  });
  return { ...question, ques_option: question.ques_option.map(only) };
}

/** What both types have is kept; what only the old one had is gone with it, as a blank answer is. */
function changeType(question: QuestionDraft, type: QuestionType): QuestionDraft {
  const before = question.ques_type;
  if (type === before) return question;
  return {
    ...question,
    ques_type: type,
    ques_option: optionsFor(question, type),
    right_answer: answerFor(question, type),
    ques_item: type === 6 && question.ques_item.length === 0 ? [emptyDraft(1)] : question.ques_item,
  };
}

function optionsFor({ ques_type: before, ques_option: options }: QuestionDraft, type: QuestionType): QuestionOption[] {
  if (type === 2) return judgementOptions(0);
  if (!hasOptions(type)) return before === 2 ? [] : options;
  if (before === 2 || options.length === 0) return initialOptions(type);
  if (type !== 1) return options;
  const right = options.findIndex((option) => option.is_right === 1);
  return options.map((option, index) => ({ ...option, is_right: index === right ? 1 : 2 }));
}

function answerFor({ ques_type: before, right_answer: answer }: QuestionDraft, type: QuestionType): string {
  if (hasOptions(before)) return type === 7 || type === 5 ? (/^[\d,]*$/.test(answer) ? '' : answer) : answer;
  if (type === 7 && before !== 7) return wordsOf(answer);
  if (before === 7 && type !== 7) return htmlOf(answer.split(blankSeparator).filter(Boolean).join('；'));
  return answer;
}

function swapItems(draft: QuestionDraft, index: number): QuestionDraft {
  const [one, two] = [draft.ques_item[index], draft.ques_item[index + 1]];
  return one && two ? { ...draft, ques_item: replaced(replaced(draft.ques_item, index, two), index + 1, one) } : draft;
}

// ---- how it will look ---------------------------------------------------------------------------------

/** The texts of a question in the order in which `displayedDraft` takes their shown forms back. */
export function textsOf(draft: QuestionDraft): string[] {
  const { ques_type, ques_stem, ques_option, right_answer, ques_analysis, ques_item } = draft;
  const answer = ques_type === 5 ? right_answer : ques_type === 7 ? htmlOf(shownBlanks(draft).join('；')) : '';
  const options = hasOptions(ques_type) ? ques_option.map(({ content }) => content) : [];
  return [ques_stem, answer, ques_analysis, ...options, ...(ques_type === 6 ? ques_item.flatMap(textsOf) : [])];
}

export interface ShownQuestion {
  ques_type: number;
  facility_value?: number;
  ques_option: { is_right: 1 | 2 }[];
  display: { ques_stem: string; ques_option: string[]; right_answer: string; ques_analysis: string };
  ques_item?: ShownQuestion[];
}

/** A question with its texts as the server shows them. */
export function displayedDraft(draft: QuestionDraft, shown: readonly string[]): ShownQuestion {
  const left = [...shown];
  const take = (question: QuestionDraft): ShownQuestion => {
    const [ques_stem = '', answer = '', ques_analysis = ''] = left.splice(0, 3);
    const options = hasOptions(question.ques_type) ? question.ques_option : [];
    const right = options.flatMap(({ is_right }, index) => (is_right === 1 ? [index] : []));
    const letters = right.map(optionLetter).join('、');
    const chosen = question.ques_type === 2 ? (options[right[0] ?? -1]?.content ?? '') : letters;
    return {
      ques_type: question.ques_type,
      facility_value: question.facility_value,
      ques_option: options.map(({ is_right }) => ({ is_right })),
      display: {
        ques_stem,
        ques_option: left.splice(0, options.length),
        right_answer: hasOptions(question.ques_type) ? chosen : answer,
        ques_analysis,
      },
      ques_item: question.ques_type === 6 ? question.ques_item.map(take) : [],
    };
  };
  return take(draft);
}

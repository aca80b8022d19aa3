/**
 * All button operations of the question form, as pure functions. They run on the server without client JS, and in the
 * browser with it.
 */
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
import { readIntent } from '../lib/form-data.ts';
import { emptyItem, type Fields, initialOptions, typedBlanks } from './question-codec.ts';
import { htmlOf, plainWords } from './rich-text.ts';
import { orderMessages } from './terms.ts';

/** A button operation. `at` is the path of the question: '' for the question itself, `ques_item.N.` for a part. */
export type Operation =
  | { kind: 'save' | 'preview' | 'cancel' }
  | { kind: 'change-type'; at: string; type: QuestionType }
  | { kind: 'add-option' | 'add-blank'; at: string }
  | { kind: 'ask-option' | 'remove-option' | 'remove-blank'; at: string; index: number }
  | { kind: 'add-item' }
  | { kind: 'ask-item' | 'remove-item' | 'move-up' | 'move-down'; index: number }
  | { kind: 'upload'; field: string };

/** Operations that a button's value may name. */
export const operationKinds = [
  'save',
  'preview',
  'cancel',
  'change-type',
  'add-option',
  'add-blank',
  'ask-option',
  'remove-option',
  'remove-blank',
  'add-item',
  'ask-item',
  'remove-item',
  'move-up',
  'move-down',
  'upload',
] as const satisfies readonly Operation['kind'][];

/** Edits of fields in the browser. Without client JS the posted form already contains them. */
export type Edit =
  | { kind: 'replace'; draft: QuestionDraft }
  | { kind: 'edit'; at: string; change: Partial<QuestionDraft> }
  | { kind: 'edit-option'; at: string; index: number; content: string }
  | { kind: 'choose-option'; at: string; index: number; isRight: boolean }
  | { kind: 'edit-blank'; at: string; index: number; text: string }
  | { kind: 'insert-picture'; field: string; source: string };

export interface QuestionFormState {
  draft: QuestionDraft;
  /** The operation that waits for a confirmation. */
  asking?: { at: string; option: number } | { item: number };
  /** Why the last operation did nothing. */
  message?: string;
}

/** Returns the value of the button for an operation; the button's name is `intent`. */
export function operationValue(operation: Operation): string {
  const { kind } = operation;
  const words: (string | number)[] = [kind];
  if ('at' in operation) words.push(operation.at || '-');
  if ('index' in operation) words.push(operation.index);
  if ('field' in operation) words.push(operation.field);
  return words.join(' ');
}

/**
 * Parses the operation of a posted form. It is `save` if no button was pressed (Enter in a field). A new question type
 * comes from the select beside its button.
 */
export function readOperation(form: Fields): Operation {
  const [kind = '', first = '', second = ''] = readIntent(form);
  const at = /^ques_item\.\d{1,3}\.$/.test(first) ? first : '';
  const index = Number(second || first) || 0;
  switch (kind) {
    case 'preview':
    case 'cancel':
    case 'add-item':
      return { kind };
    case 'change-type': {
      const type = Number(form.get(`${at}new_type`));
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
 * Detects that a question type was selected without pressing its button, and returns that change. The posted fields
 * still belong to the previous type, so saving them would not save what the user sees.
 */
export function pendingTypeChange(form: Fields, draft: QuestionDraft): Operation | undefined {
  const places = ['', ...draft.ques_item.map((_, index) => `ques_item.${index}.`)];
  for (const at of places) {
    const chosen = Number(form.get(`${at}new_type`));
    const present = questionAt(draft, at)?.ques_type;
    if (isQuestionType(chosen) && chosen !== present) return { kind: 'change-type', at, type: chosen };
  }
  return undefined;
}

/** Appends a picture to a field. `field`: path of the field, such as `ques_option.1.content`. */
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

export const formMessages = {
  askOption: '确定删除该选项吗？',
} as const;

/** Applies an operation or edit to the form; an impossible one only sets the message. */
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
          withBlanks(question, replaceAt(typedBlanks(question), action.index, action.text)),
        ),
      };
    case 'insert-picture':
      return { ...state, draft: withPicture(draft, action.field, action.source) };
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
      return at(action.at, (question) => withOptions(question, removeAt(question.ques_option, action.index)));
    case 'add-blank':
      return at(action.at, (question) => withBlanks(question, [...typedBlanks(question), '']));
    case 'remove-blank':
      return at(action.at, (question) => {
        const blanks = typedBlanks(question);
        return blanks.length > 1 ? withBlanks(question, removeAt(blanks, action.index)) : question;
      });
    case 'add-item':
      return { draft: { ...draft, ques_item: [...draft.ques_item, emptyItem()] } };
    case 'ask-item':
      if (draft.ques_item.length <= 1) return { draft, message: draftMessages.oneItem };
      return { draft, asking: { item: action.index } };
    case 'remove-item':
      if (draft.ques_item.length <= 1) return { draft, message: draftMessages.oneItem };
      return { draft: { ...draft, ques_item: removeAt(draft.ques_item, action.index) } };
    case 'move-up':
      return action.index <= 0
        ? { draft, message: orderMessages.first }
        : { draft: swapItems(draft, action.index - 1) };
    case 'move-down':
      return action.index >= draft.ques_item.length - 1
        ? { draft, message: orderMessages.last }
        : { draft: swapItems(draft, action.index) };
    case 'save':
    case 'preview':
    case 'cancel':
    case 'upload':
      return { draft };
  }
}

// The oldest supported browser lacks Array.prototype.with and toSpliced.
const replaceAt = <T>(list: readonly T[], at: number, value: T): T[] =>
  list.map((one, index) => (index === at ? value : one));
const removeAt = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at);

/** Changes the question at a path ('' or `ques_item.N.`). Does nothing if the part does not exist. */
function changeAt(draft: QuestionDraft, at: string, change: (question: QuestionDraft) => QuestionDraft): QuestionDraft {
  if (at === '') return change(draft);
  const index = itemIndex(at);
  const item = draft.ques_item[index];
  return item ? { ...draft, ques_item: replaceAt(draft.ques_item, index, change(item)) } : draft;
}

const itemIndex = (at: string): number => Number(at.split('.')[1]);

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
    ? { ...question, ques_option: replaceAt(question.ques_option, index, { ...option, ...change }) }
    : question;
}

/** Single-choice and true/false questions have one right option; other choice questions may have several. */
function chooseOption(question: QuestionDraft, index: number, isRight: boolean): QuestionDraft {
  const chosen: 1 | 2 = isRight ? 1 : 2;
  if (question.ques_type > 2) return changeOption(question, index, { is_right: chosen });
  const only = (option: QuestionOption, position: number): QuestionOption => ({
    ...option,
    is_right: position === index ? chosen : 2,
  });
  return { ...question, ques_option: question.ques_option.map(only) };
}

/** Changes the type of a question. Fields that both types have are kept, others (such as blanks) are dropped. */
function changeType(question: QuestionDraft, type: QuestionType): QuestionDraft {
  const before = question.ques_type;
  if (type === before) return question;
  return {
    ...question,
    ques_type: type,
    ques_option: optionsFor(question, type),
    right_answer: answerFor(question, type),
    ques_item: type === 6 && question.ques_item.length === 0 ? [emptyItem()] : question.ques_item,
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
  if (type === 7 && before !== 7) return plainWords(answer);
  if (before === 7 && type !== 7) return htmlOf(answer.split(blankSeparator).filter(Boolean).join('；'));
  return answer;
}

function swapItems(draft: QuestionDraft, index: number): QuestionDraft {
  const [one, two] = [draft.ques_item[index], draft.ques_item[index + 1]];
  return one && two
    ? { ...draft, ques_item: replaceAt(replaceAt(draft.ques_item, index, two), index + 1, one) }
    : draft;
}

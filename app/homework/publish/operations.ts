/**
 * Button operations of the publish form, as pure functions. The server (without client JS) and the browser share them.
 * An operation is the value of a button: its name, then the keys of the questions that it applies to (`readIntent`).
 */

import { normalizeNumber } from '#server/grading/rules.ts';
import { noQuestionFault } from '#server/homework/rules.ts';
import { parseWithin, placeMessage } from '#server/questions/compose.rules.ts';
import { noneChosenFault } from '#server/questions/rules.ts';
import { orderMessages } from '../../questions/terms.ts';
import { batchTypes, formatTenths, type PublishForm, withExchangeUndone } from './form.ts';

/** The value of a button, split at spaces. */
export type Operation = readonly string[];

/** First word of each operation except publishing. `keep` is Enter in a field. */
export const operationNames = [
  'keep',
  'select-all',
  'up',
  'down',
  'move',
  'place',
  'exchange',
  'undo-exchange',
  'remove',
  'confirm-remove',
  'batch',
  'apply-batch',
  'cancel',
  'confirm-publish',
  'course',
  'bank',
  'public',
  'rule',
  'history',
  'import',
  'new',
  'edit',
  'deadline',
];

/** Message after a question was exchanged. */
export const exchangedNotice: Notice = { kind: 'success', msg: '已换一道，可以撤销' };

/** Message shown above the question table. */
export interface Notice {
  kind: 'success' | 'warning';
  msg: string;
}

export interface OperationResult {
  form: PublishForm;
  notice?: Notice;
}

const warning = (form: PublishForm, msg: string): OperationResult => ({ form, notice: { kind: 'warning', msg } });

/**
 * True for operations that open another screen. The server first stores the form, because that screen has an address of
 * its own and can be filtered, paged and reloaded.
 */
export const opensScreen = (operation: Operation): boolean =>
  opensPage(operation) || ['course', 'bank', 'public', 'rule', 'history'].includes(operation[0] ?? '');

/** True for operations that open a full page: the form of one question, and the import. Other screens are dialogs. */
export const opensPage = ([name]: Operation): boolean => name === 'new' || name === 'edit' || name === 'import';

/** Returns the form after an operation. An unknown operation changes nothing. */
export function applyOperation(form: PublishForm, operation: Operation): OperationResult {
  const [name = '', key = '', to = ''] = operation;
  const keys = key === '' ? selectedKeys(form) : [Number(key)];
  switch (name) {
    case 'select-all':
      return { form: { ...form, selected: isEverySelected(form) ? [] : form.questions.map((one) => one.key) } };
    case 'up':
      return shiftQuestions(form, keys, -1);
    case 'down':
      return shiftQuestions(form, keys, 1);
    case 'move':
      return { form: moveTo(form, Number(key), Number(to)) };
    case 'place': {
      const place = parseWithin(normalizeNumber(to), { min: 1, max: form.questions.length });
      if (place === undefined) return warning(form, placeMessage(form.questions.length));
      return { form: moveTo(form, Number(key), place - 1) };
    }
    case 'undo-exchange':
      return { form: withExchangeUndone(form, Number(key)), notice: { kind: 'success', msg: '已撤销换题' } };
    case 'remove': {
      const fault = noneChosenFault(keys.length);
      if (fault) return warning(form, fault);
      return { form: { ...form, panel: { kind: 'remove', keys, selected: key === '' } } };
    }
    case 'confirm-remove':
      return form.panel?.kind === 'remove' ? remove(form, form.panel.keys) : { form };
    case 'batch': {
      const noQuestion = noQuestionFault(form.questions.length);
      if (noQuestion) return warning(form, noQuestion);
      if (form.is_set_score === '1') return warning(form, '未设置题目分数，按正确率批改');
      return { form: { ...form, panel: { kind: 'batch', values: {} } } };
    }
    case 'apply-batch':
      return form.panel?.kind === 'batch' ? setScores(form, form.panel.values) : { form };
    case 'deadline':
      return { form: isLocalMoment(key) ? { ...form, ending_time: key } : form };
    case 'cancel':
      return { form: { ...form, panel: null } };
    default:
      return { form };
  }
}

/** True for a value of a datetime-local field. */
const isLocalMoment = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text);

const selectedKeys = ({ questions, selected }: PublishForm) =>
  questions.map(({ key }) => key).filter((key) => selected.includes(key));

export const isEverySelected = (form: PublishForm): boolean =>
  form.questions.length > 0 && selectedKeys(form).length === form.questions.length;

/** Moves questions up or down by one position. Several questions keep their relative order. */
function shiftQuestions(form: PublishForm, keys: number[], by: -1 | 1): OperationResult {
  const fault = noneChosenFault(keys.length);
  if (fault) return warning(form, fault);
  const questions = [...form.questions];
  const moving = new Set(keys);
  const edge = by === -1 ? questions.at(0) : questions.at(-1);
  if (edge && moving.has(edge.key)) return warning(form, by === -1 ? orderMessages.first : orderMessages.last);
  const order = questions.map((_, index) => index);
  for (const index of by === -1 ? order : order.reverse()) {
    const [question, other] = [questions[index], questions[index + by]];
    if (!question || !other || !moving.has(question.key)) continue;
    questions[index] = other;
    questions[index + by] = question;
  }
  return { form: { ...form, questions } };
}

function moveTo(form: PublishForm, key: number, index: number): PublishForm {
  const moving = form.questions.find((one) => one.key === key);
  if (!moving || !Number.isInteger(index)) return form;
  const questions = form.questions.filter((one) => one !== moving);
  questions.splice(Math.max(0, Math.min(index, questions.length)), 0, moving);
  return { ...form, questions };
}

function remove(form: PublishForm, keys: number[]): OperationResult {
  return {
    form: {
      ...form,
      questions: form.questions.filter(({ key }) => !keys.includes(key)),
      selected: form.selected.filter((key) => !keys.includes(key)),
      panel: null,
    },
    notice: { kind: 'success', msg: '移除成功' },
  };
}

/** Sets points by question type, clamped to 1 to 100 with one decimal. Types with an empty value keep their points. */
function setScores(form: PublishForm, values: Record<string, string>): OperationResult {
  const byType = new Map<number, string>();
  for (const type of batchTypes) {
    const typed = (values[type] ?? '').trim();
    if (typed === '') continue;
    const points = Number(typed);
    if (!Number.isFinite(points)) {
      return { form: { ...form, panel: { kind: 'batch', values, error: '请输入正确的分数' } } };
    }
    byType.set(type, formatTenths(Math.round(Math.min(100, Math.max(1, points)) * 10)));
  }
  if (byType.size === 0) return { form: { ...form, panel: { kind: 'batch', values, error: '请输入分数' } } };
  const questions = form.questions.map((question) => {
    const { ques_type, ques_item } = question.draft;
    const types = ques_type === 6 ? ques_item.map((part) => part.ques_type) : [ques_type];
    const set = (before: readonly string[]) => types.map((type, part) => byType.get(type) ?? before[part] ?? '');
    return { ...question, scores: set(question.scores), given: set(question.given) };
  });
  return { form: { ...form, questions, panel: null }, notice: { kind: 'success', msg: '操作成功' } };
}

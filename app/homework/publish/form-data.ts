import { normalizeNumber } from '#server/grading/rules.ts';
import { textOf } from '../../lib/form-data.ts';
import { batchTypes, type PublishForm, scoreCount } from './form.ts';

/** Names of the form's fields. KEY of a question is part of some names. */
export const scoreField = (key: number, part: number) => `score.${key}.${part}`;
export const selectedField = 'selected';
/** Field with the key of the audience that was shown to the user (audienceKey). */
export const confirmedField = 'told';
export const placeField = (key: number) => `place.${key}`;
export const batchField = (type: number) => `batch.${type}`;
/** Field with the rest of the form as JSON, mainly the questions. */
export const packedFormField = 'held';

const textFields = [
  'course_basis_id',
  'publish_scope',
  'type',
  'course_periods_id',
  'name',
  'remark',
  'ending_time',
  'is_set_score',
  'right_answers',
  'class_choice',
] as const;

/** Adds the typed number to the operation that moves a question to a number. */
export const withPlace = (operation: readonly string[], data: Pick<FormData, 'get'>): readonly string[] =>
  operation[0] === 'place' ? [...operation.slice(0, 2), textOf(data, placeField(Number(operation[1])))] : operation;

/**
 * Merges the posted fields into the form `hiddenForm`. A question with unchanged scores stays the same object, so that its
 * memoised row does not render again.
 */
export function readFields(data: FormData, hiddenForm: PublishForm): PublishForm {
  const form = { ...hiddenForm };
  for (const field of textFields) {
    const sent = data.get(field);
    if (typeof sent === 'string') form[field] = sent;
  }
  form.child_course_basis_ids = data.getAll('child_course_basis_ids').map(String);
  // Only a form with classes to choose from has this field.
  if (data.has('class_choice')) form.class_ids = data.getAll('class_ids').map(String);
  form.selected = data.getAll(selectedField).map(Number);
  form.questions = hiddenForm.questions.map((question) => {
    const scores = Array.from({ length: scoreCount(question.draft) }, (_, part) => {
      const sent = data.get(scoreField(question.key, part));
      return typeof sent === 'string' ? normalizeNumber(sent) : (question.scores[part] ?? '');
    });
    return scores.every((score, part) => score === question.scores[part]) ? question : { ...question, scores };
  });
  if (hiddenForm.panel?.kind === 'batch') {
    const values = Object.fromEntries(
      batchTypes.map((type) => [type, normalizeNumber(textOf(data, batchField(type)))]),
    );
    form.panel = { kind: 'batch', values };
  }
  return form;
}

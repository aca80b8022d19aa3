/** Carries out the corrections that the forms of an import preview send. Two screens use it, each with its own calls. */
import { redirect } from 'react-router';
import {
  arrangeExamImportRow,
  correctExamImport,
  correctExamImportRow,
  repeatExamImportCorrection,
  undoExamImportCorrection,
} from '#server/exams/composing.contract.ts';
import { type Arrangement, arrangements } from '#server/questions/import.rules.ts';
import {
  arrangeImportRow,
  correctImport,
  correctImportRow,
  repeatImportCorrection,
  undoImportCorrection,
} from '#server/questions/import-correction.contract.ts';
import type { ApiClient } from '../api/client.server.ts';
import type { RefusedOutcome } from '../api/outcome.server.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { flashMessage, refusedForm } from '../shell/form-action.server.ts';
import type { RequestContext } from '../shell/form-request.ts';

const ownCalls = {
  correct: correctImportRow,
  arrange: arrangeImportRow,
  many: correctImport,
  repeat: repeatImportCorrection,
  undo: undoImportCorrection,
};

const examCalls = {
  correct: correctExamImportRow,
  arrange: arrangeExamImportRow,
  many: correctExamImport,
  repeat: repeatExamImportCorrection,
  undo: undoExamImportCorrection,
};

/** Buttons of a preview that correct it. */
export const correctionButtons = ['save', 'bulk', 'repeat', 'undo', ...arrangements] as const;
export type CorrectionButton = (typeof correctionButtons)[number];

interface Correction {
  button: CorrectionButton;
  importId: string;
  form: FormData;
  /** Address of the preview, to which the browser returns. */
  here: string;
}

/** Carries out a correction and returns to the preview, or shows its form again. */
export async function correctPreview(
  context: RequestContext,
  client: ApiClient,
  kind: 'own' | 'exam',
  { button, importId, form, here }: Correction,
) {
  const calls = kind === 'own' ? ownCalls : examCalls;
  const key = idempotencyField(form);
  const params = { importId };
  if (button === 'undo' || button === 'repeat') {
    const number = textOf(form, 'number');
    const outcome = await client.ask(calls[button], { params, body: { number }, idempotencyKey: key });
    if (!outcome.ok) flashMessage(context, 'warning', outcome.msg);
    throw redirect(here);
  }
  if (button === 'bulk') {
    const outcome = await client.ask(calls.many, { params, body: bulkFields(form), idempotencyKey: key });
    if (!outcome.ok) return refusedForm(outcome, form);
    flashMessage(context, 'success', `已修改${outcome.data.count}道题`);
    throw redirect(here);
  }
  return correctRow(client, calls, { button, importId, form, here });
}

const bulkFields = (form: FormData) => ({
  section: textOf(form, 'section') || undefined,
  of_type: textOf(form, 'of_type'),
  ques_type: textOf(form, 'ques_type'),
  facility_value: textOf(form, 'facility_value'),
  score: textOf(form, 'score'),
  point: textOf(form, 'point'),
  empty_answer: textOf(form, 'empty_answer'),
});

/** Saves the fields of a question first, so that a button beside them loses nothing. */
async function correctRow(
  client: ApiClient,
  calls: typeof ownCalls | typeof examCalls,
  { button, importId, form, here }: Correction,
) {
  const row = Number(textOf(form, 'row'));
  const params = { importId, row };
  let version = textOf(form, 'version');
  const key = idempotencyField(form);
  if (button === 'save' || form.has('facility_value')) {
    const saved = await client.ask(calls.correct, {
      params,
      body: { ...rowFields(form), version },
      idempotencyKey: key && `${key}-save`,
    });
    if (!saved.ok) return refuseRow(saved, form);
    version = String(saved.data.version);
  }
  if (button === 'save') throw redirect(`${here}#q-${row}`);
  const outcome = await client.ask(calls.arrange, {
    params,
    body: { version, act: button as Arrangement, line: textOf(form, 'line'), count: textOf(form, 'count') },
    idempotencyKey: key,
  });
  if (!outcome.ok) return refuseRow(outcome, form, version);
  throw redirect(`${here}#q-${outcome.data.row}`);
}

/** Shows the form of a question again. It sends the version that stands, so that sending it again overwrites that. */
function refuseRow(outcome: RefusedOutcome, form: FormData, saved?: string) {
  const { version } = (outcome.data ?? {}) as { version?: unknown };
  if (typeof version === 'number') form.set('version', String(version));
  else if (saved !== undefined) form.set('version', saved);
  return refusedForm(outcome, form);
}

function rowFields(form: FormData) {
  const given = (name: string) => (form.has(name) ? textOf(form, name) : undefined);
  const parts = (name: string) => {
    const list: string[] = [];
    while (form.has(`${name}.${list.length}`)) list.push(textOf(form, `${name}.${list.length}`));
    return list.length > 0 ? list : undefined;
  };
  return {
    ques_type: given('ques_type'),
    answer: given('answer'),
    score: given('score'),
    facility_value: given('facility_value'),
    options: given('options'),
    point: given('point'),
    part_answers: parts('part_answers'),
    part_scores: parts('part_scores'),
  };
}

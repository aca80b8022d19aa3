/** Corrections of many questions of an import at once. Each is stored and can be undone. */
import { invalid, isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { emptyAnswer, importMessages, importScoreMessage, parseImportScore } from '../import.rules.ts';
import type { BulkCorrection } from '../import-correction.contract.ts';
import { unknownPointMessage } from '../points.rules.ts';
import { draftMessages, isQuestionType, type QuestionDraft, type QuestionType, questionTypeNames } from '../rules.ts';
import { isSameRow, remainingFileErrors, withOriginal } from './correct.ts';
import { lacksAnswer, withType } from './correction-draft.ts';
import {
  type BulkFields,
  type CorrectionContext,
  contentColumns,
  draftOfRow,
  lastChange,
  lockedImport,
  type Offer,
  rowsOf,
  type StoredRow,
  storeChange,
} from './import-rows.ts';
import { pointFinder } from './points.ts';
import { spellingMessages } from './rules.ts';
import { readDifficulty } from './spelling.ts';

/** Corrects a field of many questions. 404: no such import. 409: nothing would change. 422: a field cannot be read. */
export async function correctMany(
  context: CorrectionContext,
  importId: string,
  written: BulkCorrection,
): Promise<{ count: number } | Refusal> {
  const locked = await lockedImport(context, importId);
  if (isRefusal(locked)) return locked;
  const errors: FieldErrors = {};
  const fields = bulkFields(written, errors);
  await readPoint(context, written, fields, errors);
  if (Object.keys(fields).length === 0 && Object.keys(errors).length === 0) {
    errors.facility_value = [importMessages.noField];
  }
  if (Object.keys(errors).length > 0) return invalid(errors);
  let query = rowsOf(context.db, importId).where('state', '=', 1).orderBy('sort');
  if (written.section) query = query.where('section', '=', written.section);
  const rows = await query.execute();
  const chosen = rows.filter((row) => !written.of_type || draftOfRow(row).ques_type === written.of_type);
  return applyToMany(context, importId, chosen, fields);
}

function bulkFields(written: BulkCorrection, errors: FieldErrors): BulkFields {
  const fields: BulkFields = {};
  const given = (typed: string | undefined): typed is string => typed !== undefined && typed.trim() !== '';
  if (given(written.ques_type)) {
    const type = Number(written.ques_type);
    if (isQuestionType(type) && type !== 6) fields.ques_type = type;
    else errors.ques_type = [draftMessages.incomplete];
  }
  if (given(written.facility_value)) {
    fields.facility_value = readDifficulty(written.facility_value);
    if (fields.facility_value === undefined)
      errors.facility_value = [spellingMessages.difficulty(written.facility_value)];
  }
  if (given(written.score)) {
    fields.score = parseImportScore(written.score);
    if (fields.score === undefined) errors.score = [importScoreMessage];
  }
  if (written.empty_answer === 1) fields.empty_answer = emptyAnswer;
  return fields;
}

async function readPoint(
  { db }: CorrectionContext,
  { point = '' }: BulkCorrection,
  fields: BulkFields,
  errors: FieldErrors,
): Promise<void> {
  if (point.trim() === '') return;
  fields.point = (await pointFinder(db))(point)?.path;
  if (fields.point === undefined) errors.point = [unknownPointMessage(point.trim())];
}

async function applyToMany(
  context: CorrectionContext,
  importId: string,
  rows: readonly StoredRow[],
  fields: BulkFields,
): Promise<{ count: number } | Refusal> {
  const changed = rows.flatMap((before) => {
    const after = withFields(before, fields);
    return isSameRow(before, after) ? [] : [{ before, after: withOriginal(before, after) }];
  });
  if (changed.length === 0) return invalid({ facility_value: [importMessages.nothingChanged] });
  await storeChange(context, {
    importId,
    before: changed.map(({ before }) => before),
    after: changed.map(({ after }) => after),
    said: `${changed.length}道题：${fieldsSaid(fields)}`,
  });
  return { count: changed.length };
}

function withFields(before: StoredRow, fields: BulkFields): StoredRow {
  const { ques_type, facility_value, score, empty_answer, point } = fields;
  const old = draftOfRow(before);
  let draft = ques_type === undefined || old.ques_item.length > 0 ? old : withType(old, ques_type as QuestionType);
  if (facility_value !== undefined) draft = { ...draft, facility_value };
  if (point !== undefined && point !== (draft.point ?? '')) draft = { ...draft, point };
  if (empty_answer !== undefined) draft = withEmptyAnswer(draft, empty_answer);
  const isEqual = JSON.stringify(draft) === JSON.stringify(old);
  return {
    ...before,
    ...(isEqual ? {} : contentColumns(draft, before.place, remainingFileErrors(before, old, draft))),
    score: score === undefined ? before.score : score,
  };
}

function withEmptyAnswer(draft: QuestionDraft, answer: string): QuestionDraft {
  const ques_item = draft.ques_item.map((part) => withEmptyAnswer(part, answer));
  if (draft.ques_type !== 5 || !lacksAnswer(draft)) return { ...draft, ques_item };
  return { ...draft, ques_item, right_answer: `<p>${answer}</p>` };
}

const fieldsSaid = ({ ques_type, facility_value, score, empty_answer, point }: BulkFields): string =>
  [
    ques_type !== undefined && `题型改为${questionTypeNames[ques_type]}`,
    score !== undefined && score !== null && `分值改为${score / 10}`,
    facility_value !== undefined && `难度改为${facility_value}`,
    point !== undefined && `知识点改为“${point}”`,
    empty_answer !== undefined && `空的答案填“${empty_answer}”`,
  ]
    .filter(Boolean)
    .join('，');

/** Makes the last correction for the rest of its section. 404: no such import. 409: it is not the last one any more. */
export async function repeatCorrection(
  context: CorrectionContext,
  importId: string,
  number: number,
): Promise<{ count: number } | Refusal> {
  const locked = await lockedImport(context, importId);
  if (isRefusal(locked)) return locked;
  const last = await lastChange(context.db, importId, number);
  if (isRefusal(last)) return last;
  const offer = last.offer === null ? undefined : (JSON.parse(last.offer) as Offer);
  const named = new Set(offer?.rows);
  const rows = await rowsOf(context.db, importId).where('state', '=', 1).orderBy('sort').execute();
  return applyToMany(
    context,
    importId,
    rows.filter(({ sort }) => named.has(sort)),
    offer?.fields ?? {},
  );
}

/** Corrections of questions that were read from a file, before they are imported. Each is stored and can be undone. */
import { invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { BankQuestionBody } from '../contract.ts';
import { importMessages, importScoreMessage, parseImportScore } from '../import.rules.ts';
import type { RowCorrection } from '../import-correction.contract.ts';
import { unknownPointMessage } from '../points.rules.ts';
import { draftMessages, hasOptions, isQuestionType, type QuestionDraft, questionTypeNames } from '../rules.ts';
import { validateDraft } from '../write.ts';
import { faultsOf, typedOptions, withAnswer, withOptions, withType } from './correction-draft.ts';
import {
  type CorrectionContext,
  contentColumns,
  doubtColumns,
  draftOfRow,
  lockedImport,
  notesOf,
  type Offer,
  rowAsShown,
  rowsOf,
  type StoredRow,
  storeChange,
} from './import-rows.ts';
import { pointFinder } from './points.ts';
import { ownImport, previewExpiry, refuseExpiredImport } from './preview-state.ts';
import { correctionMessages, spellingMessages } from './rules.ts';
import { readDifficulty } from './spelling.ts';

interface RowPlace {
  importId: string;
  row: number;
}

type Corrected = { row: number; version: number } | Refusal;

/** Returns a question as its form takes it. 404: no such import or question. */
export async function wholeRowOf({ db, actor, now }: CorrectionContext, { importId, row }: RowPlace) {
  const found = await ownImport(db, actor, importId, await previewExpiry(db, now))
    .select('id')
    .executeTakeFirst();
  if (!found) return refuseExpiredImport();
  const stored = await rowsOf(db, importId).where('sort', '=', row).executeTakeFirst();
  if (!stored) return missing(importMessages.missingRow);
  return { version: stored.version, question: draftOfRow(stored) };
}

/**
 * Corrects some fields of a question. 404: no such import or question. 409: corrected in another window. 422: a field
 * cannot be read.
 */
export async function correctRow(
  context: CorrectionContext,
  { importId, row }: RowPlace,
  written: RowCorrection,
): Promise<Corrected> {
  const { db } = context;
  const locked = await lockedImport(context, importId);
  if (isRefusal(locked)) return locked;
  const before = await rowAsShown(db, { importId, row, version: written.version });
  if (isRefusal(before)) return before;
  const errors: FieldErrors = {};
  const typed = { ...written, point: await correctedPoint(context, before, written.point, errors) };
  const after = correctedRow(before, typed, errors);
  if (Object.keys(errors).length > 0) return invalid(errors);
  if (isSameRow(before, after)) return { row, version: before.version };
  const said = `${await nameOf(context, before)}：${changesSaid(before, after)}`;
  await storeChange(context, {
    importId,
    before: [before],
    after: [withOriginal(before, after)],
    said,
    offer: await offerOf(context, before, after),
  });
  return { row, version: before.version + 1 };
}

export const isSameRow = (one: StoredRow, other: StoredRow): boolean =>
  one.draft === other.draft &&
  one.score === other.score &&
  one.part_scores === other.part_scores &&
  one.doubts === other.doubts &&
  one.state === other.state;

/** Name of a question in messages: its place among the questions of the file. */
export async function nameOf({ db }: CorrectionContext, { import_id, sort }: StoredRow): Promise<string> {
  const { count } = await db
    .selectFrom('question_import_row')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('import_id', '=', import_id)
    .where('sort', '<=', sort)
    .executeTakeFirstOrThrow();
  return `第${count}题`;
}

function correctedRow(before: StoredRow, written: RowCorrection, errors: FieldErrors): StoredRow {
  const old = draftOfRow(before);
  let draft = correctedType(old, written, errors);
  if (written.options !== undefined && typedOptions(draft) !== written.options) {
    if (typedOptions(draft) !== null) draft = withOptions(draft, written.options);
    else if (hasOptions(draft.ques_type) && draft.ques_type !== 2) errors.options = [correctionMessages.richOptions];
  }
  if (written.answer !== undefined) draft = answered(draft, written.answer, 'answer', errors);
  if (written.part_answers) {
    const typed = written.part_answers;
    draft = {
      ...draft,
      ques_item: draft.ques_item.map((part, index) =>
        typed[index] === undefined ? part : answered(part, typed[index], `part_answers.${index}`, errors),
      ),
    };
  }
  if (written.facility_value !== undefined) {
    const typed = written.facility_value.trim();
    const facility = typed === '' || typed === '0' ? 0 : readDifficulty(typed);
    if (facility === undefined) errors.facility_value = [spellingMessages.difficulty(typed)];
    else draft = { ...draft, facility_value: facility };
  }
  if (written.point !== undefined) draft = { ...draft, point: written.point };
  const score = scoreOf(written.score, before.score, 'score', errors);
  const earlier = JSON.parse(before.part_scores) as (number | null)[];
  const partScores = draft.ques_item.map((_, index) =>
    scoreOf(written.part_scores?.[index], earlier[index] ?? null, `part_scores.${index}`, errors),
  );
  return {
    ...before,
    ...contentColumns(draft, before.place, remainingFileErrors(before, old, draft)),
    ...doubtColumns(isAnswerChanged(old, draft) ? [] : notesOf(before.doubts)),
    score,
    part_scores: JSON.stringify(partScores),
  };
}

function correctedType(draft: QuestionDraft, { ques_type }: RowCorrection, errors: FieldErrors): QuestionDraft {
  if (ques_type === undefined || Number(ques_type) === draft.ques_type) return draft;
  const type = Number(ques_type);
  if (!isQuestionType(type)) errors.ques_type = [draftMessages.incomplete];
  else if (draft.ques_item.length > 0) errors.ques_type = [importMessages.materialType];
  else return withType(draft, type);
  return draft;
}

function answered(draft: QuestionDraft, typed: string, field: string, errors: FieldErrors): QuestionDraft {
  const changed = withAnswer(draft, typed);
  if (!('fault' in changed)) return changed;
  errors[field] = [changed.fault];
  return draft;
}

function scoreOf(typed: string | undefined, before: number | null, field: string, errors: FieldErrors): number | null {
  if (typed === undefined) return before;
  const score = parseImportScore(typed);
  if (score === undefined) errors[field] = [importScoreMessage];
  return score ?? null;
}

const answerPart = ({ ques_type, ques_option, right_answer, ques_item }: QuestionDraft): unknown => [
  ques_type,
  ques_option,
  right_answer,
  ques_item.map(answerPart),
];

/** Returns the path of the typed point; the present text may stay although it is no point. */
async function correctedPoint(
  { db }: CorrectionContext,
  before: StoredRow,
  typed: string | undefined,
  errors: FieldErrors,
): Promise<string | undefined> {
  const text = typed?.trim();
  if (text === undefined || text === before.point) return undefined;
  if (text === '') return '';
  const found = (await pointFinder(db))(text);
  if (!found) errors.point = [unknownPointMessage(text)];
  return found?.path;
}

const isAnswerChanged = (one: QuestionDraft, other: QuestionDraft): boolean =>
  JSON.stringify(answerPart(one)) !== JSON.stringify(answerPart(other));

/**
 * Errors of the file that still hold. Once type, options or answer were corrected, the rules of the form alone decide; a
 * difficulty ends its own error.
 */
export function remainingFileErrors(before: StoredRow, old: QuestionDraft, draft: QuestionDraft) {
  if (isAnswerChanged(old, draft)) return undefined;
  const errors = notesOf(before.errors);
  if (old.facility_value === draft.facility_value) return errors;
  const rest = errors.filter(({ message }) => !message.includes('难度'));
  return draft.facility_value === 0
    ? [...rest, ...faultsOf(draft, before.place).filter(({ message }) => message.includes('难度'))]
    : rest;
}

/** Keeps the question as it was read, at its first correction. */
export const withOriginal = (before: StoredRow, after: StoredRow): StoredRow => ({
  ...after,
  original:
    before.original ??
    JSON.stringify({
      draft: before.draft,
      score: before.score,
      part_scores: before.part_scores,
      errors: before.errors,
      doubts: before.doubts,
      doubt_count: before.doubt_count,
      is_good: before.is_good,
      lacks_answer: before.lacks_answer,
      point: before.point,
    } satisfies Partial<StoredRow>),
});

function changesSaid(before: StoredRow, after: StoredRow): string {
  const [old, draft] = [before, after].map(draftOfRow) as [QuestionDraft, QuestionDraft];
  const said = [
    old.ques_type !== draft.ques_type && `题型改为${questionTypeNames[draft.ques_type]}`,
    before.score !== after.score && (after.score === null ? '去掉分值' : `分值改为${after.score / 10}`),
    old.facility_value !== draft.facility_value && `难度改为${draft.facility_value || '空'}`,
    JSON.stringify(old.ques_option.map(({ content }) => content)) !==
      JSON.stringify(draft.ques_option.map(({ content }) => content)) &&
      old.ques_type === draft.ques_type &&
      '改了选项',
    isAnswerChanged(old, draft) && old.ques_type === draft.ques_type && '改了答案',
    before.point !== after.point && (after.point === '' ? '去掉知识点' : `知识点改为“${after.point}”`),
    before.part_scores !== after.part_scores && '改了小题分值',
  ].filter(Boolean);
  return said.join('，') || '已修改';
}

/**
 * Returns the correction for the other questions of the section that were as this one was. Only one field is offered:
 * the type before the score before the difficulty.
 */
async function offerOf(context: CorrectionContext, before: StoredRow, after: StoredRow): Promise<Offer | undefined> {
  const { db } = context;
  if (before.point !== '' && before.point !== after.point) return offerOfPoint(context, before, after);
  if (before.section === '') return undefined;
  const [old, draft] = [before, after].map(draftOfRow) as [QuestionDraft, QuestionDraft];
  const offered = offeredFields(before, after, old, draft);
  if (!offered) return undefined;
  const others = await rowsOf(db, before.import_id)
    .where('section', '=', before.section)
    .where('state', '=', 1)
    .where('sort', '<>', before.sort)
    .orderBy('sort')
    .execute();
  const rows = others.filter((row) => offered.isAlike(row, draftOfRow(row))).map(({ sort }) => sort);
  return rows.length > 0 ? { rows, fields: offered.fields, said: offered.said } : undefined;
}

/** Offers the point for all questions of the file that had the same text. */
async function offerOfPoint(
  { db }: CorrectionContext,
  before: StoredRow,
  { point }: StoredRow,
): Promise<Offer | undefined> {
  const others = await rowsOf(db, before.import_id)
    .where('point', '=', before.point)
    .where('state', '=', 1)
    .where('sort', '<>', before.sort)
    .orderBy('sort')
    .execute();
  const said = point === '' ? `都去掉“${before.point}”` : `“${before.point}”都改为“${point}”`;
  return others.length > 0 ? { rows: others.map(({ sort }) => sort), fields: { point }, said } : undefined;
}

function offeredFields(before: StoredRow, after: StoredRow, old: QuestionDraft, draft: QuestionDraft) {
  if (old.ques_type !== draft.ques_type && draft.ques_type !== 6) {
    return {
      fields: { ques_type: draft.ques_type },
      said: `本大题都是${questionTypeNames[draft.ques_type]}`,
      isAlike: (_: StoredRow, other: QuestionDraft) => other.ques_type === old.ques_type,
    };
  }
  if (before.score !== after.score && after.score !== null) {
    return {
      fields: { score: after.score },
      said: `本大题都是${after.score / 10}分`,
      isAlike: (row: StoredRow) => row.score === before.score,
    };
  }
  if (old.facility_value !== draft.facility_value && draft.facility_value > 0) {
    return {
      fields: { facility_value: draft.facility_value },
      said: `本大题难度都是${draft.facility_value}`,
      isAlike: (_: StoredRow, other: QuestionDraft) => other.facility_value === old.facility_value,
    };
  }
  return undefined;
}

/** Replaces the whole question. 404: no such import or question. 409: corrected in another window. 422: a rule is broken. */
export async function replaceRow(
  context: CorrectionContext,
  { importId, row }: RowPlace,
  { version, ...written }: BankQuestionBody & { version: number },
): Promise<Corrected> {
  const locked = await lockedImport(context, importId);
  if (isRefusal(locked)) return locked;
  const before = await rowAsShown(context.db, { importId, row, version });
  if (isRefusal(before)) return before;
  const errors: FieldErrors = {};
  const typed = await correctedPoint(context, before, written.point, errors);
  const valid = validateDraft(written);
  if (isRefusal(valid)) return valid;
  if (Object.keys(errors).length > 0) return invalid(errors);
  const draft = { ...valid, point: typed ?? before.point };
  const scores = JSON.parse(before.part_scores) as (number | null)[];
  const after = {
    ...before,
    ...contentColumns(draft, before.place),
    ...doubtColumns([]),
    part_scores: JSON.stringify(draft.ques_item.map((_, index) => scores[index] ?? null)),
  };
  const said = `${await nameOf(context, before)}：编辑了整题`;
  await storeChange(context, { importId, before: [before], after: [withOriginal(before, after)], said });
  return { row, version: before.version + 1 };
}

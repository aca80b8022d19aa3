/** Adds, edits and deletes questions of the user's own bank. */
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, isRefusal, missing, type Refusal, refuseField } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, recordHistory, recordHistoryOfMany } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { plainText } from '#server/platform/text/plain-text.ts';
import { complexityFault } from '#server/platform/text/rich-text-limits.ts';
import { droppedContentFault, sanitizeRichText } from '#server/platform/text/sanitize.ts';
import type { BankQuestionBody, QuestionDetail, TaggedQuestion } from './contract.ts';
import { questionDetails } from './detail.ts';
import { textsOf } from './display.ts';
import { questionContent } from './edit-conflict.ts';
import { namedPoint } from './points.ts';
import {
  checkQuestion,
  draftMessages,
  hasOptions,
  joinTags,
  judgementOptions,
  missingQuestion,
  noneChosenFault,
  normaliseDraft,
  type QuestionDraft,
  type QuestionOption,
  type QuestionType,
} from './rules.ts';
import { storeTags } from './tags.ts';
import { ownQuestions } from './visible.ts';

interface WriteContext {
  actor: Actor;
  /** Unix seconds. */
  now: number;
}

/** Adds a question. 422: every broken rule by field. */
export async function addToBank(
  db: Database,
  written: BankQuestionBody,
  { actor, now }: WriteContext,
): Promise<{ id: number } | Refusal> {
  const draft = validateDraft(written);
  if (isRefusal(draft)) return draft;
  const pointId = await namedPoint(db, written.point ?? '');
  if (isRefusal(pointId)) return pointId;
  const id = await storeQuestion(db, draft, { ownerId: actor.id, now, pointId });
  await recordAddedQuestions(db, { actor, now }, [{ id, draft }]);
  return { id };
}

/** Writes a history row for each added question, also for imported ones. */
export const recordAddedQuestions = (
  db: Database,
  { actor, now }: WriteContext,
  added: readonly { id: number; draft: QuestionDraft }[],
): Promise<void> =>
  recordHistoryOfMany(db, {
    actor,
    now,
    record: 'question',
    action: 'add',
    changes: added.map(({ id, draft }) => ({
      recordId: id,
      before: null,
      after: { ques_type: draft.ques_type, ques_stem: draft.ques_stem },
    })),
  });

/** Edits a question. Copies in published homework and exams keep their own version. */
export async function editInBank(
  db: Database,
  id: number,
  written: BankQuestionBody,
  { actor, now }: WriteContext,
): Promise<null | Refusal> {
  const stored = await forUpdate(db)(
    ownQuestions(db, actor)
      .select(['question.id', 'question.is_public', 'question.point_id'])
      .where('question.id', '=', id),
  ).executeTakeFirst();
  if (!stored) return missing(missingQuestion);
  const draft = validateDraft(written);
  if (isRefusal(draft)) return draft;
  const pointId = written.point === undefined ? stored.point_id : await namedPoint(db, written.point);
  if (isRefusal(pointId)) return pointId;
  const before = await presentQuestion(db, actor, id);
  await replaceQuestion(db, id, draft, { ownerId: actor.id, now, isPublic: stored.is_public, pointId });
  await storeTags(db, actor.id, [{ id, tags: draft.tags }]);
  const change =
    before &&
    changedFields(
      { ...questionContent(before), point_id: stored.point_id, tags: joinTags(before.tags) },
      { ...questionContent(draft), point_id: pointId, tags: draft.tags ?? joinTags(before.tags) },
    );
  if (change && change.names.length > 0) {
    const { before, after } = change;
    await recordHistory(db, { actor, now, record: 'question', recordId: id, action: 'edit', before, after });
  }
  return null;
}

async function presentQuestion(db: Database, actor: Actor, id: number): Promise<QuestionDetail | undefined> {
  const details = await questionDetails(db, actor, ownQuestions(db, actor), [id]);
  if (isRefusal(details) || !details[0]) return undefined;
  const { remark } = await db.selectFrom('question').select('remark').where('id', '=', id).executeTakeFirstOrThrow();
  return { ...details[0], remark };
}

/** Replaces the content and parts of a question by the content and parts of a validated draft. */
export async function replaceQuestion(
  db: Database,
  id: number,
  draft: QuestionDraft,
  storing: StoreOptions,
): Promise<void> {
  await db
    .updateTable('question')
    .set({
      ...contentColumns(draft),
      updated_at: storing.now,
      ...(storing.pointId !== undefined && { point_id: storing.pointId }),
    })
    .where('id', '=', id)
    .execute();
  await db.deleteFrom('question').where('parent_id', '=', id).execute();
  await storeItems(db, id, draft.ques_item, storing);
}

/** Deletes all of the questions or none. 404: one belongs to somebody else. */
export async function deleteFromBank(
  db: Database,
  { actor, now }: WriteContext,
  ids: number[],
): Promise<null | Refusal> {
  const refusal = refuseField('ids', noneChosenFault(ids.length));
  if (refusal) return refusal;
  const own = await ownQuestions(db, actor)
    .select(['question.id', 'question.ques_type', 'question.ques_stem'])
    .where('question.id', 'in', ids)
    .execute();
  if (own.length < ids.length) return missing(missingQuestion);
  await db.deleteFrom('question').where('id', 'in', ids).execute();
  await recordHistoryOfMany(db, {
    actor,
    now,
    record: 'question',
    action: 'delete',
    changes: own.map(({ id, ...before }) => ({ recordId: id, before, after: null })),
  });
  return null;
}

// ---- validation -------------------------------------------------------------------------------------

/** Validates a draft and returns it in its stored form: sanitised and normalised. Publishing homework uses it too. */
export function validateDraft(written: TaggedQuestion): QuestionDraft | Refusal {
  const sent = draftOf(written);
  const fault = complexityFault([sent, ...sent.ques_item].flatMap(textsOf));
  if (fault) return invalid({ ques_stem: [fault] }, fault);
  const draft = normaliseDraft(safeDraft(sent));
  const errors = { ...checkQuestion(draft), ...unstorableIn(sent), ...contradictionsIn(written) };
  return Object.keys(errors).length > 0 ? invalid(errors, draftMessages.incomplete) : draft;
}

/** Returns, by field, content that would be lost in storing. */
function unstorableIn(draft: QuestionDraft, prefix = ''): FieldErrors {
  const fields = [
    ['ques_stem', draft.ques_stem],
    ['ques_analysis', draft.ques_analysis],
    ...(draft.ques_type === 5 ? [['right_answer', draft.right_answer]] : []),
    ...draft.ques_option.map(({ content }, index) => [`ques_option.${index}.content`, content]),
  ];
  const own = fields.flatMap(([field, html = '']) => {
    const fault = droppedContentFault(html);
    return fault ? [[`${prefix}${field}`, [fault]]] : [];
  });
  const parts = draft.ques_item.map((part, index) => unstorableIn(part, `${prefix}ques_item.${index}.`));
  return Object.assign(Object.fromEntries(own), ...parts);
}

type WrittenItem = Omit<TaggedQuestion, 'ques_item'>;

/** Returns errors by field if the ids in `right_answer` contradict the options that are marked as right. */
function contradictionsIn({ ques_item, ...written }: TaggedQuestion): FieldErrors {
  const parts = written.ques_type === 6 ? ques_item : [];
  return Object.fromEntries(
    [written, ...parts].flatMap((one, index): [string, string[]][] =>
      contradicts(one)
        ? [[`${index === 0 ? '' : `ques_item.${index - 1}.`}right_answer`, [draftMessages.contradiction]]]
        : [],
    ),
  );
}

function contradicts({ ques_type, ques_option, right_answer }: WrittenItem): boolean {
  if (!(ques_type >= 1 && ques_type <= 4) || !/^\s*\d+(?:\s*,\s*\d+)*\s*$/.test(right_answer)) return false;
  const right = ques_option.flatMap(({ id, is_right }, index) => (is_right === 1 ? [id || index + 1] : []));
  const named = new Set(right_answer.split(',').map(Number));
  return hasRightOption(ques_option) && (named.size !== right.length || right.some((id) => !named.has(id)));
}

const hasRightOption = (options: WrittenItem['ques_option']): boolean => options.some(({ is_right }) => is_right !== 0);

function draftOf(written: WrittenItem & { ques_item?: WrittenItem[] }): QuestionDraft {
  const ques_type = written.ques_type as QuestionType;
  return {
    ques_type,
    ques_stem: written.ques_stem,
    ques_option: optionsOf(written),
    right_answer: written.right_answer,
    ignore_case: written.ignore_case,
    ques_analysis: written.ques_analysis,
    facility_value: written.facility_value,
    remark: written.remark,
    ...(written.tags !== undefined && { tags: written.tags }),
    ques_item: (written.ques_item ?? []).map(draftOf),
  };
}

/** If no option is marked as right, `right_answer` decides. A true/false question may leave out its options. */
function optionsOf({ ques_type, ques_option, right_answer }: WrittenItem): QuestionOption[] {
  const rightIds = right_answer.split(',').map((id) => Number(id.trim()));
  if (ques_type === 2 && ques_option.length === 0) {
    return judgementOptions(rightIds.length === 1 && (rightIds[0] === 1 || rightIds[0] === 2) ? rightIds[0] : 0);
  }
  const isSaid = hasRightOption(ques_option);
  return ques_option.map(({ id, content, is_right }, index) => {
    const isRight = isSaid ? is_right === 1 : rightIds.includes(id || index + 1);
    return { id: index + 1, content, is_right: isRight ? 1 : 2 };
  });
}

function safeDraft(draft: QuestionDraft): QuestionDraft {
  const { ques_type, right_answer } = draft;
  return {
    ...draft,
    ques_stem: sanitizeRichText(draft.ques_stem),
    ques_option: draft.ques_option.map((option) => ({ ...option, content: sanitizeRichText(option.content) })),
    // The blanks of a fill-in answer are plain text, in which `a<b` is valid.
    right_answer: hasOptions(ques_type) || ques_type === 7 ? right_answer : sanitizeRichText(right_answer),
    ques_analysis: sanitizeRichText(draft.ques_analysis),
    ques_item: draft.ques_item.map(safeDraft),
  };
}

// ---- storing ---------------------------------------------------------------------------------------

interface StoreOptions {
  ownerId: number;
  /** Unix seconds. */
  now: number;
  isPublic?: 0 | 1;
  /** Knowledge point of the question; undefined: an edited question keeps its own. */
  pointId?: number | null;
}

/** Stores a validated draft with its parts; returns its id. */
export async function storeQuestion(db: Database, draft: QuestionDraft, storing: StoreOptions): Promise<number> {
  const { id } = await db
    .insertInto('question')
    .values(rowOf(draft, storing))
    .returning('id')
    .executeTakeFirstOrThrow();
  await storeItems(db, id, draft.ques_item, storing);
  await storeTags(db, storing.ownerId, [{ id, tags: draft.tags }]);
  return id;
}

/** Rows per statement, which SQLite writes in a few milliseconds; other requests run in between. */
const chunk = 100;

/** Stores many validated drafts in order, in batched statements; returns their ids in that order. */
export async function storeQuestions(
  db: Database,
  drafts: readonly QuestionDraft[],
  storing: StoreOptions,
): Promise<number[]> {
  const ids: number[] = [];
  let waiting: QuestionDraft[] = [];
  const flush = async () => {
    if (waiting.length > 0) {
      const stored = await db
        .insertInto('question')
        .values(waiting.map((draft) => rowOf(draft, storing)))
        .returning('id')
        .execute();
      // The ids ascend in the order of the inserted values.
      const added = stored.map(({ id }) => id).sort((one, other) => one - other);
      const tagged = waiting.map(({ tags }, index) => ({ id: added[index] as number, tags }));
      await storeTags(db, storing.ownerId, tagged);
      ids.push(...added);
    }
    waiting = [];
    await othersTurn();
  };
  for (const draft of drafts) {
    if (draft.ques_item.length === 0) waiting.push(draft);
    if (draft.ques_item.length > 0 || waiting.length === chunk) await flush();
    // Parts need the id of their material question, so such a question is stored by itself.
    if (draft.ques_item.length > 0) ids.push(await storeQuestion(db, draft, storing));
  }
  await flush();
  return ids;
}

async function storeItems(
  db: Database,
  parentId: number,
  items: QuestionDraft[],
  storing: StoreOptions,
): Promise<void> {
  for (let from = 0; from < items.length; from += chunk) {
    const rows = items.slice(from, from + chunk).map((item, index) => ({
      ...rowOf(item, { ...storing, pointId: null }),
      parent_id: parentId,
      sort: from + index + 1,
    }));
    await db.insertInto('question').values(rows).execute();
  }
}

function rowOf(draft: QuestionDraft, { ownerId, now, isPublic = 0, pointId = null }: StoreOptions) {
  return {
    owner_id: ownerId,
    is_public: isPublic,
    point_id: pointId,
    parent_id: null as number | null,
    sort: 0,
    ...contentColumns(draft),
    created_at: now,
    updated_at: now,
  };
}

function contentColumns(draft: QuestionDraft) {
  return {
    ques_type: draft.ques_type,
    ques_stem: draft.ques_stem,
    stem_text: plainText(draft.ques_stem),
    ques_option: JSON.stringify(draft.ques_option),
    right_answer: draft.right_answer,
    ignore_case: draft.ignore_case,
    ques_analysis: draft.ques_analysis,
    facility_value: draft.facility_value,
    remark: draft.remark,
  };
}

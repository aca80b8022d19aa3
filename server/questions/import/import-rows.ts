/** Rows of a preview: reading them, and storing corrections so that each can be taken back. */
import type { Insertable, Selectable } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { importMessages, rowConflictMessage } from '../import.rules.ts';
import { normaliseDraft, type QuestionDraft, type QuestionType, questionTypeNames } from '../rules.ts';
import { faultsOf, lacksAnswer, typedAnswer } from './correction-draft.ts';
import { rowsPerStatement } from './duplicates.ts';
import type { ImportNote } from './imported-question.ts';
import { ownImport, previewExpiry, refuseExpiredImport } from './preview-state.ts';

export type StoredRow = Selectable<Tables['question_import_row']>;
type NewRow = Insertable<Tables['question_import_row']>;

/** Distance of two rows in `sort`, so that others fit in between. */
export const rowGap = 1024;

/** Corrections of an import that can be taken back. */
const maxUndo = 30;

export interface CorrectionContext {
  db: Database;
  actor: Actor;
  /** Unix seconds. */
  now: number;
}

export const draftOfRow = ({ draft }: Pick<StoredRow, 'draft'>): QuestionDraft => JSON.parse(draft) as QuestionDraft;
export const notesOf = (json: string): ImportNote[] => JSON.parse(json) as ImportNote[];

/** Locks an import that can be corrected. 404: somebody else's, or expired. 409: not read. */
export async function lockedImport({ db, actor, now }: CorrectionContext, importId: string) {
  const since = await previewExpiry(db, now);
  const found = await forUpdate(db)(
    ownImport(db, actor, importId, since).select(['id', 'status', 'message']),
  ).executeTakeFirst();
  if (!found) return refuseExpiredImport();
  if (found.status !== 2) return conflict(found.status === 1 ? importMessages.reading : found.message);
  return found;
}

/** Returns the row if it still has `version`. 404: no such row. 409: corrected meanwhile; `data` is the stored row. */
export async function rowAsShown(
  db: Database,
  { importId, row, version }: { importId: string; row: number; version: number },
): Promise<StoredRow | Refusal> {
  const found = await rowsOf(db, importId).where('sort', '=', row).executeTakeFirst();
  if (!found) return missing(importMessages.missingRow);
  if (found.version === version) return found;
  return conflict(rowConflictMessage(summaryOf(found)), {
    row,
    version: found.version,
    seen: String(found.version),
    ...standing(found),
  });
}

export const rowsOf = (db: Database, importId: string) =>
  db.selectFrom('question_import_row').selectAll().where('import_id', '=', importId);

const standing = (row: StoredRow) => {
  const draft = draftOfRow(row);
  return {
    ques_type: draft.ques_type,
    answer: typedAnswer(draft),
    score: row.score === null ? null : row.score / 10,
    facility_value: draft.facility_value,
    state: row.state,
  };
};

function summaryOf(row: StoredRow): string {
  const { ques_type, answer, score, facility_value, state } = standing(row);
  if (state === 2) return '已排除';
  return [
    questionTypeNames[ques_type],
    `答案${[...(answer || '空')].slice(0, 30).join('')}`,
    `分值${score ?? '空'}`,
    `难度${facility_value || '空'}`,
  ].join('，');
}

/** Returns the columns of a row that follow from its draft. `errors`: what the file said, kept while it still holds. */
export function contentColumns(draft: QuestionDraft, place: string, errors?: readonly ImportNote[]) {
  const stored = normaliseDraft(draft);
  const faults = errors ?? faultsOf(stored, place);
  return {
    draft: JSON.stringify(stored),
    errors: JSON.stringify(faults),
    is_good: faults.length === 0 ? (1 as const) : (0 as const),
    lacks_answer: lacksAnswer(stored) ? (1 as const) : (0 as const),
    point: stored.point ?? '',
  };
}

export const doubtColumns = (doubts: readonly ImportNote[]) => ({
  doubts: JSON.stringify(doubts),
  doubt_count: doubts.length,
});

/** Fields of a correction that is made for many questions. */
export interface BulkFields {
  ques_type?: QuestionType | undefined;
  facility_value?: number | undefined;
  /** Tenths of a point; null takes it away. */
  score?: number | null | undefined;
  /** Gives short answers that have none this text. */
  empty_answer?: string | undefined;
  /** Path of a knowledge point; '' takes it away. */
  point?: string | undefined;
}

/** Offer to apply the last correction to the unchanged rows of the same section. */
export interface Offer {
  rows: number[];
  fields: BulkFields;
  said: string;
}

interface Change {
  importId: string;
  /** The rows that the correction touches, before and after it. A row that is missing after it is deleted. */
  before: readonly StoredRow[];
  after: readonly StoredRow[];
  said: string;
  offer?: Offer | undefined;
}

/** Stores a correction, and how it is taken back. Call it under the lock of the import. */
export async function storeChange({ db, now }: CorrectionContext, change: Change): Promise<void> {
  const { importId, before, after, said, offer } = change;
  const earlier = new Map(before.map((row) => [row.sort, row]));
  const kept = new Set(after.map(({ sort }) => sort));
  await removeQuestions(
    db,
    importId,
    before.flatMap(({ sort }) => (kept.has(sort) ? [] : [sort])),
  );
  await putQuestions(
    db,
    after.map((row) => ({ ...row, version: (earlier.get(row.sort)?.version ?? 0) + 1 })),
  );
  const { corrections: number } = await db
    .updateTable('question_import')
    .set((eb) => ({ corrections: eb('corrections', '+', 1), updated_at: now }))
    .where('id', '=', importId)
    .returning('corrections')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('question_import_change')
    .values({
      import_id: importId,
      number,
      said,
      undo: JSON.stringify({ rows: before, added: [...kept].filter((sort) => !earlier.has(sort)) }),
      offer: offer ? JSON.stringify(offer) : null,
    })
    .execute();
  await db
    .deleteFrom('question_import_change')
    .where('import_id', '=', importId)
    .where('number', '<=', number - maxUndo)
    .execute();
}

/** Deletes the questions, lines and corrections of an import. */
export async function emptyImport(db: Database, importId: string): Promise<void> {
  await db.deleteFrom('question_import_row').where('import_id', '=', importId).execute();
  await db.deleteFrom('question_import_line').where('import_id', '=', importId).execute();
  await db.deleteFrom('question_import_change').where('import_id', '=', importId).execute();
}

async function removeQuestions(db: Database, importId: string, sorts: readonly number[]): Promise<void> {
  for (let from = 0; from < sorts.length; from += rowsPerStatement) {
    await db
      .deleteFrom('question_import_row')
      .where('import_id', '=', importId)
      .where('sort', 'in', sorts.slice(from, from + rowsPerStatement))
      .execute();
  }
}

async function putQuestions(db: Database, rows: readonly NewRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const some = rows.slice(from, from + rowsPerStatement);
    const { import_id: _id, sort: _sort, ...columns } = some[0] as NewRow;
    await db
      .insertInto('question_import_row')
      .values(some)
      .onConflict((conflicting) =>
        conflicting
          .columns(['import_id', 'sort'])
          .doUpdateSet((eb) =>
            Object.fromEntries(Object.keys(columns).map((name) => [name, eb.ref(`excluded.${name as 'draft'}`)])),
          ),
      )
      .execute();
  }
}

/** Returns the last correction; a refusal if it is not number `number` any more. */
export async function lastChange(db: Database, importId: string, number: number) {
  const last = await db
    .selectFrom('question_import_change')
    .selectAll()
    .where('import_id', '=', importId)
    .orderBy('number', 'desc')
    .executeTakeFirst();
  return last?.number === number
    ? last
    : conflict(importMessages.notLast, last ? { number: last.number, said: last.said } : null);
}

/** Takes back the last correction. 404: no such import. 409: it is not the last one any more. */
export async function undoCorrection(
  context: CorrectionContext,
  importId: string,
  number: number,
): Promise<null | Refusal> {
  const { db, now } = context;
  const locked = await lockedImport(context, importId);
  if (!('id' in locked)) return locked;
  const last = await lastChange(db, importId, number);
  if (!('undo' in last)) return last;
  const { rows, added } = JSON.parse(last.undo) as { rows: StoredRow[]; added: number[] };
  await removeQuestions(db, importId, added);
  // The version goes on, so that a form that was opened between the correction and its undo is a conflict.
  await putQuestions(
    db,
    rows.map((row) => ({ ...row, version: row.version + 2 })),
  );
  await db
    .deleteFrom('question_import_change')
    .where('import_id', '=', importId)
    .where('number', '=', number)
    .execute();
  await db.updateTable('question_import').set({ updated_at: now }).where('id', '=', importId).execute();
  return null;
}

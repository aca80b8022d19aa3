/** Ends an import after its preview: adds the questions to the bank. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { ImportNote } from '../import.contract.ts';
import { importMessages } from '../import.rules.ts';
import type { QuestionDraft } from '../rules.ts';
import { editInBank, recordAddedQuestions, storeQuestions } from '../write.ts';
import { partScoresOf } from './correction-draft.ts';
import { rowsPerStatement } from './duplicates.ts';
import { draftOfRow, emptyImport, type StoredRow } from './import-rows.ts';
import { type FindPoint, pointFinder, storePoints, takePoint } from './points.ts';
import { ownImport, previewExpiry, refuseExpiredImport } from './preview-state.ts';
import { noteText, refusalOfFile } from './refusal.ts';

interface CommitRequest {
  id: string;
  /** `all`: imports only if every question is valid. `good`: imports the valid ones. */
  scope: 'all' | 'good';
  now: number;
}

/** Stores questions in the user's bank, with history rows; returns their ids. */
export async function addToBank(
  db: Database,
  taken: readonly Pick<TakenQuestion, 'draft' | 'pointId'>[],
  { actor, now }: { actor: Actor; now: number },
): Promise<number[]> {
  const drafts = taken.map(({ draft }) => draft);
  const ids = await storeQuestions(db, drafts, { ownerId: actor.id, now });
  await recordAddedQuestions(
    db,
    { actor, now },
    ids.map((id, index) => ({ id, draft: drafts[index] as QuestionDraft })),
  );
  await storePoints(
    db,
    ids.map((id, index) => ({ id, pointId: taken[index]?.pointId ?? null })),
  );
  return ids;
}

/** A question that leaves its preview. */
export interface TakenQuestion {
  draft: QuestionDraft;
  /** Its knowledge point. */
  pointId: number | null;
  /** Points in tenths, one for each part of a material question; null if the file names none. */
  scores: (number | null)[];
  /** Question of the user's bank whose new version it is. */
  replaces: number | null;
}

/** Adds the questions of a preview to the bank: all of them, or the valid ones. */
export async function commitPreview(
  db: Database,
  actor: Actor,
  commitment: CommitRequest,
): Promise<{ imported: number; ids: number[]; scores: (number | null)[][] } | Refusal> {
  const { now } = commitment;
  const taken: TakenQuestion[] = [];
  const ids = await storeImportedQuestions(db, actor, commitment, (questions) => {
    taken.push(...questions);
    return storeInBank(db, questions, { actor, now });
  });
  if (isRefusal(ids)) return ids;
  const scores = taken.map((question) => question.scores.map((tenths) => (tenths === null ? null : tenths / 10)));
  return { imported: ids.length, ids, scores };
}

/** Stores new questions and new versions of replaced ones, in the order of the file. */
async function storeInBank(
  db: Database,
  questions: readonly TakenQuestion[],
  { actor, now }: { actor: Actor; now: number },
): Promise<number[]> {
  const replaced = await Promise.all(
    questions.map(async ({ draft, replaces }) => {
      if (replaces === null) return undefined;
      // A question that was deleted or is invalid as an edit is added instead, so that nothing is lost.
      return isRefusal(await editInBank(db, replaces, draft, { actor, now })) ? undefined : replaces;
    }),
  );
  const added = await addToBank(
    db,
    questions.filter((_, index) => replaced[index] === undefined),
    { actor, now },
  );
  let next = 0;
  return replaced.map((id) => {
    if (id !== undefined) return id;
    next += 1;
    return added[next - 1] as number;
  });
}

/**
 * Ends an import: passes its questions to `store` in chunks, in the order of the file; returns the results. The drafts
 * were sanitized when the file was read, or when they were corrected.
 */
export async function storeImportedQuestions<Stored>(
  db: Database,
  actor: Actor,
  { id, scope, now }: CommitRequest,
  store: (questions: TakenQuestion[]) => Promise<Stored[] | Refusal>,
): Promise<Stored[] | Refusal> {
  const since = await previewExpiry(db, now);
  const found = await forUpdate(db)(ownImport(db, actor, id, since).selectAll()).executeTakeFirst();
  if (!found) return refuseExpiredImport();
  if (found.status === 1) return conflict(importMessages.reading);
  if (found.status === 3) return refusalOfFile([found.message]);
  const faults = scope === 'all' ? await faultsOfPreview(db, found) : [];
  if (faults.length > 0) return refusalOfFile(faults);
  const left = new Set(JSON.parse(found.pictures) as string[]);
  const findPoint = await pointFinder(db);
  const take = (row: TakenRow) => takenQuestion(row, actor, findPoint);
  const stored = await storeValidRows(db, { id, left, take, store });
  if (isRefusal(stored)) return stored;
  if (stored.length === 0) return refusalOfFile([importMessages.nothing]);
  await emptyImport(db, id);
  // The preview expires now; purging it later deletes the file, and pictures of questions that were not imported.
  await db
    .updateTable('question_import')
    .set({ created_at: 0, updated_at: 0, pictures: JSON.stringify([...left]) })
    .where('id', '=', id)
    .execute();
  return stored;
}

async function faultsOfPreview(db: Database, found: { id: string; notes: string }): Promise<string[]> {
  const bad = await db
    .selectFrom('question_import_row')
    .select('errors')
    .where('import_id', '=', found.id)
    .where('is_good', '=', 0)
    .where('state', '=', 1)
    .orderBy('sort')
    .execute();
  const lists = [found.notes, ...bad.map(({ errors }) => errors)];
  return lists.flatMap((list) => (JSON.parse(list) as ImportNote[]).map(noteText));
}

/** Stores the valid rows, and removes their pictures from `left`, the set of pictures to be deleted. */
async function storeValidRows<Stored>(
  db: Database,
  {
    id,
    left,
    take,
    store,
  }: {
    id: string;
    left: Set<string>;
    take: (row: TakenRow) => TakenQuestion;
    store: (questions: TakenQuestion[]) => Promise<Stored[] | Refusal>;
  },
): Promise<Stored[] | Refusal> {
  const stored: Stored[] = [];
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('question_import_row')
      .select(['sort', 'draft', 'score', 'part_scores', 'bank_id', 'replaces'])
      .where('import_id', '=', id)
      .where('is_good', '=', 1)
      .where('state', '=', 1)
      .where('sort', '>', after)
      .orderBy('sort')
      .limit(rowsPerStatement)
      .execute();
    const last = rows.at(-1);
    if (!last) return stored;
    for (const { draft } of rows)
      for (const [, key] of draft.matchAll(/\/files\/([\w/.-]+)/g)) left.delete(key as string);
    const some = await store(rows.map(take));
    if (isRefusal(some)) return some;
    stored.push(...some);
    after = last.sort;
  }
}

type TakenRow = Pick<StoredRow, 'draft' | 'score' | 'part_scores' | 'bank_id' | 'replaces'>;

function takenQuestion(row: TakenRow, actor: Actor, findPoint: FindPoint): TakenQuestion {
  const { draft, pointId } = takePoint(draftOfRow(row), actor, findPoint);
  const parts = JSON.parse(row.part_scores) as (number | null)[];
  const given = draft.ques_item.map((_, index) => parts[index] ?? null);
  return {
    draft,
    pointId,
    scores: draft.ques_type === 6 ? partScoresOf(row.score, given) : [row.score],
    replaces: row.replaces === 1 ? row.bank_id : null,
  };
}

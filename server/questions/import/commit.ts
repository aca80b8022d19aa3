/** Ends an import after its preview: adds the questions to the bank. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { ImportNote } from '../import.contract.ts';
import { importMessages, type QuestionDraft } from '../rules.ts';
import { recordAddedQuestions, storeQuestions } from '../write.ts';
import { rowsPerStatement } from './duplicates.ts';
import { missingPreview, ownImport } from './preview-state.ts';
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
  drafts: readonly QuestionDraft[],
  { actor, now }: { actor: Actor; now: number },
): Promise<number[]> {
  const ids = await storeQuestions(db, drafts, { ownerId: actor.id, now });
  await recordAddedQuestions(
    db,
    { actor, now },
    ids.map((id, index) => ({ id, draft: drafts[index] as QuestionDraft })),
  );
  return ids;
}

/** Adds the questions of a preview to the bank: all of them, or the valid ones. */
export async function commitPreview(
  db: Database,
  actor: Actor,
  commitment: CommitRequest,
): Promise<{ imported: number; ids: number[] } | Refusal> {
  const { now } = commitment;
  const stored = await takeImport(db, actor, commitment, (drafts) => addToBank(db, drafts, { actor, now }));
  if (isRefusal(stored)) return stored;
  return { imported: stored.length, ids: stored };
}

/**
 * Ends an import: passes its questions to `store` in chunks, in the order of the file; returns the results. The drafts
 * were sanitized when the file was read.
 */
export async function takeImport<Stored>(
  db: Database,
  actor: Actor,
  { id, scope, now }: CommitRequest,
  store: (drafts: QuestionDraft[]) => Promise<Stored[] | Refusal>,
): Promise<Stored[] | Refusal> {
  const found = await forUpdate(db)(ownImport(db, actor, id, now).selectAll()).executeTakeFirst();
  if (!found) return missingPreview();
  if (found.status === 1) return conflict(importMessages.reading);
  if (found.status === 3) return refusalOfFile([found.message]);
  const faults = scope === 'all' ? await faultsOfPreview(db, found) : [];
  if (faults.length > 0) return refusalOfFile(faults);
  const left = new Set(JSON.parse(found.pictures) as string[]);
  const stored = await storeValidRows(db, { id, left, store });
  if (isRefusal(stored)) return stored;
  if (stored.length === 0) return refusalOfFile([importMessages.nothing]);
  await db.deleteFrom('question_import_row').where('import_id', '=', id).execute();
  // The preview expires now; purging it later deletes the pictures of questions that were not imported.
  await db
    .updateTable('question_import')
    .set({ created_at: 0, pictures: JSON.stringify([...left]) })
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
    store,
  }: { id: string; left: Set<string>; store: (drafts: QuestionDraft[]) => Promise<Stored[] | Refusal> },
): Promise<Stored[] | Refusal> {
  const stored: Stored[] = [];
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('question_import_row')
      .select(['sort', 'draft'])
      .where('import_id', '=', id)
      .where('is_good', '=', 1)
      .where('sort', '>', after)
      .orderBy('sort')
      .limit(rowsPerStatement)
      .execute();
    const last = rows.at(-1);
    if (!last) return stored;
    for (const { draft } of rows)
      for (const [, key] of draft.matchAll(/\/files\/([\w/.-]+)/g)) left.delete(key as string);
    const some = await store(rows.map(({ draft }) => JSON.parse(draft) as QuestionDraft));
    if (isRefusal(some)) return some;
    stored.push(...some);
    after = last.sort;
  }
}

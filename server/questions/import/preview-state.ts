/** Previews of imports. They are kept for an hour, read page by page, then deleted. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { displayOf } from '../display.ts';
import type { ImportFilter, ImportNote, ImportState } from '../import.contract.ts';
import { importMessages, missingImport, type QuestionDraft } from '../rules.ts';
import type { ImportContext } from './import-context.ts';
import { deleteFiles } from './stored-pictures.ts';

/** Seconds for which a preview is kept. */
const previewLifetime = 60 * 60;

/** Seconds without progress after which the reading process must have died. */
const maxSilence = 120;

/** Deletes expired previews and their unused pictures; returns the number of previews. */
export async function purgePreviews({
  db,
  storage,
  now,
}: Pick<ImportContext, 'db' | 'storage' | 'now'>): Promise<number> {
  const old = await db
    .deleteFrom('question_import')
    .where('created_at', '<=', now - previewLifetime)
    .returning('pictures')
    .execute();
  for (const { pictures } of old) await deleteFiles(storage, JSON.parse(pictures) as string[]);
  return old.length;
}

export const missingPreview = () => missing(missingImport);

/** Selects an import of the user that has not expired. */
export function ownImport(db: Database, actor: Actor, id: string, now: number) {
  return db
    .selectFrom('question_import')
    .where('id', '=', id)
    .where('owner_id', '=', actor.id)
    .where('created_at', '>', now - previewLifetime);
}

/** Returns the state of an import. 404: somebody else's, or expired. */
export async function importState(
  db: Database,
  actor: Actor,
  { id, filter, now }: { id: string; filter: ImportFilter; now: number },
): Promise<ImportState | Refusal> {
  const found = await ownImport(db, actor, id, now).selectAll().executeTakeFirst();
  if (!found) return missingPreview();
  const silent = found.status === 1 && now - found.updated_at > maxSilence;
  const counts = await db
    .selectFrom('question_import_row')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.coalesce(eb.fn.sum<number>('is_good'), eb.lit(0)).as('good'),
      eb.fn
        .coalesce(eb.fn.sum<number>(eb.case().when('losses', '<>', '[]').then(1).else(0).end()), eb.lit(0))
        .as('lossy'),
    ])
    .where('import_id', '=', id)
    .executeTakeFirstOrThrow();
  const matching = filter.only === 1 ? counts.total - counts.good : counts.total;
  let rows = db.selectFrom('question_import_row').selectAll().where('import_id', '=', id);
  if (filter.only === 1) rows = rows.where('is_good', '=', 0);
  const { list, ...range } = await pageOf(matching, filter, rows.orderBy('sort'));
  return {
    import_id: id,
    file_name: found.file_name,
    status: silent ? 3 : found.status,
    percent: found.percent,
    message: silent ? importMessages.interrupted : found.message,
    notes: JSON.parse(found.notes) as ImportNote[],
    ...counts,
    rows: {
      list: list.map((row) => {
        const { ques_item, ...draft } = JSON.parse(row.draft) as QuestionDraft;
        return {
          sort: row.sort,
          place: row.place,
          ...shownPart(draft),
          facility_value: draft.facility_value,
          remark: draft.remark,
          ques_item: ques_item.map(shownPart),
          errors: JSON.parse(row.errors) as ImportNote[],
          losses: JSON.parse(row.losses) as ImportNote[],
        };
      }),
      ...range,
    },
  };
}

const shownPart = (draft: Omit<QuestionDraft, 'ques_item'>) => ({
  ques_type: draft.ques_type,
  ques_option: draft.ques_option.map(({ is_right }) => ({ is_right })),
  ignore_case: draft.ignore_case,
  display: displayOf(draft),
});

/** Discards a preview. 404: somebody else's, or expired. */
export async function dropPreview(
  db: Database,
  actor: Actor,
  { id, now }: { id: string; now: number },
): Promise<null | Refusal> {
  const { numUpdatedRows } = await db
    .updateTable('question_import')
    // The preview expires now; purging it later deletes its pictures.
    .set({ created_at: 0 })
    .where('id', '=', id)
    .where('owner_id', '=', actor.id)
    .where('created_at', '>', now - previewLifetime)
    .executeTakeFirst();
  return numUpdatedRows === 0n ? missingPreview() : null;
}

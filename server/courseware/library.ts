/** The courseware library: its list and categories, and changes by the user who uploaded the material. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, newRecordId, recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import type { EditedMaterial, MaterialFilter, MaterialRow } from './contract.ts';
import { fileAddress } from './file.ts';
import {
  coursewareMessages,
  editFault,
  type MaterialType,
  materialDescLimit,
  materialNameFault,
  missingMaterial,
  removeFault,
} from './rules.ts';
import { visibleMaterials } from './visible.ts';

/** Lists the material of the library, newest first. */
export async function materialPage(db: Database, actor: Actor, filter: MaterialFilter) {
  const { ware_name, classify_id, ware_type } = filter;
  let matching = visibleMaterials(db, actor);
  if (ware_name !== undefined) matching = matching.where(nameContains('courseware.ware_name', ware_name));
  if (classify_id !== undefined) matching = matching.where('courseware.classify_id', '=', classify_id);
  if (ware_type !== undefined) matching = matching.where('courseware.ware_type', '=', ware_type);
  if (filter.is_own === 1) matching = matching.where('courseware.owner_id', '=', actor.id);
  const { list: rows, ...range } = await pageOf(
    matching,
    filter,
    withFile(matching).orderBy('courseware.updated_at', 'desc').orderBy('courseware.id', 'desc'),
  );
  return { list: rows.map((row) => materialRow(row, actor)), ...range };
}

/** Returns one material. 404: the actor does not see it. */
export async function materialOf(db: Database, actor: Actor, id: number): Promise<MaterialRow | Refusal> {
  const row = await withFile(visibleMaterials(db, actor)).where('courseware.id', '=', id).executeTakeFirst();
  return row ? materialRow(row, actor) : noMaterial();
}

const withFile = (materials: ReturnType<typeof visibleMaterials>) =>
  materials
    .innerJoin('ware_file', 'ware_file.id', 'courseware.file_id')
    .leftJoin('ware_classify', 'ware_classify.id', 'courseware.classify_id')
    .select([
      'courseware.id',
      'courseware.owner_id',
      'courseware.ware_name',
      'courseware.ware_desc',
      'courseware.ware_type',
      'courseware.classify_id',
      'courseware.updated_at',
      'ware_file.id as fid',
      'ware_file.name as ware_filename',
      'ware_file.size as file_size',
      'ware_classify.name as classify_name',
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof withFile>['executeTakeFirstOrThrow']>>;

function materialRow({ owner_id, ...row }: Row, actor: Actor): MaterialRow {
  return {
    ...row,
    ware_id: row.id,
    ware_url: fileAddress(row.fid),
    classify_id: row.classify_id ?? 0,
    classify_name: row.classify_name ?? '',
    ware_type: row.ware_type,
    is_owner: owner_id === actor.id ? 1 : 0,
  };
}

export async function listCoursewareCategories(db: Database) {
  return db
    .selectFrom('ware_classify')
    .select(['id', 'name as classify_name'])
    .where('put_away_at', 'is', null)
    .orderBy('sort')
    .orderBy('id')
    .execute();
}

// ---- changing ---------------------------------------------------------------------------------------

const noMaterial = () => missing(missingMaterial);

/** Puts a name on one line. */
export const tidyName = (text: string) => text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
export const tidyText = (text: string) =>
  text
    .replaceAll('\r\n', '\n')
    .replace(/[^\P{Cc}\n]+/gu, ' ')
    .trim();

/** Validates material of the library; returns messages by field. */
export async function materialFaults(db: Database, material: EditedMaterial): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  const nameFault = materialNameFault(material.ware_name);
  if (nameFault) errors.ware_name = [nameFault];
  if (lengthOf(material.ware_desc) > materialDescLimit) errors.ware_desc = [coursewareMessages.descLength];
  const classify =
    material.classify_id !== undefined &&
    (await db.selectFrom('ware_classify').select('id').where('id', '=', material.classify_id).executeTakeFirst());
  if (!classify) errors.classify_id = [coursewareMessages.choose];
  return errors;
}

/** Changes material. 404: not in the actor's library. 403: it is the school's. 422: errors by field. */
export async function changeMaterial(
  db: Database,
  { actor, now }: { actor: Actor; now: number },
  id: number,
  sent: EditedMaterial,
): Promise<null | Refusal> {
  const refusal = await refuseStranger(db, actor, id, editFault);
  if (refusal) return refusal;
  const material = { ...sent, ware_name: tidyName(sent.ware_name), ware_desc: tidyText(sent.ware_desc) };
  const errors = await materialFaults(db, material);
  if (Object.keys(errors).length > 0) return invalid(errors);
  const known = await forUpdate(db)(
    db.selectFrom('courseware').select(['ware_name', 'ware_desc', 'classify_id']).where('id', '=', id),
  ).executeTakeFirst();
  if (!known) return noMaterial();
  await db
    .updateTable('courseware')
    .set({ ...material, updated_at: now })
    .where('id', '=', id)
    .execute();
  const { names, before, after } = changedFields<Partial<EditedMaterial>>(
    { ...known, classify_id: known.classify_id ?? undefined },
    material,
  );
  if (names.length > 0)
    await recordHistory(db, { actor, now, record: 'courseware', recordId: id, action: 'edit', before, after });
  return null;
}

/** Removes material from the library. 404: not in the actor's library. 403: it is the school's. */
export async function deleteMaterialOf(
  db: Database,
  { actor, now }: { actor: Actor; now: number },
  id: number,
): Promise<null | Refusal> {
  const refusal = await refuseStranger(db, actor, id, removeFault);
  if (refusal) return refusal;
  // Records the history before the deletion, because the history looks up the school in the material's row.
  const before = await forUpdate(db)(
    db.selectFrom('courseware').select(['ware_name', 'file_id']).where('id', '=', id),
  ).executeTakeFirst();
  if (!before) return noMaterial();
  await recordHistory(db, { actor, now, record: 'courseware', recordId: id, action: 'delete', before, after: null });
  await db.deleteFrom('courseware').where('id', '=', id).execute();
  return null;
}

async function refuseStranger(
  db: Database,
  actor: Actor,
  id: number,
  faultOf: (material: { is_owner: number }) => string | undefined,
): Promise<Refusal | undefined> {
  const material = await visibleMaterials(db, actor)
    .select('courseware.owner_id')
    .where('courseware.id', '=', id)
    .executeTakeFirst();
  if (!material) return noMaterial();
  return refuseFor('forbidden', faultOf({ is_owner: material.owner_id === actor.id ? 1 : 0 }));
}

/** Adds an upload to the library as the actor's own material; returns its id. */
export async function addMaterial(
  db: Database,
  { actor, now }: { actor: Actor; now: number },
  material: { ware_name: string; ware_desc: string; ware_type: MaterialType; classify_id: number | null; fid: number },
): Promise<number> {
  const { fid, ...fields } = material;
  const unused = await newRecordId(db, 'courseware', () => lastMaterial(db));
  const { id } = await db
    .insertInto('courseware')
    .values({
      ...unused,
      ...fields,
      file_id: fid,
      school_id: actor.schoolId,
      owner_id: actor.id,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const after = { ware_name: fields.ware_name, file_id: fid };
  await recordHistory(db, { actor, now, record: 'courseware', recordId: id, action: 'add', before: null, after });
  return id;
}

async function lastMaterial(db: Database): Promise<number> {
  const { last } = await db
    .selectFrom('courseware')
    .select((eb) => eb.fn.max<number | null>('id').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

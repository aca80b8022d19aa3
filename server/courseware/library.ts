/** The courseware library: its list, its categories, and what the owner of an upload may do. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, recordHistory, unusedId } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { named } from '#server/platform/db/search.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import type { EditedWare, WareFilter, WareRow } from './contract.ts';
import { fileAddress } from './file.ts';
import {
  coursewareMessages,
  editFault,
  missingWare,
  removeFault,
  type WareType,
  wareDescLimit,
  wareNameFault,
} from './rules.ts';
import { visibleWares } from './visible.ts';

/** One page of the library, the newest first. */
export async function warePage(db: Database, actor: Actor, filter: WareFilter) {
  const { ware_name, classify_id, ware_type } = filter;
  let matching = visibleWares(db, actor);
  if (ware_name !== undefined) matching = matching.where(named('courseware.ware_name', ware_name));
  if (classify_id !== undefined) matching = matching.where('courseware.classify_id', '=', classify_id);
  if (ware_type !== undefined) matching = matching.where('courseware.ware_type', '=', ware_type);
  if (filter.is_own === 1) matching = matching.where('courseware.owner_id', '=', actor.id);
  const { list: rows, ...range } = await pageOf(
    matching,
    filter,
    withFile(matching).orderBy('courseware.updated_at', 'desc').orderBy('courseware.id', 'desc'),
  );
  return { list: rows.map((row) => wareRow(row, actor)), ...range };
}

/** Refused: 404. */
export async function wareOf(db: Database, actor: Actor, id: number): Promise<WareRow | Refusal> {
  const row = await withFile(visibleWares(db, actor)).where('courseware.id', '=', id).executeTakeFirst();
  return row ? wareRow(row, actor) : noWare();
}

const withFile = (wares: ReturnType<typeof visibleWares>) =>
  wares
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

function wareRow({ owner_id, ...row }: Row, actor: Actor): WareRow {
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

export async function classifies(db: Database) {
  return db
    .selectFrom('ware_classify')
    .select(['id', 'name as classify_name'])
    .where('put_away_at', 'is', null)
    .orderBy('sort')
    .orderBy('id')
    .execute();
}

// ---- changing ---------------------------------------------------------------------------------------

const noWare = () => missing(missingWare);

/** One line: names stand in lists. */
export const tidyName = (text: string) => text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
export const tidyText = (text: string) =>
  text
    .replaceAll('\r\n', '\n')
    .replace(/[^\P{Cc}\n]+/gu, ' ')
    .trim();

/** The fields of a ware of the library, with a message at each that breaks a rule. */
export async function wareFaults(db: Database, ware: EditedWare): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  const nameFault = wareNameFault(ware.ware_name);
  if (nameFault) errors.ware_name = [nameFault];
  if (lengthOf(ware.ware_desc) > wareDescLimit) errors.ware_desc = [coursewareMessages.descLength];
  const classify =
    ware.classify_id !== undefined &&
    (await db.selectFrom('ware_classify').select('id').where('id', '=', ware.classify_id).executeTakeFirst());
  if (!classify) errors.classify_id = [coursewareMessages.choose];
  return errors;
}

/** Refused: 404 not in the actor's library, 403 the school's ware, 422 by field. */
export async function changeWare(
  db: Database,
  { actor, now }: { actor: Actor; now: number },
  id: number,
  sent: EditedWare,
): Promise<null | Refusal> {
  const refusal = await refuseStranger(db, actor, id, editFault);
  if (refusal) return refusal;
  const ware = { ...sent, ware_name: tidyName(sent.ware_name), ware_desc: tidyText(sent.ware_desc) };
  const errors = await wareFaults(db, ware);
  if (Object.keys(errors).length > 0) return invalid(errors);
  const known = await forUpdate(db)(
    db.selectFrom('courseware').select(['ware_name', 'ware_desc', 'classify_id']).where('id', '=', id),
  ).executeTakeFirst();
  if (!known) return noWare();
  await db
    .updateTable('courseware')
    .set({ ...ware, updated_at: now })
    .where('id', '=', id)
    .execute();
  const { names, before, after } = changedFields<Partial<EditedWare>>(
    { ...known, classify_id: known.classify_id ?? undefined },
    ware,
  );
  if (names.length > 0)
    await recordHistory(db, { actor, now, record: 'courseware', recordId: id, action: 'edit', before, after });
  return null;
}

/** Refused: 404 not in the actor's library, 403 the school's ware. */
export async function dropWare(
  db: Database,
  { actor, now }: { actor: Actor; now: number },
  id: number,
): Promise<null | Refusal> {
  const refusal = await refuseStranger(db, actor, id, removeFault);
  if (refusal) return refusal;
  // Before it goes: the database asks the ware for its school.
  const before = await forUpdate(db)(
    db.selectFrom('courseware').select(['ware_name', 'file_id']).where('id', '=', id),
  ).executeTakeFirst();
  if (!before) return noWare();
  await recordHistory(db, { actor, now, record: 'courseware', recordId: id, action: 'delete', before, after: null });
  await db.deleteFrom('courseware').where('id', '=', id).execute();
  return null;
}

async function refuseStranger(
  db: Database,
  actor: Actor,
  id: number,
  faultOf: (ware: { is_owner: number }) => string | undefined,
): Promise<Refusal | undefined> {
  const ware = await visibleWares(db, actor)
    .select('courseware.owner_id')
    .where('courseware.id', '=', id)
    .executeTakeFirst();
  if (!ware) return noWare();
  return refuseFor('forbidden', faultOf({ is_owner: ware.owner_id === actor.id ? 1 : 0 }));
}

/** Adds an upload to the actor's part of the library; returns its id. */
export async function addWare(
  db: Database,
  { actor, now }: { actor: Actor; now: number },
  ware: { ware_name: string; ware_desc: string; ware_type: WareType; classify_id: number | null; fid: number },
): Promise<number> {
  const { fid, ...fields } = ware;
  const unused = await unusedId(db, 'courseware', () => lastWare(db));
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

async function lastWare(db: Database): Promise<number> {
  const { last } = await db
    .selectFrom('courseware')
    .select((eb) => eb.fn.max<number | null>('id').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

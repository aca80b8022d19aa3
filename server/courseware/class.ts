/**
 * Courseware of a state-school class. Everybody who sees the class manages it; every change is recorded in the history.
 */

import { refuseClass } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { AnswerWithMessage, TransactionWork } from '#server/platform/calls/bind.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { invalid, missing, Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, recordHistory, recordHistoryOfMany } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import { memoizePerPage } from '#server/platform/db/page-cache.ts';
import type { UploadedFile } from '#server/platform/files/upload.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { ClassMaterial, ClassMaterialFilter, SentClassMaterial, uploadClassMaterial } from './contract.ts';
import { fileAddress, fileOfAddress, storeUploadedFile } from './file.ts';
import { parseMaterialType } from './lesson.ts';
import { materialFaults, tidyName, tidyText } from './library.ts';
import {
  acceptedExtensions,
  addCountFault,
  coursewareMessages,
  type MaterialType,
  materialTypes,
  missingMaterial,
} from './rules.ts';
import { visibleClassMaterials, visibleMaterials } from './visible.ts';

type MaterialContext = RuleContext<'storage' | 'actor' | 'now'>;

const noMaterial = () => missing(missingMaterial);

/** Lists the courseware of a class, newest first. 404: the actor does not see the class. */
export async function classMaterialPage(db: Database, actor: Actor, filter: ClassMaterialFilter) {
  const { class_id } = filter;
  const refusal = await refuseClass(db, actor, class_id);
  if (refusal || class_id === undefined) return refusal as Refusal;
  const materials = db.selectFrom('class_ware').where('class_ware.class_id', '=', class_id);
  const total = await memoizePerPage(db, `wares of class ${class_id}`, () => countOf(materials));
  const { list: rows, ...range } = await pageOf(
    total,
    filter,
    withFile(materials).orderBy('class_ware.created_at', 'desc').orderBy('class_ware.id', 'desc'),
  );
  return { list: rows.map(materialRow), ...range };
}

/** Returns one material of a class. 404: the actor does not see it. */
export async function classMaterialOf(db: Database, actor: Actor, id: number): Promise<ClassMaterial | Refusal> {
  const row = await withFile(visibleClassMaterials(db, actor)).where('class_ware.id', '=', id).executeTakeFirst();
  return row ? materialRow(row) : noMaterial();
}

const withFile = (materials: ReturnType<typeof visibleClassMaterials>) =>
  materials
    .innerJoin('ware_file', 'ware_file.id', 'class_ware.file_id')
    .innerJoin('staff', 'staff.id', 'class_ware.added_by')
    .leftJoin('ware_classify', 'ware_classify.id', 'class_ware.classify_id')
    .select([
      'class_ware.id',
      'class_ware.class_id',
      'class_ware.courseware_id',
      'class_ware.ware_name',
      'class_ware.ware_desc',
      'class_ware.ware_type',
      'class_ware.classify_id',
      'class_ware.updated_at',
      'ware_classify.name as classify_name',
      'staff.real_name as nickname',
      'ware_file.id as fid',
      'ware_file.name as ware_filename',
      'ware_file.size as file_size',
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof withFile>['executeTakeFirstOrThrow']>>;

const materialRow = ({ courseware_id, ...row }: Row): ClassMaterial => ({
  ...row,
  ware_id: courseware_id ?? 0,
  ware_url: fileAddress(row.fid),
  classify_id: row.classify_id ?? 0,
  classify_name: row.classify_name ?? '',
  ware_type: row.ware_type,
});

// ---- changing ---------------------------------------------------------------------------------------

interface CheckedMaterial {
  ware_name: string;
  ware_desc: string;
  ware_type: MaterialType;
  classify_id: number | null;
  fid: number;
}

/** Adds material that was validated to a class that the actor sees. */
async function insertClassMaterial(
  { db, actor, now }: Omit<MaterialContext, 'storage'>,
  classId: number,
  { fid, ...material }: CheckedMaterial,
): Promise<void> {
  const { id } = await db
    .insertInto('class_ware')
    .values({
      ...material,
      class_id: classId,
      file_id: fid,
      courseware_id: null,
      added_by: actor.id,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await noteAdded(db, { actor, now, classId }, [{ id, file_id: fid, ware_name: material.ware_name }]);
}

const noteAdded = (
  db: Database,
  { actor, now, classId }: { actor: Actor; now: number; classId: number },
  materials: readonly { id: number; file_id: number; ware_name: string }[],
) =>
  recordHistoryOfMany(db, {
    actor,
    now,
    record: 'class_ware',
    action: 'add',
    changes: materials.map(({ id, ...material }) => ({
      recordId: id,
      before: null,
      after: { class_id: classId, ...material },
    })),
  });

/** Validates and tidies the fields of a form. 422: errors by field. */
async function readMaterial(context: MaterialContext, sent: SentClassMaterial): Promise<CheckedMaterial | Refusal> {
  const material = {
    ware_name: tidyName(sent.ware_name),
    ware_desc: tidyText(sent.ware_desc),
    classify_id: sent.classify_id,
  };
  const errors = await materialFaults(context.db, material);
  const ware_type = materialTypes.find((type) => type === Number(sent.ware_type));
  if (ware_type === undefined) errors.ware_type = [coursewareMessages.choose];
  const file =
    ware_type &&
    (await fileOfAddress(context, sent.ware_url, { name: material.ware_name, type: ware_type, field: 'ware_url' }));
  if (file instanceof Refusal) Object.assign(errors, file.errors);
  else if (file === undefined && (ware_type !== undefined || sent.ware_url === '')) {
    errors.ware_url = [coursewareMessages.choose];
  }
  if (ware_type === undefined || typeof file !== 'number' || Object.keys(errors).length > 0) return invalid(errors);
  return { ...material, classify_id: material.classify_id ?? null, ware_type, fid: file };
}

/** Adds material to a class. 404: the actor does not see the class. 422: errors by field. */
export async function addToClass(
  context: MaterialContext,
  classId: number | undefined,
  sent: SentClassMaterial,
): Promise<null | Refusal> {
  const refusal = await refuseClass(context.db, context.actor, classId);
  if (refusal || classId === undefined) return refusal as Refusal;
  const material = await readMaterial(context, sent);
  if (material instanceof Refusal) return material;
  await insertClassMaterial(context, classId, material);
  return null;
}

/** Changes material of a class. 404: the actor does not see the class. 422: errors by field. */
export async function changeClassMaterial(
  context: MaterialContext,
  id: number,
  sent: SentClassMaterial,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const known = await visibleClassMaterials(db, actor)
    .select('class_ware.id')
    .where('class_ware.id', '=', id)
    .executeTakeFirst();
  if (!known) return noMaterial();
  const material = await readMaterial(context, sent);
  if (material instanceof Refusal) return material;
  return change({ db, actor, now }, id, material);
}

async function change(
  { db, actor, now }: Omit<MaterialContext, 'storage'>,
  id: number,
  { fid, ...sent }: CheckedMaterial,
): Promise<null | Refusal> {
  const material = { ...sent, file_id: fid };
  const known = await forUpdate(db)(
    db
      .selectFrom('class_ware')
      .select(['ware_name', 'ware_desc', 'classify_id', 'ware_type', 'file_id'])
      .where('id', '=', id),
  ).executeTakeFirst();
  if (!known) return noMaterial();
  await db
    .updateTable('class_ware')
    .set({ ...material, updated_at: now })
    .where('id', '=', id)
    .execute();
  const { names, before, after } = changedFields(known, material);
  if (names.length > 0)
    await recordHistory(db, { actor, now, record: 'class_ware', recordId: id, action: 'edit', before, after });
  return null;
}

/**
 * Stores the form that adds or edits material, with its file. Refuses a file as `storeUploadedFile` does. 404: the actor does
 * not see the class or the material. 422: errors by field.
 */
export async function storeUploadRows(
  { files: [file], ...context }: MaterialContext & { files: UploadedFile[] },
  body: BodyOf<typeof uploadClassMaterial>,
): Promise<Refusal | TransactionWork<Refusal | AnswerWithMessage<null>>> {
  const { db, actor, now } = context;
  const place = await placeOf(db, actor, body);
  if (place instanceof Refusal) return place;
  const material = {
    ware_name: tidyName(body.ware_name),
    ware_desc: tidyText(body.ware_desc),
    classify_id: body.classify_id,
  };
  const errors = await materialFaults(db, material);
  const type = parseMaterialType(body.ware_type);
  if (type === undefined) errors.ware_type = [coursewareMessages.choose];
  if (!file && !place.ware) errors.file = [coursewareMessages.choose];
  if (!file && type && place.ware && !acceptedExtensions(type, 'lesson').includes(place.ware.extension)) {
    errors.file = [coursewareMessages.wrongType];
  }
  if (type === undefined || Object.keys(errors).length > 0) return invalid(errors);

  const taken = file || !place.ware ? await storeUploadedFile(context, file, { type, place: 'lesson' }) : place.ware;
  if (taken instanceof Refusal) return taken;
  const kept = { ...material, classify_id: material.classify_id ?? null, ware_type: type, fid: taken.fid };
  return new TransactionWork(async (trx) => {
    if (!place.ware) {
      await insertClassMaterial({ db: trx, actor, now }, place.classId, kept);
      return new AnswerWithMessage(null, { msg: '添加成功' });
    }
    return (
      (await change({ db: trx, actor, now }, place.ware.id, kept)) ?? new AnswerWithMessage(null, { msg: '编辑成功' })
    );
  });
}

/** Returns where an upload belongs: a visible class, or existing material of one. */
async function placeOf(db: Database, actor: Actor, { id, class_id }: { id?: number; class_id?: number }) {
  if (id === undefined) {
    const refusal = await refuseClass(db, actor, class_id);
    return refusal ?? { classId: class_id as number, ware: undefined };
  }
  const material = await visibleClassMaterials(db, actor)
    .innerJoin('ware_file', 'ware_file.id', 'class_ware.file_id')
    .select(['class_ware.id', 'class_ware.class_id', 'ware_file.id as fid', 'ware_file.extension'])
    .where('class_ware.id', '=', id)
    .executeTakeFirst();
  return material ? { classId: material.class_id, ware: material } : noMaterial();
}

/** Removes material from a class. 404: the actor does not see the class. */
export async function dropClassMaterial(
  { db, actor, now }: Omit<MaterialContext, 'storage'>,
  id: number,
): Promise<null | Refusal> {
  const before = await visibleClassMaterials(db, actor)
    .select(['class_ware.class_id', 'class_ware.file_id', 'class_ware.ware_name'])
    .where('class_ware.id', '=', id)
    .executeTakeFirst();
  if (!before) return noMaterial();
  await db.deleteFrom('class_ware').where('id', '=', id).execute();
  await recordHistory(db, { actor, now, record: 'class_ware', recordId: id, action: 'remove', before, after: null });
  return null;
}

/**
 * Adds material of the library to a class, all of it or none. Material that the class already has is skipped. 404: the
 * actor does not see the class or a material. 422: none or too many chosen.
 */
export async function addLibraryMaterialsToClass(
  { db, actor, now }: Omit<MaterialContext, 'storage'>,
  classId: number | undefined,
  wareIds: readonly number[],
): Promise<null | Refusal> {
  const refusal = await refuseClass(db, actor, classId);
  if (refusal || classId === undefined) return refusal as Refusal;
  const fault = addCountFault(wareIds.length);
  if (fault) return invalid({ ware_ids: [fault] });
  const materials = await visibleMaterials(db, actor)
    .select(['courseware.id', 'courseware.file_id', 'courseware.ware_name', 'courseware.ware_desc'])
    .select(['courseware.ware_type', 'courseware.classify_id'])
    .where('courseware.id', 'in', wareIds)
    .orderBy('courseware.id')
    .execute();
  if (materials.length < wareIds.length) return noMaterial();
  const added = await db
    .insertInto('class_ware')
    .values(
      materials.map(({ id, ...material }) => ({
        ...material,
        class_id: classId,
        courseware_id: id,
        added_by: actor.id,
        created_at: now,
        updated_at: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['class_id', 'courseware_id']).doNothing())
    .returning(['id', 'file_id', 'ware_name'])
    .execute();
  await noteAdded(db, { actor, now, classId }, added);
  return null;
}

/**
 * Courseware of a scheduled lesson. Lessons of both types are in one table, so that `times_id` identifies a lesson;
 * `times_type` (1 one-to-one, 3 group class) is only returned.
 */

import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { RuleContext } from '#server/school/context.ts';
import { sessionsOf } from '#server/school/staff-duties.ts';
import { materialFault, missingSession, sessionStatus } from '#server/sessions/rules.ts';
import type { AttachBody, LessonMaterial, SentMaterial } from './contract.ts';
import { fileAddress, fileOfAddress } from './file.ts';
import { addMaterial, tidyName } from './library.ts';
import {
  addCountFault,
  coursewareMessages,
  detachFault,
  type MaterialType,
  materialNameFault,
  materialTypes,
  missingMaterial,
} from './rules.ts';
import { visibleLessonMaterials, visibleMaterials } from './visible.ts';

const noLesson = () => missing(missingSession);

/** True if the actor teaches or assists the lesson. */
async function isOwnLesson(db: Database, actor: Actor, id: number): Promise<boolean> {
  return (await sessionsOf(db, actor).where('class_session.id', '=', id).executeTakeFirst()) !== undefined;
}

/**
 * Refuses a lesson whose material the actor may not change. 422: no lesson given. 404: not a lesson of the actor. 409:
 * cancelled.
 */
export async function refuseLesson(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  id: number | undefined,
): Promise<Refusal | undefined> {
  if (id === undefined) return invalid({ times_id: [coursewareMessages.lesson] });
  const lesson = await db
    .selectFrom('class_session')
    .select(['start_time', 'end_time', 'cancelled_at'])
    .where('id', '=', id)
    .where('id', 'in', sessionsOf(db, actor))
    .executeTakeFirst();
  if (!lesson) return noLesson();
  return refuseFor('conflict', materialFault({ status: sessionStatus(lesson, now) }));
}

/** Lists the material of a lesson in the order of adding. 404: not a lesson of the actor. */
export async function lessonMaterials(
  db: Database,
  actor: Actor,
  sessionId: number | undefined,
): Promise<LessonMaterial[] | Refusal> {
  if (sessionId === undefined || !(await isOwnLesson(db, actor, sessionId))) return noLesson();
  const rows = await visibleLessonMaterials(db, actor)
    .innerJoin('ware_file', 'ware_file.id', 'lesson_ware.file_id')
    .innerJoin('staff', 'staff.id', 'lesson_ware.added_by')
    .innerJoin('class_session', 'class_session.id', 'lesson_ware.session_id')
    .innerJoin('class', 'class.id', 'class_session.class_id')
    .select([
      'lesson_ware.id',
      'lesson_ware.courseware_id',
      'lesson_ware.ware_name',
      'lesson_ware.ware_type',
      'lesson_ware.is_sync',
      'lesson_ware.added_by',
      'lesson_ware.created_at',
      'ware_file.id as fid',
      'ware_file.name as ware_filename',
      'ware_file.size as file_size',
      'staff.real_name as nickname',
      'class.class_type as times_type',
    ])
    .where('lesson_ware.session_id', '=', sessionId)
    .orderBy('lesson_ware.id')
    .execute();
  return rows.map(({ courseware_id, added_by, ...row }) => ({
    ...row,
    ware_id: courseware_id ?? 0,
    ware_url: fileAddress(row.fid),
    ware_type: row.ware_type,
    is_sync: row.is_sync,
    times_id: sessionId,
    is_owner: added_by === actor.id ? 1 : 0,
  }));
}

type LessonContext = RuleContext<'storage' | 'actor' | 'now'>;

/**
 * Adds material to a lesson, all of it or none. Material of the library that the lesson already has is skipped. 422:
 * errors by field (`ware_info.0.ware_url`). 404: the lesson or a material is not the actor's.
 */
export async function attachToLesson(attaching: LessonContext, body: AttachBody): Promise<null | Refusal> {
  const ids = [...new Set(body.ware_id.split(',').map((part) => part.trim()))].filter((part) => part !== '');
  const { ware_info: uploads } = body;
  const errors: FieldErrors = {};
  if (body.times_id === undefined) errors.times_id = [coursewareMessages.lesson];
  const fault = addCountFault(ids.length + uploads.length);
  if (fault) errors.ware_id = [fault];
  const read = errors.ware_id ? [] : uploads.map((sent, index) => readUpload(sent, `ware_info.${index}.`, errors));
  const refusal = body.times_id === undefined ? undefined : await refuseLesson(attaching, body.times_id);
  if (refusal) return refusal;
  const files: { upload: ReadUpload; fid: number }[] = [];
  for (const [index, upload] of read.entries()) {
    if (!upload) continue;
    const field = `ware_info.${index}.ware_url`;
    const fid = await fileOfAddress(attaching, upload.ware_url, {
      name: upload.ware_name,
      type: upload.ware_type,
      field,
    });
    if (typeof fid === 'number') files.push({ upload, fid });
    else Object.assign(errors, fid?.errors ?? { [field]: [coursewareMessages.choose] });
  }
  if (body.times_id === undefined || Object.keys(errors).length > 0) return invalid(errors);

  const lesson = { ...attaching, sessionId: body.times_id };
  const chosen = await attachChosen(lesson, ids);
  if (chosen) return chosen;
  for (const { upload, fid } of files) await attachUpload(lesson, { ...upload, fid });
  return null;
}

interface ReadUpload {
  ware_name: string;
  ware_type: MaterialType;
  ware_url: string;
  is_sync: 1 | 2;
}

/** Validates one upload. If a field is missing, adds to `errors` and returns undefined. */
function readUpload(sent: SentMaterial, at: string, errors: FieldErrors): ReadUpload | undefined {
  const ware_name = tidyName(sent.ware_name);
  const is_sync = parseIsSync(sent.is_sync);
  const nameFault = materialNameFault(ware_name);
  if (nameFault) errors[`${at}ware_name`] = [nameFault];
  const ware_type = parseMaterialType(sent.ware_type);
  const { ware_url } = sent;
  if (ware_type === undefined) errors[`${at}ware_type`] = [coursewareMessages.choose];
  if (ware_url === '') errors[`${at}ware_url`] = [coursewareMessages.choose];
  if (is_sync === undefined) errors[`${at}is_sync`] = [coursewareMessages.choose];
  if (ware_name === '' || ware_type === undefined || ware_url === '' || is_sync === undefined) return undefined;
  return { ware_name, ware_type, ware_url, is_sync };
}

/** Parses `is_sync`: 2 by default, undefined if invalid. */
export function parseIsSync(sent: string | number): 1 | 2 | undefined {
  if (sent === '') return 2;
  return String(sent) === '1' ? 1 : String(sent) === '2' ? 2 : undefined;
}

/** Parses `ware_type`: 1 by default, undefined if invalid. */
export function parseMaterialType(sent: string | number): MaterialType | undefined {
  return sent === '' ? 1 : materialTypes.find((type) => type === Number(sent));
}

interface LessonRequest {
  db: Database;
  actor: Actor;
  now: number;
  sessionId: number;
}

/** Records the change in the history of the lesson, because ids of removed material are used again. */
const note = (
  { db, actor, now, sessionId }: LessonRequest,
  action: 'add-ware' | 'remove-ware',
  names: readonly string[],
) =>
  recordHistory(db, {
    actor,
    now,
    record: 'class_session',
    recordId: sessionId,
    action,
    before: action === 'remove-ware' ? { ware_name: names } : null,
    after: action === 'add-ware' ? { ware_name: names } : null,
  });

async function attachChosen(lesson: LessonRequest, ids: string[]): Promise<Refusal | undefined> {
  const { db, actor, now, sessionId } = lesson;
  if (ids.length === 0) return undefined;
  const numbers = ids.filter((id) => /^[1-9]\d{0,8}$/.test(id)).map(Number);
  const materials = await visibleMaterials(db, actor)
    .select(['courseware.id', 'courseware.file_id', 'courseware.ware_name', 'courseware.ware_type'])
    .where('courseware.id', 'in', [0, ...numbers])
    .execute();
  if (materials.length < ids.length) return missing(missingMaterial);
  const byId = new Map(materials.map((material) => [material.id, material]));
  const added = await db
    .insertInto('lesson_ware')
    .values(
      numbers.flatMap((id) => {
        const material = byId.get(id);
        if (!material) return [];
        const { file_id, ware_name, ware_type } = material;
        const from = {
          session_id: sessionId,
          courseware_id: id,
          is_sync: 2 as const,
          added_by: actor.id,
          created_at: now,
        };
        return [{ ...from, file_id, ware_name, ware_type }];
      }),
    )
    .onConflict((conflict) => conflict.columns(['session_id', 'courseware_id']).doNothing())
    .returning('ware_name')
    .execute();
  if (added.length > 0)
    await note(
      lesson,
      'add-ware',
      added.map(({ ware_name }) => ware_name),
    );
  return undefined;
}

/** Adds an upload to the lesson and, if `is_sync` is 1, to the library too. */
export async function attachUpload(
  lesson: LessonRequest,
  upload: { ware_name: string; ware_type: MaterialType; is_sync: 1 | 2; fid: number },
): Promise<void> {
  const { db, actor, now, sessionId } = lesson;
  const { ware_name, ware_type, is_sync, fid } = upload;
  const wareId =
    is_sync === 1
      ? await addMaterial(db, { actor, now }, { ware_name, ware_desc: '', ware_type, classify_id: null, fid })
      : null;
  await db
    .insertInto('lesson_ware')
    .values({
      session_id: sessionId,
      file_id: fid,
      courseware_id: wareId,
      ware_name,
      ware_type,
      is_sync,
      added_by: actor.id,
      created_at: now,
    })
    .execute();
  await note(lesson, 'add-ware', [ware_name]);
}

/** Removes material from a lesson. 404: not a lesson of the actor. 403: a colleague added the material. */
export async function detachFromLesson(context: RuleContext<'actor' | 'now'>, id: number): Promise<null | Refusal> {
  const { db, actor } = context;
  const material = await visibleLessonMaterials(db, actor)
    .select(['lesson_ware.added_by', 'lesson_ware.session_id', 'lesson_ware.ware_name'])
    .where('lesson_ware.id', '=', id)
    .executeTakeFirst();
  if (!material) return missing(missingMaterial);
  const refusal = refuseFor('forbidden', detachFault({ is_owner: material.added_by === actor.id ? 1 : 0 }));
  if (refusal) return refusal;
  const gone = await db.deleteFrom('lesson_ware').where('id', '=', id).returning('id').execute();
  if (gone.length > 0) await note({ ...context, sessionId: material.session_id }, 'remove-ware', [material.ware_name]);
  return null;
}

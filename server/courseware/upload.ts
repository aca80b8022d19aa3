/** Uploads of courseware: a file alone, or a file and its material in one form. */

import { TransactionWork } from '#server/platform/calls/bind.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { UploadedFile } from '#server/platform/files/upload.ts';
import type { RuleContext } from '#server/school/context.ts';
import { missingSession } from '#server/sessions/rules.ts';
import type { uploadMaterial } from './contract.ts';
import { type MaterialFile, storeUploadedFile } from './file.ts';
import { attachUpload, parseIsSync, parseMaterialType, refuseLesson } from './lesson.ts';
import { addMaterial, materialFaults, tidyName, tidyText } from './library.ts';
import { coursewareMessages, materialNameFault } from './rules.ts';

type UploadContext = RuleContext<'storage' | 'actor' | 'now'> & { files: UploadedFile[] };

/** Stores a file without creating material. */
export async function storeMaterialFile(
  { files, ...taking }: UploadContext,
  wareType: string | number,
): Promise<MaterialFile | Refusal> {
  const type = parseMaterialType(wareType);
  if (type === undefined) return invalid({ ware_type: [coursewareMessages.choose] });
  return storeUploadedFile(taking, files[0], { type, place: 'lesson' });
}

/**
 * Stores a file and creates its material. Refuses a file as `storeUploadedFile` does. 422: errors by field. 404: not a lesson of
 * the actor.
 */
export async function storeMaterial(
  { files, ...taking }: UploadContext,
  body: BodyOf<typeof uploadMaterial>,
): Promise<Refusal | TransactionWork<MaterialFile>> {
  const { db, actor, now } = taking;
  const [file] = files;
  const errors: FieldErrors = {};
  const type = parseMaterialType(body.ware_type);
  if (type === undefined) errors.ware_type = [coursewareMessages.choose];
  if (!file) errors.file = [coursewareMessages.choose];
  const ware_name = tidyName(body.ware_name) || tidyName(file?.name.replace(/\.[^.]{1,8}$/, '') ?? '');
  const material = { ware_name, ware_desc: tidyText(body.ware_desc), classify_id: body.classify_id };
  const is_sync = parseIsSync(body.is_sync);
  const forLesson = body.times_id !== undefined;
  if (forLesson) {
    const nameFault = materialNameFault(ware_name);
    if (ware_name !== '' && nameFault) errors.ware_name = [nameFault];
    if (is_sync === undefined) errors.is_sync = [coursewareMessages.choose];
  } else {
    const { ware_name: nameFault, ...faults } = await materialFaults(db, material);
    Object.assign(errors, faults, ware_name !== '' && nameFault ? { ware_name: nameFault } : {});
  }
  if (type === undefined || is_sync === undefined || Object.keys(errors).length > 0) return invalid(errors);

  const sessionId = /^[1-9]\d{0,8}$/.test(body.times_id ?? '') ? Number(body.times_id) : undefined;
  if (forLesson) {
    const refusal =
      sessionId === undefined ? missing(missingSession) : await refuseLesson({ db, actor, now }, sessionId);
    if (refusal) return refusal;
  }
  const kept = await storeUploadedFile(taking, file, { type, place: forLesson ? 'lesson' : 'library' });
  if (isRefusal(kept)) return kept;
  const { fid } = kept;
  return new TransactionWork(async (trx) => {
    if (sessionId !== undefined) {
      await attachUpload({ db: trx, actor, now, sessionId }, { ware_name, ware_type: type, is_sync, fid });
    } else {
      const classify_id = material.classify_id ?? null;
      await addMaterial(trx, { actor, now }, { ...material, classify_id, ware_type: type, fid });
    }
    return kept;
  });
}

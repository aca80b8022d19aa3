/**
 * Files of courseware: upload, addresses, download, and a sweep of files that nothing references. Two more sweeps:
 * system/unused-files.ts (other unused uploads) and platform/files/storage.ts (staged files).
 */

import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, missing, type Refusal, refuseFile } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { acceptFile, contentType } from '#server/platform/files/accept.ts';
import { extensionOf } from '#server/platform/files/rules.ts';
import { isInline, serveFile } from '#server/platform/files/serve.ts';
import { isStorageKey } from '#server/platform/files/storage-key.ts';
import { displayName, type UploadedFile } from '#server/platform/files/upload.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { MaterialPreview } from './contract.ts';
import {
  acceptedExtensions,
  coursewareMessages,
  type MaterialType,
  missingMaterialFile,
  type UploadPlace,
} from './rules.ts';
import { unreferencedFiles, visibleFiles } from './visible.ts';

/** Returns the address of the screen that opens the file for users who may see it. */
export const fileAddress = (fid: number): string => `/courseware/file/${fid}`;

export interface MaterialFile {
  fid: number;
  ware_url: string;
  ware_filename: string;
  /** Size in bytes. */
  file_size: number;
}

type FileContext = RuleContext<'storage' | 'actor' | 'now'>;

/**
 * Stores an upload with a row that nothing references yet. If no form uses the file, it is deleted a day later. Refuses
 * at `file`. 422: missing, empty, damaged or password-protected. 415: the format is not allowed, or the content does
 * not match the extension. 413: too large.
 */
export async function storeUploadedFile(
  { db, storage, actor, now }: FileContext,
  file: UploadedFile | undefined,
  { type, place }: { type: MaterialType; place: UploadPlace },
): Promise<MaterialFile | Refusal> {
  if (!file) return invalid({ file: [coursewareMessages.choose] });
  const { name, staged } = file;
  const accepted = await acceptFile({ name, path: staged.path, size: staged.size }, acceptedExtensions(type, place));
  if (!('ok' in accepted)) return refuseFile(accepted);
  const { key, size } = await storage.keep(staged, accepted.ok);
  await removeUnreferenced({ db, storage, now });
  const { id } = await db
    .insertInto('ware_file')
    .values({
      storage_key: key,
      name,
      extension: accepted.ok.extension,
      size,
      uploaded_by: actor.id,
      uploaded_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { fid: id, ware_url: fileAddress(id), ware_filename: name, file_size: size };
}

/**
 * Returns the id of the file that a `ware_url` names: either an address made by `fileAddress`, or a path returned by
 * `public/file`. The latter has no file name and uses `name`. Undefined if the actor has no such file. 422 at `field`:
 * the format is not allowed for the type.
 */
export async function fileOfAddress(
  { db, storage, actor, now }: FileContext,
  address: string,
  { name, type, field }: { name?: string; type: MaterialType; field: string },
): Promise<number | Refusal | undefined> {
  const wrongType = () => invalid({ [field]: [coursewareMessages.wrongType] });
  const fits = (extension: string) => acceptedExtensions(type, 'lesson').includes(extension);
  const fid = /^\/courseware\/file\/(\d{1,15})$/.exec(address)?.[1];
  if (fid !== undefined) {
    const file = await visibleFiles(db, actor)
      .select(['ware_file.id', 'ware_file.extension'])
      .where('ware_file.id', '=', Number(fid))
      .executeTakeFirst();
    return file && (fits(file.extension) ? file.id : wrongType());
  }
  const key = address.replace(/^\/files\//, '');
  if (key === address || !isStorageKey(key)) return undefined;
  const found = await storage.stat(key);
  if (!found) return undefined;
  const extension = extensionOf(key);
  if (!fits(extension)) return wrongType();
  const { id } = await db
    .insertInto('ware_file')
    .values({
      storage_key: key,
      is_exclusive: 0,
      name: displayName(name === undefined ? key : extensionOf(name) === extension ? name : `${name}.${extension}`),
      extension,
      size: found.size,
      uploaded_by: actor.id,
      uploaded_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const noFile = () => missing(missingMaterialFile);

async function visibleFile(db: Database, actor: Actor, fid: number | undefined) {
  if (fid === undefined) return undefined;
  return visibleFiles(db, actor)
    .select(['ware_file.id', 'ware_file.storage_key', 'ware_file.name', 'ware_file.extension', 'ware_file.size'])
    .where('ware_file.id', '=', fid)
    .executeTakeFirst();
}

/** Returns how a file can be previewed. 404: the actor does not see the file. */
export async function previewInfo(
  db: Database,
  actor: Actor,
  fid: number | undefined,
): Promise<MaterialPreview | Refusal> {
  const file = await visibleFile(db, actor, fid);
  if (!file) return noFile();
  const type = contentType(file.extension);
  return {
    url: fileAddress(file.id),
    ware_filename: file.name,
    file_size: file.size,
    content_type: type,
    inline: isInline(type) ? 1 : 0,
  };
}

interface Sending {
  request: Request;
  download: boolean;
}

/** Sends a file or the requested range of it. 404: the actor does not see the file. */
export async function sendFile(
  { db, storage, actor }: Omit<FileContext, 'now'>,
  fid: number,
  sending: Sending,
): Promise<Response | Refusal> {
  return fileResponse(storage, await visibleFile(db, actor, fid), sending);
}

/** Sends a file of another record, such as a handout; the caller has checked access to that record. */
export async function sendReferencedFile(
  { db, storage }: Pick<FileContext, 'db' | 'storage'>,
  fid: number,
  sending: Sending,
): Promise<Response | Refusal> {
  const file = await db
    .selectFrom('ware_file')
    .select(['storage_key', 'name', 'extension'])
    .where('id', '=', fid)
    .executeTakeFirst();
  return fileResponse(storage, file, sending);
}

async function fileResponse(
  storage: FileContext['storage'],
  file: { storage_key: string; name: string; extension: string } | undefined,
  { request, download }: Sending,
): Promise<Response | Refusal> {
  if (!file) return noFile();
  const response = await serveFile(storage, file.storage_key, {
    name: file.name,
    contentType: contentType(file.extension),
    request,
    disposition: download ? 'attachment' : 'inline',
  });
  return response.status === 404 ? noFile() : response;
}

/** Seconds before an upload that nothing references is deleted. */
const unusedLifetime = 24 * 60 * 60;
/** Maximum files that are deleted per run. */
const removedAtOnce = 20;

/** Deletes files that nothing has referenced for a day. Returns how many. */
export async function removeUnreferenced({ db, storage, now }: Omit<FileContext, 'actor'>): Promise<number> {
  const left = await unreferencedFiles(db, now - unusedLifetime)
    .select(['ware_file.id', 'ware_file.storage_key', 'ware_file.is_exclusive'])
    .limit(removedAtOnce)
    .execute();
  for (const { id, storage_key, is_exclusive } of left) {
    await db.deleteFrom('ware_file').where('id', '=', id).execute();
    if (is_exclusive === 1) await storage.delete(storage_key);
  }
  return left.length;
}

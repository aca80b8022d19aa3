/** Stores uploads of staff for texts and answers: files, and drawn pictures as base64. */
import { readFile } from 'node:fs/promises';
import { type FileRefusal, invalid, type Refusal, refuseFile } from '#server/platform/calls/outcome.ts';
import { type AcceptedFile, acceptFile, acceptPicture } from './accept.ts';
import { readHeic } from './heic.ts';
import { damagedPicture, inspectPicture, jpegOfPixels, tidyPicture } from './image.ts';
import {
  drawnImageBytes,
  extensionOf,
  fileExtensions,
  noFileMessage,
  notAPhotoMessage,
  pictureBytes,
  pictureExtensions,
  pictureTooLargeMessage,
  postedPictureSize,
} from './rules.ts';
import type { Storage } from './storage.ts';
import type { UploadedFile } from './upload.ts';

const addressOf = (key: string): string => `/files/${key}`;

/** Stores a file and returns its address as `path`. 422: missing or damaged. 413, 415: too large or not accepted. */
export async function storeFile(
  storage: Storage,
  file: UploadedFile | undefined,
): Promise<{ originalName: string; path: string } | Refusal> {
  if (!file) return invalid({ file: [noFileMessage] });
  const { name, staged } = file;
  const accepted = await acceptFile({ name, path: staged.path, size: staged.size }, fileExtensions);
  if (!('ok' in accepted)) return refuseFile(accepted);
  const { key } = await storage.keep(staged, accepted.ok);
  return { originalName: name, path: addressOf(key) };
}

/**
 * Stores a picture upright, scaled to screen size, without EXIF data; HEIC becomes JPEG. The bytes decide the format:
 * phones send pictures without an extension (`blob`), or a JPEG named `IMG_1.HEIC`. 413, 415, 422: not accepted. 503:
 * many photographs are being converted.
 */
export async function storePicture(
  storage: Storage,
  file: UploadedFile | undefined,
): Promise<{ originalName: string; path: string } | Refusal> {
  if (!file) return invalid({ file: [noFileMessage] });
  const { name, staged } = file;
  const { fileTypeFromFile } = await import('file-type');
  const { ext = '' } = (await fileTypeFromFile(staged.path)) ?? {};
  const photo = ext === 'heic' ? await readPhoto(staged) : await readPicture({ name, staged, ext });
  if (!('ok' in photo)) return refuseFile(photo);
  const { bytes, ...kind } = photo.ok;
  const source = (async function* () {
    yield bytes;
  })();
  const stored = await storage.put(source, { ...kind, limit: bytes.byteLength });
  return 'ok' in stored ? { originalName: name, path: addressOf(stored.ok.key) } : refuseFile(stored);
}

type ReadPicture = { ok: AcceptedFile & { bytes: Uint8Array<ArrayBuffer> } } | FileRefusal;

async function readPicture({ name, staged, ext }: Omit<UploadedFile, 'field'> & { ext: string }): Promise<ReadPicture> {
  const isKnown = pictureExtensions.includes(ext);
  if (!isKnown && extensionOf(name) === 'heic') return damagedPicture;
  const accepted = await acceptPicture({ name: isKnown ? `.${ext}` : name, path: staged.path, size: staged.size });
  if (!('ok' in accepted)) return accepted.refused === 415 ? { ...accepted, message: notAPhotoMessage } : accepted;
  const tidied = await tidyPicture(staged.path, postedPictureSize);
  return 'ok' in tidied ? { ok: { ...accepted.ok, bytes: tidied.ok } } : tidied;
}

async function readPhoto({ path, size }: UploadedFile['staged']): Promise<ReadPicture> {
  if (size > pictureBytes) return { refused: 413, message: pictureTooLargeMessage(pictureBytes) };
  const decoded = await readHeic(path);
  if (!('ok' in decoded)) return decoded;
  const jpeg = await jpegOfPixels(decoded.ok, postedPictureSize);
  return 'ok' in jpeg ? { ok: { extension: 'jpg', contentType: 'image/jpeg', bytes: jpeg.ok } } : jpeg;
}

const drawnTypes: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };
const field = 'base64_image';
const notDrawn = () => refuseFile({ refused: 415, message: '请上传 png、jpg 或 webp 格式的图片' }, field);

/**
 * Stores a picture that is sent as base64; `sent` is the text, or a file that holds the text. 415: no accepted picture.
 * 413: more than 20 MB. 422: damaged.
 */
export async function storeDrawnImage(
  storage: Storage,
  sent: UploadedFile | string,
): Promise<{ path: string } | Refusal> {
  const text = typeof sent === 'string' ? sent : await readFile(sent.staged.path, 'latin1');
  if (text.trim() === '') return invalid({ [field]: ['请选择要上传的图片'] });
  const bytes = Buffer.from(text.replace(/^\s*data:[\w/+.-]*;base64,/, ''), 'base64');
  if (bytes.byteLength > drawnImageBytes)
    return refuseFile({ refused: 413, message: pictureTooLargeMessage(drawnImageBytes) }, field);
  const { fileTypeFromBuffer } = await import('file-type');
  const extension = (await fileTypeFromBuffer(bytes))?.ext ?? '';
  const contentType = drawnTypes[extension];
  if (!contentType) return notDrawn();
  const inspected = await inspectPicture(bytes);
  if (!('ok' in inspected)) return refuseFile(inspected, field);
  const stored = await storage.put(
    (async function* () {
      yield bytes;
    })(),
    { extension, contentType, limit: drawnImageBytes },
  );
  return 'ok' in stored ? { path: addressOf(stored.ok.key) } : refuseFile(stored, field);
}

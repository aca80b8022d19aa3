/**
 * Decides which uploaded files are accepted (refusals: 413, 415, 422), by size, extension and bytes of the staged file;
 * the content type that the sender names does not count.
 */
import { type FileHandle, open } from 'node:fs/promises';
import type { FileRefusal } from '#server/platform/calls/outcome.ts';
import { inspectCompound, isCompound, readerOf } from './compound-file.ts';
import { inspectPicture } from './image.ts';
import { inspectPdf } from './portable-document.ts';
import {
  extensionOf,
  formatFault,
  mediaExtensions,
  packedMediaMessage,
  pictureBytes,
  pictureExtensions,
  pictureTooLargeMessage,
  sizeFault,
} from './rules.ts';
import { openZip, storedZipLimits, zipRefusals } from './zip.ts';

export interface AcceptedFile {
  /** Lower case without the dot; `jpeg` becomes `jpg`. */
  extension: string;
  contentType: string;
}

export type Acceptance = { ok: AcceptedFile } | FileRefusal;

/** A file on this machine, and the name that its sender gave it. */
export interface Candidate {
  name: string;
  path: string;
  /** Bytes. */
  size: number;
}

const { empty, damaged, mismatch, passwordOffice } = zipRefusals;

const messages = {
  pdf: 'PDF 文件设有密码，请取消密码后再上传',
};

function refuse(refused: FileRefusal['refused'], message: string): FileRefusal {
  return { refused, message };
}

/** Accepts a picture of a question, an answer or an avatar. SVG and HTML can run scripts and are never accepted. */
export async function acceptPicture(file: Candidate): Promise<Acceptance> {
  if (file.size > pictureBytes) return refuse(413, pictureTooLargeMessage(pictureBytes));
  return acceptFile(file, pictureExtensions);
}

/**
 * Accepts a file if its extension is one of `extensions`, its size is within the limit of its kind, and its content
 * matches.
 */
export async function acceptFile(file: Candidate, extensions: readonly string[]): Promise<Acceptance> {
  const format = formatFault(file.name, extensions);
  if (format) return refuse(415, format);
  if (file.size === 0) return empty;
  const large = sizeFault(file);
  if (large) return refuse(413, large);
  const extension = extensionOf(file.name);

  const handle = await open(file.path, 'r');
  try {
    const refusal = await contentRefusal(handle, file, extension);
    return (
      refusal ?? { ok: { extension: extension === 'jpeg' ? 'jpg' : extension, contentType: contentType(extension) } }
    );
  } finally {
    await handle.close();
  }
}

/** Returns why the content is refused; null if it fits the extension and needs no password. */
async function contentRefusal(handle: FileHandle, file: Candidate, extension: string): Promise<FileRefusal | null> {
  const head = Buffer.alloc(16);
  await handle.read(head, 0, head.length, 0);

  switch (extension) {
    case 'doc':
    case 'ppt': {
      if (!isCompound(head)) return mismatch;
      const found = await inspectCompound(readerOf(handle), file.size);
      if (!found) return damaged;
      if (found.encrypted) return passwordOffice;
      return found.kind === extension ? null : mismatch;
    }
    case 'docx':
    case 'pptx':
    case 'xlsx':
    case 'zip': {
      const opened = await openZip(file.path, extension, storedZipLimits);
      if ('refused' in opened) return opened;
      await opened.ok.close();
      return extension === 'zip' ? archiveRefusal([...opened.ok.sizes.keys()]) : null;
    }
    case 'pdf': {
      const found = await inspectPdf(handle, file.size);
      if (!found) return mismatch;
      return found.encrypted ? refuse(422, messages.pdf) : null;
    }
    case 'jpg':
    case 'jpeg':
    case 'png':
    case 'gif':
    case 'webp': {
      const detected = await detect(file.path);
      if (detected !== (extension === 'jpeg' ? 'jpg' : extension)) return mismatch;
      const picture = await inspectPicture(file.path);
      return 'ok' in picture ? null : picture;
    }
    default: {
      const detected = extension === 'h264' ? elementaryStream(head) : await detect(file.path);
      return mediaFamilies.some((family) => family.has(extension) && family.has(detected)) ? null : mismatch;
    }
  }
}

/**
 * Refuses a ZIP that holds only media files, which would bypass the size limit of media. An exported animation passes:
 * it has sounds among its pages.
 */
function archiveRefusal(names: readonly string[]): FileRefusal | null {
  const files = names.filter((name) => !name.endsWith('/'));
  if (files.length === 0) return damaged;
  return files.every((name) => mediaExtensions.includes(extensionOf(name))) ? refuse(415, packedMediaMessage) : null;
}

/** Detects the format from the bytes and returns its usual extension; '' if unknown. */
async function detect(path: string): Promise<string> {
  const { fileTypeFromFile } = await import('file-type');
  const found = await fileTypeFromFile(path);
  // An animated PNG counts as png, because every PNG viewer shows it.
  return found?.ext === 'apng' ? 'png' : (found?.ext ?? '');
}

/** Detects raw H.264: a start code, then a delimiter, SPS or SEI unit (ITU-T H.264 annex B). */
function elementaryStream(head: Buffer): string {
  const unit = head.subarray(0, 4).equals(Buffer.from([0, 0, 0, 1])) ? head[4] : undefined;
  const short = head.subarray(0, 3).equals(Buffer.from([0, 0, 1])) ? head[3] : undefined;
  const type = (unit ?? short ?? 0) & 0x9f;
  return [6, 7, 9].includes(type) ? 'h264' : '';
}

/** Media extensions that share a container format. */
const mediaFamilies: ReadonlySet<string>[] = [
  new Set(['mp3', 'mp2', 'mp1']),
  new Set(['wav']),
  new Set(['flac']),
  new Set(['aac', 'mp3']),
  new Set(['wma', 'wmv', 'asf']),
  new Set(['mp4', 'm4a', 'm4v', 'mov', 'qt', '3gp', '3g2', 'mj2', 'm4b', 'm4p', 'f4v', 'f4a']),
  new Set(['ogg', 'oga', 'ogv', 'opus']),
  new Set(['mpg', 'mpeg', 'mts']),
  new Set(['avi']),
  new Set(['flv']),
  new Set(['h264']),
  new Set(['rm', 'rmvb']),
  new Set(['webm']),
];

const contentTypes: Record<string, string> = {
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  wma: 'audio/x-ms-wma',
  aac: 'audio/aac',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  '3gp': 'video/3gpp',
  '3g2': 'video/3gpp2',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  avi: 'video/x-msvideo',
  flv: 'video/x-flv',
  wmv: 'video/x-ms-wmv',
  h264: 'video/h264',
  m4v: 'video/mp4',
  mj2: 'video/mj2',
  mov: 'video/quicktime',
  ogv: 'video/ogg',
  rm: 'application/vnd.rn-realmedia',
  rmvb: 'application/vnd.rn-realmedia-vbr',
  qt: 'video/quicktime',
  webm: 'video/webm',
};

/** Content type of an accepted extension; `application/octet-stream` for any other. */
export function contentType(extension: string): string {
  return contentTypes[extension] ?? 'application/octet-stream';
}

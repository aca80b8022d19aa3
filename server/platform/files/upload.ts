/** Receives uploads: each file is streamed to a staged file while it arrives. */
import type { UploadDeclaration } from '#server/platform/calls/call.ts';
import type { FileRefusal } from '#server/platform/calls/outcome.ts';
import { type FormFault, type FormFile, readMultipart, skipRest } from './multipart.ts';
import { fileNameLimit, fileTooLargeMessage, noFileMessage, uploadInterruptedMessage } from './rules.ts';
import type { StagedFile, Storage } from './storage.ts';

/** Limits of an upload. `fieldBytes`: for each text field, and roughly for all of them together. */
export type UploadLimits = Omit<UploadDeclaration, 'field'>;

export interface UploadedFile {
  /** Name of the form field. */
  field: string;
  /** The sender's name of the file, made safe for display. It is never used in a path or key. */
  name: string;
  staged: StagedFile;
}

export interface Upload {
  /** Text fields in order; names may repeat. */
  fields: URLSearchParams;
  files: UploadedFile[];
  /** Deletes every file that was not kept. Always call it at the end; it does nothing after `keep`. */
  discard(): Promise<void>;
}

/**
 * Reads a multipart form. 415: not a multipart form. 413: a file or field is beyond its limit, or there are too many.
 * 400: malformed or cut off. A refusal leaves no file behind.
 */
export async function receiveUpload(
  request: Request,
  storage: Storage,
  limits: UploadLimits,
): Promise<{ ok: Upload } | FileRefusal> {
  if (!/^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '') || !request.body) {
    return { refused: 415, message: noFileMessage };
  }
  const { fileBytes, files: fileCount = 1, fieldBytes = 1024 * 1024 } = limits;
  const announced = Number(request.headers.get('content-length') ?? 0);
  let isTooLarge = announced > fileCount * fileBytes + 16 * fieldBytes;
  const files: UploadedFile[] = [];
  const take = async ({ field, name, bytes }: FormFile) => {
    if (isTooLarge) return skipRest;
    const staged = await storage.stage(bytes, { limit: fileBytes });
    if (!('ok' in staged)) {
      isTooLarge = staged.refused === 413;
      return skipRest;
    }
    // An empty file input sends a part without name and content, which is no file.
    if (!name && staged.ok.size === 0) await staged.ok.discard();
    else files.push({ field, name: displayName(name), staged: staged.ok });
  };
  // A form that is refused is drained up to twice its limit, so that the sender receives the answer.
  const most = 2 * (fileCount * fileBytes + fieldBytes);
  const read = await readMultipart(request, { fieldBytes, files: fileCount, bytes: most }, take, true);
  const discard = async () => {
    await Promise.all(files.map(({ staged }) => staged.discard()));
  };
  if (!read.fault && !isTooLarge && read.failures.length === 0) return { ok: { fields: read.fields, files, discard } };
  await discard();
  if (read.failures.length > 0) throw read.failures[0];
  if (isTooLarge || read.fault === 'too long') {
    return { refused: 413, message: fileTooLargeMessage(fileBytes) };
  }
  return faults[read.fault ?? 'broken'];
}

const interrupted: FileRefusal = { refused: 400, message: uploadInterruptedMessage };
const faults: Record<Exclude<FormFault, 'too long'>, FileRefusal> = {
  broken: interrupted,
  enough: interrupted,
  'too much typed': { refused: 413, message: '提交的内容过长' },
  'too many files': { refused: 413, message: '文件过多' },
};

/** Matches control characters, and bidirectional marks, with which exe.gpj would look like jpg.exe. */
const invisible = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Returns a file name for display: no folders, no control characters, at most 255 characters, extension kept. */
export function displayName(name: string | undefined): string {
  const clean = (name ?? '')
    .normalize('NFC')
    .replace(invisible, '')
    .replace(/^.*[/\\]/s, '')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  if (!clean) return '未命名';
  const characters = [...clean];
  if (characters.length <= fileNameLimit) return clean;
  const ending = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? '';
  return characters.slice(0, fileNameLimit - [...ending].length).join('') + ending;
}

// Forms with files, streamed: each file goes to the storage's receiving folder while it arrives.

import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { Refusal } from './refusal.ts';
import { fileTooLarge } from './rules.ts';
import type { StagedFile, Storage } from './storage.ts';

export interface UploadLimits {
  /** Bytes of one file. */
  fileBytes: number;
  /** Files in one form; default 1. */
  files?: number;
  /** Bytes of one ordinary field, and about of all of them together; default 1 MB. */
  fieldBytes?: number;
}

export interface UploadedFile {
  /** Name of the form field. */
  field: string;
  /** The sender's name for the file, made safe to show. Never part of a path or key. */
  name: string;
  staged: StagedFile;
}

export interface Upload {
  /** Ordinary fields in their order; a name may come several times. */
  fields: URLSearchParams;
  files: UploadedFile[];
  /** Drops every file that has not been kept. Always to be called in the end; after `keep` it does nothing. */
  discard(): Promise<void>;
}

/**
 * Reads a multipart form. Refused: 415 no multipart form, 413 a file or field beyond its limit or too many of them,
 * 400 broken form or cut off; then no file is left behind.
 */
export async function receiveUpload(
  request: Request,
  storage: Storage,
  limits: UploadLimits,
): Promise<{ ok: Upload } | Refusal> {
  const contentType = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType) || !request.body) {
    return { refused: 415, message: '请选择要上传的文件' };
  }
  const { fileBytes, files: fileCount = 1, fieldBytes = 1024 * 1024 } = limits;
  const tooLarge: Refusal = { refused: 413, message: fileTooLarge(fileBytes) };
  // A sender who is cut off sees a broken connection instead of our sentence: what is refused is heard out, up to
  // twice what it may be, and dropped.
  const most = 2 * (fileCount * fileBytes + fieldBytes);
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > fileCount * fileBytes + 16 * fieldBytes) {
    await feed(
      request.body,
      () => undefined,
      () => most,
    );
    return tooLarge;
  }

  let parser: BusboyInstance;
  try {
    parser = new Busboy({
      headers: { 'content-type': contentType } as BusboyHeaders,
      limits: {
        fileSize: fileBytes + 1,
        files: fileCount,
        fields: 1000,
        fieldSize: fieldBytes,
        parts: 1000 + fileCount,
      },
    });
  } catch {
    return { refused: 400, message: '上传的表单不完整，请重新上传' };
  }

  const fields = new URLSearchParams();
  const parts = new Set<Readable>();
  const receiving: Promise<{ ok: UploadedFile } | Refusal>[] = [];
  let refusal: Refusal | undefined;
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const stop = (reason: Refusal) => {
    refusal ??= reason;
    end();
  };
  parser.once('finish', end);
  parser.once('error', () => stop(cutOff));

  // A file that is too large is a mistake; fields without end are not, and nobody hears them out.
  let isMeant = true;
  let typed = 0;
  parser.on('field', (name, value, _nameCut, valueCut) => {
    typed += name.length + value.length;
    if (valueCut || typed > fieldBytes + 64 * 1024) {
      isMeant = false;
      stop({ refused: 413, message: '提交的内容过长' });
    } else fields.append(name, value);
  });
  parser.on('file', (field, part, filename) => {
    parts.add(part);
    const received = storage.stage(part, { limit: fileBytes }).then(async (staged) => {
      if (!('ok' in staged)) {
        stop(staged);
        return staged;
      }
      // A file input that nobody filled sends a part with neither name nor content.
      if (!filename && staged.ok.size === 0) {
        await staged.ok.discard();
        return { refused: 422, message: '请选择要上传的文件' } satisfies Refusal;
      }
      return { ok: { field, name: displayName(filename), staged: staged.ok } };
    });
    // Our own fault, such as a full disk: the rest is heard out and dropped, like what is refused.
    received.catch(() => stop(cutOff));
    receiving.push(received);
  });
  for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    parser.on(event, () => stop({ refused: 413, message: event === 'filesLimit' ? '文件过多' : '提交的内容过长' }));
  }

  const write = (chunk: Uint8Array) =>
    refusal ? undefined : Promise.race([over, new Promise<void>((done) => parser.write(chunk, () => done()))]);
  const fed = await feed(request.body, write, () => (isMeant ? most : 0));
  if (fed === 'whole') parser.end();
  else stop(fed === 'broken' ? cutOff : tooLarge);
  // In a form that breaks off within a file it is that file which reports it, not the parser.
  await Promise.race([over, Promise.allSettled(receiving)]);
  if (!refusal) await over;
  if (refusal) {
    // The parser leaves a part that it was in the middle of open for ever.
    parser.destroy();
    for (const part of parts) part.destroy();
  }
  const received = await Promise.allSettled(receiving);
  const files = received.flatMap((result) =>
    result.status === 'fulfilled' && 'ok' in result.value ? [result.value.ok] : [],
  );
  const discard = async () => {
    await Promise.all(files.map((file) => file.staged.discard()));
  };
  const fault = received.find((result) => result.status === 'rejected');
  if (fault || refusal) await discard();
  if (fault) throw fault.reason;
  if (refusal) return refusal;
  return { ok: { fields, files, discard } };
}

const cutOff: Refusal = { refused: 400, message: '上传中断，请重新上传' };

/**
 * Hands over every chunk of a body up to `most` bytes. What is beyond stays unread, for the HTTP server to deal with:
 * cancelling would cut the connection that the answer has to take.
 */
async function feed(
  body: ReadableStream<Uint8Array>,
  take: (chunk: Uint8Array) => Promise<void> | undefined,
  most: () => number,
): Promise<'whole' | 'broken' | 'too long'> {
  const reader = body.getReader();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'whole';
      size += value.byteLength;
      if (size > most()) return 'too long';
      await take(value);
    }
  } catch {
    return 'broken';
  } finally {
    reader.releaseLock();
  }
}

/** Control characters, and the marks that turn the direction of writing (exe.gpj shown as jpg.exe). */
const invisible = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * A file name to show: no folders, no control characters, at most 255 characters (the limit of courseware names)
 * with its ending kept.
 */
export function displayName(name: string | undefined): string {
  const clean = (name ?? '')
    .normalize('NFC')
    .replace(invisible, '')
    .replace(/^.*[/\\]/s, '')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  if (!clean) return '未命名';
  const characters = [...clean];
  if (characters.length <= 255) return clean;
  const ending = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? '';
  return characters.slice(0, 255 - [...ending].length).join('') + ending;
}

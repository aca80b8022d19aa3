/** Reads a posted form with files: pictures that a browser without client JS puts into a text or a post. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { RouterContextProvider } from 'react-router';
import { fieldsMost, postedContext, tooLarge } from './posted.server.ts';

export interface FormWithFile {
  fields: URLSearchParams;
  /** The file of the field that was asked for; undefined where none was chosen. */
  file?: File;
  /** There was a file, but it is larger than it may be; the fields are there all the same. */
  tooLarge: boolean;
}

/** Bytes of all the fields together, and files of one form. */
const fieldBytes = 1024 * 1024;
const filesMost = 50;
/** So many times a file's limit is read of the whole: what was typed after a file that is too large is not lost. */
const patience = 10;

/**
 * The fields and the first file, held in memory up to `fileBytes`. What was typed is never lost to a
 * file that is too large: the rest of the form is read all the same. An error page shows the fields again.
 */
export async function readFormWithFile(
  request: Request,
  context: Readonly<RouterContextProvider>,
  fileBytes: number,
): Promise<FormWithFile> {
  let first: File | 'too-large' | undefined;
  const fields = await readFormWithFiles(request, context, fileBytes, (file) => {
    first ??= file;
  });
  return { fields, tooLarge: first === 'too-large', ...(first instanceof File ? { file: first } : {}) };
}

/**
 * The fields; each file, also an empty one, is given to `take` as it comes, one at a time, so that only one is held in
 * memory and the sender waits meanwhile. What `take` throws is thrown once the rest of the form is read; a form that is
 * larger than any that is meant is 413 at once.
 */
export async function readFormWithFiles(
  request: Request,
  context: Readonly<RouterContextProvider>,
  fileBytes: number,
  take: (file: File | 'too-large') => Promise<void> | void,
): Promise<URLSearchParams> {
  const contentType = request.headers.get('content-type') ?? '';
  const fields = new URLSearchParams();
  if (!request.body) return fields;
  const parser = new Busboy({
    headers: { 'content-type': contentType } as BusboyHeaders,
    limits: { fieldSize: fieldBytes, fields: fieldsMost, files: filesMost, parts: fieldsMost + filesMost },
  });
  let isTooLarge = false;
  let isOver = false;
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = () => {
      isOver = true;
      resolve();
    };
  });
  const refuse = () => {
    isTooLarge = true;
    end();
  };
  let typed = 0;
  parser.on('field', (name, value, nameCut, valueCut) => {
    typed += name.length + value.length;
    if (nameCut || valueCut || typed > fieldBytes) refuse();
    else fields.append(name, value);
  });
  for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const) parser.on(limit, refuse);
  let taken: Promise<void> = Promise.resolve();
  const failures: unknown[] = [];
  const parts = new Set<Readable>();
  parser.on('file', (_field, part: Readable, name, _encoding, type) => {
    parts.add(part);
    // A part that breaks off is no file, also while it still waits for its turn.
    part.on('error', () => undefined);
    taken = taken.then(async () => {
      const file = await wholeFile(part, { name, type }, fileBytes).catch(() => undefined);
      if (file && !isTooLarge && failures.length === 0)
        await Promise.resolve(take(file)).catch((error) => failures.push(error));
    });
  });
  parser.once('finish', end);
  // A form that breaks off is shown again with what came of it.
  parser.on('error', end);

  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  let size = 0;
  while (!isOver) {
    const { done, value } = await reader.read().catch(() => ({ done: undefined, value: undefined }));
    if (done) {
      parser.end();
      await over;
    } else if (value === undefined) {
      end();
    } else {
      size += value.byteLength;
      if (size > fieldBytes + patience * fileBytes) refuse();
      else await Promise.race([over, new Promise<void>((written) => parser.write(value, () => written()))]);
    }
  }
  // What is left stays unread: cancelling would cut the connection that the answer has to take.
  reader.releaseLock();
  for (const part of parts) if (!part.readableEnded) part.destroy();
  await taken;
  context.set(postedContext, [...fields]);
  if (isTooLarge) throw tooLarge();
  if (failures.length > 0) throw failures[0];
  return fields;
}

/** What is the same when the same texts and files are sent again, wherever the files are kept then. */
export async function contentOf(parts: readonly (string | File)[]): Promise<string> {
  const content = createHash('sha256');
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : new Uint8Array(await part.arrayBuffer());
    content.update(`${bytes.byteLength} `).update(bytes);
  }
  return content.digest('base64url');
}

/** Undefined where no file was chosen. */
async function wholeFile(
  part: Readable,
  { name, type }: { name: string; type: string },
  fileBytes: number,
): Promise<File | 'too-large' | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of part as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size <= fileBytes) chunks.push(chunk);
  }
  if (!name) return undefined;
  return size > fileBytes ? 'too-large' : new File(chunks as BlobPart[], name, { type });
}

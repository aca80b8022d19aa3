/** Reads a posted form with files: pictures that a browser without client JS puts into a text or a post. */
import { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { RouterContextProvider } from 'react-router';
import { postedContext } from './protection.server.ts';

export interface FormWithFile {
  fields: URLSearchParams;
  /** The file of the field that was asked for; undefined where none was chosen. */
  file?: File;
  /** There was a file, but it is larger than it may be; the fields are there all the same. */
  tooLarge: boolean;
}

/** Bytes of all the fields together. */
const fieldsMost = 1024 * 1024;

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
 * memory and the sender waits meanwhile. What `take` throws is thrown once the rest of the form is read.
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
    limits: { fieldSize: fieldsMost, fields: 5000 },
  });
  parser.on('field', (name, value) => fields.append(name, value));
  let taken: Promise<void> = Promise.resolve();
  const failures: unknown[] = [];
  const parts = new Set<Readable>();
  parser.on('file', (_field, part: Readable, name, _encoding, type) => {
    parts.add(part);
    // A part that breaks off is no file, also while it still waits for its turn.
    part.on('error', () => undefined);
    taken = taken.then(async () => {
      const file = await wholeFile(part, { name, type }, fileBytes).catch(() => undefined);
      if (file && failures.length === 0) await Promise.resolve(take(file)).catch((error) => failures.push(error));
    });
  });
  await new Promise<void>((resolve) => {
    parser.on('finish', resolve);
    // A form that breaks off is shown again with what came of it.
    parser.on('error', () => resolve());
    const body = Readable.fromWeb(request.body as import('node:stream/web').ReadableStream);
    body.on('error', () => resolve());
    body.pipe(parser);
  });
  for (const part of parts) if (!part.readableEnded) part.destroy();
  await taken;
  context.set(postedContext, [...fields]);
  if (failures.length > 0) throw failures[0];
  return fields;
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

/** Reads a posted form with files: pictures that a browser without client JS puts into a text or a post. */
import { createHash } from 'node:crypto';
import type { RouterContextProvider } from 'react-router';
import { type FormFile, readMultipart } from '#server/platform/files/multipart.ts';
import { fieldsMost, postedContext, tooLarge } from './posted.server.ts';

export interface FormWithFile {
  fields: URLSearchParams;
  /** The first; undefined where none was chosen. The fields are there also where it is larger than it may be. */
  file: File | 'too-large' | undefined;
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
  return { fields, file: first };
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
  const limits = { fields: fieldsMost, fieldBytes, files: filesMost, bytes: fieldBytes + patience * fileBytes };
  const { fields, fault, failures } = await readMultipart(request, limits, async (part) => {
    const file = await wholeFile(part, fileBytes).catch(() => undefined);
    if (file) await take(file);
  });
  context.set(postedContext, [...fields]);
  // A form that breaks off is shown again with what came of it.
  if (fault && fault !== 'broken') throw tooLarge();
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
async function wholeFile({ bytes, name, type }: FormFile, fileBytes: number): Promise<File | 'too-large' | undefined> {
  const chunks: BlobPart[] = [];
  let size = 0;
  for await (const chunk of bytes as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.byteLength;
    if (size <= fileBytes) chunks.push(chunk);
  }
  if (!name) return undefined;
  return size > fileBytes ? 'too-large' : new File(chunks, name, { type });
}

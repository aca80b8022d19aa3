/** Reads a posted form with a file: a picture that is put into a text by a browser without client JS. */
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
 * The fields and the first file that is not empty, held in memory up to `fileBytes`. What was typed is never lost to a
 * file that is too large: the rest of the form is read all the same. An error page shows the fields again.
 */
export async function readFormWithFile(
  request: Request,
  context: Readonly<RouterContextProvider>,
  fileBytes: number,
): Promise<FormWithFile> {
  const contentType = request.headers.get('content-type') ?? '';
  const fields = new URLSearchParams();
  const chunks: Uint8Array[] = [];
  let file: { name: string; type: string } | undefined;
  let size = 0;
  if (!request.body) return { fields, tooLarge: false };
  const parser = new Busboy({
    headers: { 'content-type': contentType } as BusboyHeaders,
    limits: { fieldSize: fieldsMost, fields: 5000 },
  });
  parser.on('field', (name, value) => fields.append(name, value));
  parser.on('file', (_field, part, name, _encoding, type) => {
    const wanted = name && !file;
    if (wanted) file = { name, type };
    part.on('data', (chunk: Uint8Array) => {
      if (!wanted) return;
      size += chunk.byteLength;
      if (size <= fileBytes) chunks.push(chunk);
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
  context.set(postedContext, [...fields]);
  const tooLarge = size > fileBytes;
  return {
    fields,
    tooLarge,
    ...(file && size > 0 && !tooLarge ? { file: new File(chunks as BlobPart[], file.name, { type: file.type }) } : {}),
  };
}

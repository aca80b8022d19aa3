/** Reads posted forms with files, such as pictures from a browser without client JS. */
import { createHash } from 'node:crypto';
import type { AnswerOf, AnyCall, UploadDeclaration } from '#server/platform/calls/call.ts';
import { type FormFile, readMultipart } from '#server/platform/files/multipart.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import type { Outcome } from '../api/outcome.server.ts';
import { keepPostedFields } from './form-owner.server.ts';
import type { RequestContext } from './form-request.ts';
import { formTooLarge, maxFields } from './posted-form.server.ts';

export interface FormWithFile {
  fields: URLSearchParams;
  /** The first file. Undefined if none was chosen. The fields are complete even if the file is too large. */
  file: File | 'too-large' | undefined;
}

/** Maximum bytes of all text fields together. */
const fieldBytes = 1024 * 1024;
/** Maximum number of files per form. */
const maxFiles = 50;
/** The form is read up to this multiple of the file limit, so that fields after an oversized file are not lost. */
const maxReadFactor = 10;

/**
 * Reads the fields and the first file into memory, up to `fileBytes`. After an oversized file it reads on, so that no
 * field is lost. Error pages show the fields again.
 */
export async function readFormWithFile(
  request: Request,
  context: RequestContext,
  fileBytes: number,
): Promise<FormWithFile> {
  let first: File | 'too-large' | undefined;
  const fields = await readFormWithFiles(request, context, fileBytes, (file) => {
    first ??= file;
  });
  return { fields, file: first };
}

/**
 * Reads the fields, and passes each file (even an empty one) to `take` as it arrives. The sender waits for `take`, so
 * only one file is in memory. An error of `take` is thrown once the whole form is read, but a 413 for a far too large
 * form at once.
 */
export async function readFormWithFiles(
  request: Request,
  context: RequestContext,
  fileBytes: number,
  take: (file: File | 'too-large', field: string) => Promise<void> | void,
): Promise<URLSearchParams> {
  return readFields(request, context, fileBytes, async (part) => {
    const file = await wholeFile(part, fileBytes).catch(() => undefined);
    if (file) await take(file, part.field);
  });
}

/**
 * Reads the fields and streams the first file to `call`, so that it may be as large as the call allows. The outcome is
 * undefined if no file was chosen.
 */
export async function readFormSendingFile<C extends AnyCall>(
  request: Request,
  context: RequestContext,
  call: C,
): Promise<{ fields: URLSearchParams; outcome: Outcome<AnswerOf<C>> | undefined }> {
  const { fileBytes }: UploadDeclaration = call.upload;
  let outcome: Outcome<AnswerOf<C>> | undefined;
  const fields = await readFields(request, context, fileBytes, async (part) => {
    if (part.name && !outcome) outcome = await sendOn(part, context.get(api), call);
    else part.bytes.resume();
  });
  return { fields, outcome };
}

async function readFields(
  request: Request,
  context: RequestContext,
  fileBytes: number,
  take: (part: FormFile) => Promise<void>,
): Promise<URLSearchParams> {
  const limits = { fields: maxFields, fieldBytes, files: maxFiles, bytes: fieldBytes + maxReadFactor * fileBytes };
  const { fields, fault, failures } = await readMultipart(request, limits, async (part, before) => {
    // Refuses the form of another user before any file is stored.
    keepPostedFields(context, [...before]);
    await take(part);
    return undefined;
  });
  keepPostedFields(context, [...fields]);
  // If the upload was aborted, the form is shown again with the fields that arrived.
  if (fault && fault !== 'broken') throw formTooLarge();
  if (failures.length > 0) throw failures[0];
  return fields;
}

async function sendOn<C extends AnyCall>({ name = '', type, bytes }: FormFile, client: ApiClient, call: C) {
  const { field }: UploadDeclaration = call.upload;
  const boundary = crypto.randomUUID();
  const file = `form-data; name="${field}"; filename="${name.replace(/["\r\n]/g, encodeURIComponent)}"`;
  const head = `--${boundary}\r\ncontent-disposition: ${file}\r\ncontent-type: ${type}\r\n\r\n`;
  const text = new TextEncoder();
  const chunks: AsyncIterator<Uint8Array> = bytes[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    start: (form) => form.enqueue(text.encode(head)),
    async pull(form) {
      const chunk = await chunks.next();
      form.enqueue(chunk.done ? text.encode(`\r\n--${boundary}--\r\n`) : chunk.value);
      if (chunk.done) form.close();
    },
  });
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  try {
    const init = { method: 'POST', headers, body, duplex: 'half' };
    return await client.upload(call, new Request('http://form', init as RequestInit));
  } finally {
    // Reads the rest of a refused file, because fields may follow it.
    while (!(await chunks.next()).done);
  }
}

/** Hash of texts and files, to recognise a form that is posted again. It does not depend on where files are stored. */
export async function contentHash(parts: readonly (string | File)[]): Promise<string> {
  const content = createHash('sha256');
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : new Uint8Array(await part.arrayBuffer());
    content.update(`${bytes.byteLength} `).update(bytes);
  }
  return content.digest('base64url');
}

/** Reads a file into memory. Undefined if no file was chosen. */
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

/** Streaming parser for multipart/form-data (RFC 7578), on busboy. */
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';

export interface FormLimits {
  /** Maximum number of text fields; 1,000 by default. */
  fields?: number;
  /** Maximum bytes of one text field; also limits roughly the sum of all text fields. */
  fieldBytes: number;
  files: number;
  /** Maximum bytes of the whole form. */
  bytes: number;
}

export interface FormFile {
  /** Name of the form field. */
  field: string;
  /** File name from the sender; undefined if no file was chosen or the part has no file name. */
  name: string | undefined;
  type: string;
  bytes: Readable;
}

/** Value that `take` returns once it has all it needs; the rest of the form is then skipped. */
export const skipRest = 'enough';

/**
 * Why reading stopped: the form is malformed or cut off, the form is too long, its text fields are too long, it has too
 * many files, or `take` needs no more.
 */
export type FormFault = 'broken' | 'too long' | 'too much typed' | 'too many files' | typeof skipRest;

export interface ReadForm {
  /** Text fields in order; names may occur several times. Includes fields read before a fault. */
  fields: URLSearchParams;
  /** First fault of the form; undefined if it was read to the end. */
  fault: FormFault | undefined;
  /** Errors that `take` threw; after the first one it gets no further files. */
  failures: unknown[];
}

/** Bytes that names of fields may take in addition to their values. */
const roomForNames = 64 * 1024;
const usualFields = 1000;

/**
 * Reads a form. `take` gets each file while it arrives, one at a time (backpressure), with the fields before it. After
 * a fault the rest of the body stays unread, and a client that is still sending may see a network error instead of the
 * answer. With `drains` the rest is read and dropped, up to `bytes`, so that the client gets the answer; but not after
 * too many or too long text fields.
 */
export async function readMultipart(
  { headers, body }: { headers: Headers; body: ReadableStream<Uint8Array> | null },
  { fields: mostFields = usualFields, fieldBytes, files, bytes }: FormLimits,
  take: (file: FormFile, before: URLSearchParams) => Promise<undefined | typeof skipRest>,
  drains = false,
): Promise<ReadForm> {
  const fields = new URLSearchParams();
  const failures: unknown[] = [];
  let fault: FormFault | undefined;
  let isOver = false;
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = () => {
      isOver = true;
      resolve();
    };
  });
  const stop = (reason: FormFault) => {
    fault ??= reason;
    end();
  };

  const parser = parserOf(headers.get('content-type') ?? '', {
    fieldSize: fieldBytes,
    fields: mostFields,
    files,
    parts: mostFields + files,
  });
  if (!parser || !body) return { fields, fault: 'broken', failures };
  parser.once('finish', end);
  parser.on('error', () => stop('broken'));
  let typed = 0;
  parser.on('field', (name, value, isNameCut, isValueCut) => {
    typed += name.length + value.length;
    if (isNameCut || isValueCut || typed > fieldBytes + roomForNames) stop('too much typed');
    else fields.append(name, value);
  });
  parser.on('fieldsLimit', () => stop('too much typed'));
  parser.on('partsLimit', () => stop('too much typed'));
  parser.on('filesLimit', () => stop('too many files'));

  const parts: Readable[] = [];
  let taken = Promise.resolve();
  parser.on('file', (field, part: Readable, name: string | undefined, _encoding, type) => {
    parts.push(part);
    // A form that ends inside a file is sometimes reported by the stream of the file only, not by the parser.
    part.on('error', () => stop('broken'));
    taken = taken.then(async () => {
      if (fault && fault !== 'broken') return;
      if (failures.length > 0) part.resume();
      else if ((await take({ field, name: nameOf(name), type, bytes: part }, fields)) === skipRest) stop(skipRest);
    });
    taken = taken.catch((error) => {
      failures.push(error);
      // Stops here, because the parser would wait forever for the stream of a file that `take` has abandoned.
      if (part.destroyed && !part.readableEnded) stop(skipRest);
      else part.resume();
    });
  });

  const reader = body.getReader();
  let size = 0;
  while (!fault || (drains && fault !== 'too much typed')) {
    const chunk = await reader.read().catch(() => undefined);
    if (!chunk) {
      stop('broken');
      break;
    }
    if (chunk.done) {
      if (!isOver) parser.end();
      await over;
      break;
    }
    size += chunk.value.byteLength;
    if (size > bytes) {
      stop('too long');
      break;
    }
    if (!isOver) await Promise.race([over, new Promise<void>((done) => parser.write(chunk.value, () => done()))]);
  }
  reader.releaseLock();
  if (fault) {
    // Destroys the streams of unfinished parts, because the parser never closes them.
    parser.destroy();
    for (const part of parts) if (!part.readableEnded) part.destroy();
  }
  await taken;
  return { fields, fault, failures };
}

function parserOf(contentType: string, limits: object): BusboyInstance | undefined {
  try {
    return new Busboy({ headers: { 'content-type': contentType } as BusboyHeaders, limits });
  } catch {
    return undefined;
  }
}

/**
 * Reads the text fields before the first file, if they are within the first `most` bytes of the body. Returns the
 * fields, and an equal request that is still unread.
 */
export async function fieldsBeforeFile(
  { url, method, headers, body }: Request,
  most: number,
): Promise<{ fields: URLSearchParams; whole: Request }> {
  const reader = body?.getReader();
  const seen: Uint8Array[] = [];
  const next = async () => (await reader?.read())?.value;
  let left = most;
  const head = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = left > 0 ? await next() : undefined;
        if (!chunk) return controller.close();
        seen.push(chunk);
        controller.enqueue(chunk.subarray(0, left));
        left -= chunk.length;
      },
    },
    { highWaterMark: 0 },
  );
  const limits = { fieldBytes: most, files: 1, bytes: most };
  const { fields } = await readMultipart({ headers, body: head }, limits, async () => skipRest);
  const rest = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = seen.shift() ?? (await next());
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
  return { fields, whole: new Request(url, { method, headers, body: rest, duplex: 'half' } as RequestInit) };
}

/** Browsers escape only quotation marks and line breaks in file names. */
const nameOf = (name: string | undefined): string | undefined =>
  name?.replaceAll('%22', '"').replace(/%0[AD]/gi, '') || undefined;

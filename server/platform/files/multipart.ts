/** Forms with files (multipart/form-data, RFC 7578), read while they arrive. */
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';

export interface FormLimits {
  /** Ordinary fields; 1,000 where none is said. */
  fields?: number;
  /** Bytes of one ordinary field, and about of all of them together. */
  fieldBytes: number;
  files: number;
  /** Bytes of the whole form. */
  bytes: number;
}

export interface FormFile {
  /** Name of the form field. */
  field: string;
  /** As the sender says; undefined where nothing was chosen, and in a part without a file name. */
  name: string | undefined;
  type: string;
  bytes: Readable;
}

/** Asked for by whoever has what they want: the rest of the form is not looked into. */
export const enough = 'enough';

/**
 * Why a form was not read to its end: it is malformed or was cut off, it is longer than it may be, its fields are, it
 * has more files than are wanted, or there was enough.
 */
export type FormFault = 'broken' | 'too long' | 'too much typed' | 'too many files' | typeof enough;

export interface ReadForm {
  /** In their order; a name may come several times. Also those that came before a fault. */
  fields: URLSearchParams;
  /** The first one. */
  fault: FormFault | undefined;
  /** What `take` threw; no further file was given to it. */
  failures: unknown[];
}

/** The fields' names take some room beside them. */
const roomForNames = 64 * 1024;
const usualFields = 1000;

/**
 * Reads a form; each file is given to `take` while it arrives, with the fields before it, one at a time, and the sender waits meanwhile. With a
 * fault reading ends and what is left of the body stays unread, for the HTTP server to deal with: cancelling it would
 * cut the connection that the answer has to take. A sender who is cut off sees a broken connection instead of an answer,
 * so with `hearsOut` the rest is read to nowhere up to the limit of the whole; but not that of fields without end, which
 * are no mistake.
 */
export async function readMultipart(
  { headers, body }: { headers: Headers; body: ReadableStream<Uint8Array> | null },
  { fields: mostFields = usualFields, fieldBytes, files, bytes }: FormLimits,
  take: (file: FormFile, before: URLSearchParams) => Promise<undefined | typeof enough>,
  hearsOut = false,
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
    // A form that breaks off within a file is reported by that file, not always by the parser.
    part.on('error', () => stop('broken'));
    taken = taken.then(async () => {
      if (fault && fault !== 'broken') return;
      if (failures.length > 0) part.resume();
      else if ((await take({ field, name: nameOf(name), type, bytes: part }, fields)) === enough) stop(enough);
    });
    taken = taken.catch((error) => {
      failures.push(error);
      // The parser waits for ever for whoever left a file in the middle.
      if (part.destroyed && !part.readableEnded) stop(enough);
      else part.resume();
    });
  });

  const reader = body.getReader();
  let size = 0;
  while (!fault || (hearsOut && fault !== 'too much typed')) {
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
    // The parser leaves a part that it was in the middle of open for ever.
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
 * The fields that stand before the first file, and the request whole again. No more than `most` bytes are looked at.
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
  const { fields } = await readMultipart({ headers, body: head }, limits, async () => enough);
  const rest = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = seen.shift() ?? (await next());
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
  return { fields, whole: new Request(url, { method, headers, body: rest, duplex: 'half' } as RequestInit) };
}

/** Browsers write the quotation mark and line ends of a file's name in this way, and nothing else. */
const nameOf = (name: string | undefined): string | undefined =>
  name?.replaceAll('%22', '"').replace(/%0[AD]/gi, '') || undefined;

/** Streaming tar archives, for backups. */
import { ReadableStream } from 'node:stream/web';
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from 'modern-tar';

export interface TarEntry {
  name: string;
  /** Bytes. */
  size: number;
  bytes: AsyncIterable<Uint8Array>;
}

/** Thrown if the archive is truncated or no tar archive. */
export class ArchiveDamaged extends Error {}

/** Packs files with mode 0600; `at` in unix seconds. Fails if a file's length differs from its stated size. */
export function packTar(entries: AsyncIterable<TarEntry>, at: number): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const pack = async () => {
    for await (const { name, size, bytes } of entries) {
      const body = controller.add({ name, size, mode: 0o600, mtime: new Date(at * 1000) }).getWriter();
      for await (const chunk of bytes) await body.write(chunk);
      await body.close();
    }
    controller.finalize();
  };
  pack().catch((error: unknown) => controller.error(error));
  return readable as ReadableStream<Uint8Array>;
}

/**
 * Yields the files of an archive in order. Read the bytes of a file before asking for the next one: unread bytes are
 * skipped. Reads to the end of the source, where decompression and decryption verify their checksums.
 */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const decoder = createTarDecoder({ strict: true }) as {
    readable: ReadableStream<ParsedTarEntry>;
    writable: WritableStream;
  };
  for await (const { header, body } of checkComplete(ReadableStream.from(source).pipeThrough(decoder))) {
    const bytes = checkComplete(body as ReadableStream<Uint8Array>);
    yield { name: header.name, size: header.size, bytes };
    await bytes.return(undefined);
    if (!body.locked) await body.cancel();
  }
}

async function* checkComplete<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (cause) {
    throw new ArchiveDamaged('the archive is cut off or damaged', { cause });
  }
}

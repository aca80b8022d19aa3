/**
 * Archives that stream, as `tar` reads and writes them (POSIX ustar): a header of 512 bytes before each file, whose bytes
 * are filled up to the next 512. Names are short and ASCII, which is all that is written here. Sizes from 8 GB on stand in
 * binary, as GNU has it.
 */

const block = 512;
/** Characters of a name at most. */
const nameBytes = 100;
const sizeField = { from: 124, to: 136 };
const checksumField = { from: 148, to: 156 };
const octalMost = 8 ** 11 - 1;

export interface TarEntry {
  name: string;
  /** Bytes. */
  size: number;
}

/** The header of a file that only its owner reads; `at` in unix seconds. */
export function tarHeader({ name, size }: TarEntry, at: number): Uint8Array {
  if (name.length > nameBytes || !/^[\x21-\x7e]+$/.test(name)) throw new Error(`no name for an archive: ${name}`);
  const header = Buffer.alloc(block);
  const octal = (value: number, from: number, to: number) =>
    header.write(`${value.toString(8).padStart(to - from - 1, '0')}\0`, from, 'latin1');
  header.write(name, 0, 'latin1');
  octal(0o600, 100, 108);
  octal(0, 108, 116);
  octal(0, 116, 124);
  if (size <= octalMost) octal(size, sizeField.from, sizeField.to);
  else {
    header[sizeField.from] = 0x80;
    header.writeBigUInt64BE(BigInt(size), sizeField.to - 8);
  }
  octal(at, 136, 148);
  header.write('0', 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  header.fill(' ', checksumField.from, checksumField.to);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, checksumField.from, 'latin1');
  return header;
}

/** What follows a file of so many bytes. */
export const tarPadding = (size: number): Uint8Array => Buffer.alloc((block - (size % block)) % block);

/** What ends an archive. */
export const tarEnd = (): Uint8Array => Buffer.alloc(2 * block);

/** The archive is cut off, or is none. */
export class ArchiveDamaged extends Error {}

/**
 * The files of an archive in their order. The bytes of each are to be read, or left, before the next one is asked for;
 * what was left is passed over.
 */
export async function* readTar(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<TarEntry & { bytes: AsyncGenerator<Uint8Array> }> {
  const reader = new Reader(source);
  for (;;) {
    const header = await reader.exactly(block);
    if (header.every((byte) => byte === 0)) {
      await reader.rest();
      return;
    }
    const { name, size } = readHeader(header);
    let left = size;
    const bytes = (async function* () {
      while (left > 0) {
        const chunk = await reader.some(left);
        left -= chunk.length;
        yield chunk;
      }
    })();
    yield { name, size, bytes };
    while (left > 0) left -= (await reader.some(left)).length;
    await reader.exactly(tarPadding(size).length);
  }
}

function readHeader(header: Buffer): TarEntry {
  const said = Number.parseInt(header.toString('latin1', checksumField.from, checksumField.to), 8);
  const sum = header.reduce(
    (all, byte, at) => all + (at >= checksumField.from && at < checksumField.to ? 32 : byte),
    0,
  );
  if (said !== sum) throw new ArchiveDamaged('a header of the archive is damaged');
  const name = header.toString('latin1', 0, nameBytes).replace(/\0.*$/s, '');
  const size =
    header[sizeField.from] === 0x80
      ? Number(header.readBigUInt64BE(sizeField.to - 8))
      : Number.parseInt(header.toString('latin1', sizeField.from, sizeField.to), 8);
  return { name, size };
}

/** Hands on the bytes of a source in the pieces that are asked for. */
class Reader {
  private readonly iterator: AsyncIterator<Uint8Array>;
  private held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.iterator = source[Symbol.asyncIterator]();
  }

  /** One byte at least, `most` at most. */
  async some(most: number): Promise<Buffer> {
    while (this.held.length === 0) {
      const { done, value } = await this.next();
      if (done) throw new ArchiveDamaged('the archive is cut off');
      this.held = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    const taken = this.held.subarray(0, most);
    this.held = this.held.subarray(taken.length);
    return taken;
  }

  async exactly(count: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let left = count; left > 0; ) {
      const piece = await this.some(left);
      pieces.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  /** What unpacks it and what decrypts it complain in their own ways of one that is not whole. */
  private next(): Promise<IteratorResult<Uint8Array>> {
    return this.iterator.next().catch((cause: unknown) => {
      throw new ArchiveDamaged('the archive is damaged', { cause });
    });
  }

  /** Reads to the end: what decompresses or decrypts checks there that all of it was right. */
  async rest(): Promise<void> {
    while (!(await this.next()).done);
  }
}

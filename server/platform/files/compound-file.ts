/**
 * Reads Compound File Binary ([MS-CFB]), the container of .doc, .ppt and .xls and of password-protected .docx, .pptx
 * and .xlsx, just far enough to detect kind and encryption. File size bounds every loop, so a malicious file cannot
 * keep it busy.
 */
import type { FileHandle } from 'node:fs/promises';

/** Reads `length` bytes at `offset`; fewer at the end of the file. */
export type ReadAt = (offset: number, length: number) => Promise<Buffer>;

export const readerOf =
  (file: FileHandle): ReadAt =>
  async (offset, length) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };

export type CompoundKind = 'doc' | 'ppt' | 'xls' | 'other';

export interface CompoundFile {
  kind: CompoundKind;
  /**
   * True if the document needs a password: an encrypted .doc or .ppt, or an encrypted .docx, .pptx or .xlsx
   * ([MS-OFFCRYPTO]).
   */
  encrypted: boolean;
}

const signature = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const lastRegularSector = 0xfffffffa;
const miniSectorSize = 64;
/**
 * Maximum sectors of a chain, 8 MB in total. The small streams of office files are far shorter; a longer chain is a
 * cycle.
 */
const longestChain = 16_384;

export function isCompound(head: Uint8Array): boolean {
  return signature.equals(head.subarray(0, 8));
}

interface Entry {
  name: string;
  type: number;
  start: number;
  size: number;
}

class Damaged extends Error {}

class CompoundReader {
  private readonly readAt: ReadAt;
  private readonly fileSize: number;
  private sectorSize = 512;
  private miniCutoff = 4096;
  private firstMiniFat = 0;
  private fatSectors: number[] = [];
  private directory: Entry[] = [];
  private tableSector = { number: -1, bytes: Buffer.alloc(0) as Buffer };

  constructor(readAt: ReadAt, fileSize: number) {
    this.readAt = readAt;
    this.fileSize = fileSize;
  }

  private async bytes(position: number, length: number): Promise<Buffer> {
    const bytes = await this.readAt(position, length);
    if (bytes.length === 0) throw new Damaged();
    // The last sector of a file may be short, so it is padded with zeros.
    return bytes.length === length ? bytes : Buffer.concat([bytes], length);
  }

  private sector(number: number): Promise<Buffer> {
    const position = (number + 1) * this.sectorSize;
    if (number >= lastRegularSector || position >= this.fileSize) throw new Damaged();
    return this.bytes(position, this.sectorSize);
  }

  private async entryOfTable(tableSectors: number[], index: number): Promise<number> {
    const perSector = this.sectorSize / 4;
    const sector = tableSectors[Math.floor(index / perSector)];
    if (sector === undefined) throw new Damaged();
    // Caches the table sector, because neighbours in a chain usually have their entries in the same one.
    if (this.tableSector.number !== sector) this.tableSector = { number: sector, bytes: await this.sector(sector) };
    return this.tableSector.bytes.readUInt32LE((index % perSector) * 4);
  }

  /** Sector numbers of a chain, at most `count` of them. */
  private async chain(start: number, count: number): Promise<number[]> {
    const sectors: number[] = [];
    const most = Math.min(count, longestChain);
    let current = start;
    while (current < lastRegularSector && sectors.length < most) {
      sectors.push(current);
      if (sectors.length < most) current = await this.entryOfTable(this.fatSectors, current);
    }
    return sectors;
  }

  async open(): Promise<void> {
    const header = await this.bytes(0, 512);
    this.sectorSize = 1 << header.readUInt16LE(30);
    if (this.sectorSize !== 512 && this.sectorSize !== 4096) throw new Damaged();
    this.miniCutoff = header.readUInt32LE(56);
    this.firstMiniFat = header.readUInt32LE(60);

    // Maximum number of table sectors in a file of this size; one of them describes (sector size / 4) sectors.
    const most = Math.ceil(this.fileSize / this.sectorSize / (this.sectorSize / 4)) + 1;
    for (let at = 76; at < 512; at += 4) this.addFatSector(header.readUInt32LE(at));
    let next = header.readUInt32LE(68);
    while (next < lastRegularSector && this.fatSectors.length < most) {
      const sector = await this.sector(next);
      for (let at = 0; at < this.sectorSize - 4; at += 4) this.addFatSector(sector.readUInt32LE(at));
      next = sector.readUInt32LE(this.sectorSize - 4);
    }

    // Reads at most 4,096 directory sectors, which have room for 16,384 entries or more; office files have dozens.
    for (const number of await this.chain(header.readUInt32LE(48), 4096)) {
      const sector = await this.sector(number);
      for (let at = 0; at < this.sectorSize; at += 128) {
        const nameBytes = Math.min(sector.readUInt16LE(at + 64), 64);
        const type = sector[at + 66] ?? 0;
        if (type === 0 || nameBytes < 2) continue;
        this.directory.push({
          name: sector.toString('utf16le', at, at + nameBytes - 2),
          type,
          start: sector.readUInt32LE(at + 116),
          size: sector.readUInt32LE(at + 120),
        });
      }
    }
    if (this.directory[0]?.type !== 5) throw new Damaged();
  }

  private addFatSector(number: number): void {
    if (number < lastRegularSector) this.fatSectors.push(number);
  }

  stream(name: string): Entry | undefined {
    return this.directory.find((entry) => entry.type === 2 && entry.name === name);
  }

  /** Returns the first bytes of a stream: at most 64, all within its first sector. */
  async firstBytes(entry: Entry): Promise<Buffer> {
    const length = Math.min(entry.size, 64);
    if (entry.size >= this.miniCutoff) return (await this.sector(entry.start)).subarray(0, length);
    const root = this.directory[0];
    if (!root || this.firstMiniFat >= lastRegularSector) throw new Damaged();
    const position = entry.start * miniSectorSize;
    const index = Math.floor(position / this.sectorSize);
    const container = (await this.chain(root.start, index + 1))[index];
    if (container === undefined) throw new Damaged();
    const at = position % this.sectorSize;
    return (await this.sector(container)).subarray(at, at + length);
  }
}

/** Returns what the file is; null if it has the signature but cannot be read. */
export async function inspectCompound(readAt: ReadAt, fileSize: number): Promise<CompoundFile | null> {
  try {
    const reader = new CompoundReader(readAt, fileSize);
    await reader.open();
    if (reader.stream('EncryptedPackage') || reader.stream('EncryptionInfo')) return { kind: 'other', encrypted: true };

    const word = reader.stream('WordDocument');
    if (word) {
      const head = await reader.firstBytes(word);
      // FibBase.fEncrypted ([MS-DOC] 2.5.2); also set for the XOR obfuscation of old versions.
      return { kind: 'doc', encrypted: head.length >= 12 && (head.readUInt16LE(10) & 0x0100) !== 0 };
    }
    if (reader.stream('PowerPoint Document')) {
      const user = reader.stream('Current User');
      const head = user && (await reader.firstBytes(user));
      // CurrentUserAtom.headerToken ([MS-PPT] 2.3.2): 0xF3D1C4DF in an encrypted document.
      const token = head && head.length >= 16 ? head.readUInt32LE(12) : 0;
      return { kind: 'ppt', encrypted: token === 0xf3d1c4df || reader.stream('EncryptedSummary') !== undefined };
    }
    if (reader.stream('Workbook') || reader.stream('Book')) return { kind: 'xls', encrypted: false };
    return { kind: 'other', encrypted: false };
  } catch (error) {
    if (error instanceof Damaged || error instanceof RangeError) return null;
    throw error;
  }
}

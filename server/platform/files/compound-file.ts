/**
 * Reads the directory of an OLE compound file (MS-CFB): the container of the old Office formats (.doc, .xls, .ppt) and
 * of every password-protected .docx, .xlsx and .pptx.
 */

const signature = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const directoryEntrySize = 128;
const fatSectorsInHeader = 109;
/** A directory of an Office file has some dozens of entries; a chain longer than this is damaged or hostile. */
const longestDirectoryChain = 256;

/** Reads `length` bytes at `offset`; fewer at the end of the file. */
export type ReadAt = (offset: number, length: number) => Promise<Buffer>;

export const isCompoundFile = (head: Uint8Array): boolean =>
  head.length >= signature.length && signature.equals(head.subarray(0, signature.length));

/** The names of the file's streams and storages, such as `EncryptedPackage` or `WordDocument`; none where it is damaged. */
export async function compoundFileStreams(readAt: ReadAt): Promise<string[]> {
  const header = await readAt(0, 512);
  if (header.length < 512 || !isCompoundFile(header)) return [];
  const sectorShift = header.readUInt16LE(30);
  if (sectorShift !== 9 && sectorShift !== 12) return [];
  const sectorSize = 2 ** sectorShift;
  const offsetOf = (sector: number) => (sector + 1) * sectorSize;

  const nextSector = async (sector: number): Promise<number | undefined> => {
    const entriesPerSector = sectorSize / 4;
    const fatIndex = Math.floor(sector / entriesPerSector);
    // The chain of a directory lies in the FAT sectors that the header names itself, for any file below 7 MB;
    // beyond that the first directory sectors, which hold the names looked for, are still found.
    if (fatIndex >= fatSectorsInHeader) return undefined;
    const entry = await readAt(offsetOf(header.readUInt32LE(76 + fatIndex * 4)) + (sector % entriesPerSector) * 4, 4);
    return entry.length === 4 ? entry.readUInt32LE(0) : undefined;
  };

  const names: string[] = [];
  let sector: number | undefined = header.readUInt32LE(48);
  for (let step = 0; step < longestDirectoryChain && sector !== undefined && sector < 0xfffffffa; step += 1) {
    const bytes = await readAt(offsetOf(sector), sectorSize);
    for (let at = 0; at + directoryEntrySize <= bytes.length; at += directoryEntrySize) {
      const nameBytes = bytes.readUInt16LE(at + 64);
      if (nameBytes >= 2 && nameBytes <= 64) names.push(bytes.toString('utf16le', at, at + nameBytes - 2));
    }
    sector = await nextSector(sector);
  }
  return names;
}

/** Writes QTI packages, version 2.1 or 3.0: a test, an item for each question, and their pictures. */
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { Yielding } from '#server/platform/jobs/yielding.ts';
import type { ImportNote } from '../import.contract.ts';
import { type ExportedQuestions, type ExportOptions, type ExportQuestion, placeOf } from './export-question.ts';
import { fieldLosses } from './losses.ts';
import { readPictures } from './pictures.ts';
import { type WrittenItem, writeItem } from './qti-item.ts';
import { manifestXml, testFile, testXml } from './qti-manifest.ts';
import type { Version } from './qti-xml.ts';

export const writeQti21 = (questions: readonly ExportQuestion[], options: ExportOptions): Promise<ExportedQuestions> =>
  writeQti('2.1', questions, options);

export const writeQti30 = (questions: readonly ExportQuestion[], options: ExportOptions): Promise<ExportedQuestions> =>
  writeQti('3.0', questions, options);

async function writeQti(
  version: Version,
  questions: readonly ExportQuestion[],
  options: ExportOptions,
): Promise<ExportedQuestions> {
  const losses: ImportNote[] = [];
  const zip = new ZipFile();
  const items: WrittenItem[] = [];
  const turns = new Yielding();
  let pictureCount = 0;
  for (const [index, question] of questions.entries()) {
    await turns.others();
    const pictures = await readPictures([question], options);
    const names = new Map<string, string>();
    for (const [src, picture] of pictures) {
      pictureCount += 1;
      const name = `pictures/${pictureCount}.${extensions[picture.contentType] ?? 'png'}`;
      names.set(src, name);
      zip.addBuffer(picture.bytes, name, { ...fixedDate, compress: false });
    }
    const { item, lost } = writeItem(version, question, index + 1, names);
    items.push(item);
    zip.addBuffer(Buffer.from(item.xml), item.file, fixedDate);
    losses.push(...lost.map((message) => ({ where: placeOf(question), message })));
    losses.push(...fieldLosses(question, ['tags']));
  }
  zip.addBuffer(Buffer.from(testXml(version, items, options.title)), testFile, fixedDate);
  zip.addBuffer(Buffer.from(manifestXml(version, items, options.title)), 'imsmanifest.xml', fixedDate);
  zip.end();
  return { bytes: await buffer(zip.outputStream as Readable), losses };
}

const extensions: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp' };

/** Files in the package have a fixed date, so that the same questions give the same bytes. */
const fixedDate = { mtime: new Date(2000, 0, 1), forceDosTimestamp: true } as const;

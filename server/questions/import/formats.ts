/** The formats that questions can be read from. */
import { extensionOf } from '#server/platform/files/rules.ts';
import type { QuestionsFile } from './imported-question.ts';
import { isQtiDocument } from './qti/document-kind.ts';
import type { QuestionsReader } from './reading.ts';
import { previewRefusals } from './rules.ts';

export interface QuestionFormat {
  name: string;
  /** Name on the screens. */
  label: string;
  /** File name extensions in lower case, without the dot. */
  endings: readonly string[];
  /** True if the content is of this format, whatever the file's name. */
  detect: (bytes: Buffer, fileName: string) => boolean;
  /** Loads its reader when called, so that the server does not keep all readers in memory. */
  read: QuestionsReader;
}

/** True for a zip container with a part of this name. Names are stored uncompressed. */
const hasPart = (bytes: Buffer, part: string): boolean =>
  bytes.toString('latin1', 0, 4) === 'PK\x03\x04' && bytes.includes(part);

/** The first format that detects a file reads it, so narrow formats come first. */
export const questionFormats: readonly QuestionFormat[] = [
  {
    name: 'docx',
    label: 'Word',
    endings: ['docx'],
    detect: (bytes) => hasPart(bytes, 'word/document'),
    read: async (bytes, options) => (await import('./word.ts')).readWordQuestions(bytes, options),
  },
  {
    name: 'xlsx',
    label: 'Excel',
    endings: ['xlsx'],
    detect: (bytes) => hasPart(bytes, 'xl/workbook'),
    read: async (bytes, options) => (await import('./excel.ts')).readExcelQuestions(bytes, options),
  },
  {
    name: 'qti',
    label: 'QTI（Canvas、Blackboard 等）',
    endings: ['zip', 'imscc', 'xml', 'qti'],
    detect: (bytes) => hasPart(bytes, 'imsmanifest.xml') || isQtiDocument(bytes),
    read: async (bytes, options) => (await import('./qti/read.ts')).readQtiQuestions(bytes, options),
  },
];

/**
 * Returns the format of a file. The content decides. The name decides if several formats detect the content, or none
 * does: then the reader says what is wrong with the file.
 */
export function formatOf({ name, bytes }: QuestionsFile): QuestionFormat | undefined {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ending = extensionOf(name);
  const hasEnding = (format: QuestionFormat) => format.endings.includes(ending);
  const detected = questionFormats.filter((format) => format.detect(content, name));
  return detected.find(hasEnding) ?? detected[0] ?? questionFormats.find(hasEnding);
}

/** Reads a file, or a Word paper with its answer key. */
export async function readQuestions(
  files: readonly QuestionsFile[],
  options: Parameters<QuestionsReader>[1] = {},
): ReturnType<QuestionsReader> {
  const [first, ...more] = files;
  const formats = files.map(formatOf);
  const [format] = formats;
  if (!first || !format || formats.includes(undefined)) return { refused: unknownFormatMessage() };
  if (more.length > 0 && formats.some((other) => other?.name !== 'docx')) {
    return { refused: previewRefusals.severalFiles };
  }
  return await format.read(first.bytes, { ...options, more });
}

/** Refuses a file of none of these formats. */
export function unknownFormatMessage(): string {
  const endings = questionFormats.flatMap((format) => format.endings.map((ending) => `.${ending}`));
  return `只能导入 ${endings.slice(0, -1).join('、')} 或 ${endings.at(-1)} 格式的文件`;
}

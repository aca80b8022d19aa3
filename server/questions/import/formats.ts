/** The formats that questions can be read from. */
import { extensionOf } from '#server/platform/files/rules.ts';
import type { PreviewFormat, QuestionsFile } from './imported-question.ts';
import { adviceFor } from './other-formats.ts';
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

/** Names of the formats on the screens, as a preview tells them apart. */
export const formatLabels: Readonly<Record<PreviewFormat, string>> = {
  'docx-paper': 'Word 试卷',
  'docx-template': 'Word 模板',
  xlsx: 'Excel',
  'moodle-xml': 'Moodle XML',
  gift: 'GIFT',
  aiken: 'Aiken',
  qti12: 'QTI 1.2',
  qti21: 'QTI 2.1',
  qti30: 'QTI 3.0',
  imscc: 'Common Cartridge',
  csv: 'CSV',
  text: '文本',
};

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
  {
    name: 'moodle-xml',
    label: 'Moodle XML',
    endings: ['xml'],
    detect: (bytes) => isMoodleXml(headOf(bytes)),
    read: async (bytes, options) => (await import('./moodle-xml.ts')).readMoodleXmlQuestions(bytes, options),
  },
  {
    name: 'csv',
    label: 'CSV',
    endings: ['csv', 'tsv'],
    detect: (bytes) => isCsv(headOf(bytes)),
    read: async (bytes, options) => (await import('./csv.ts')).readCsvQuestions(bytes, options),
  },
  {
    name: 'gift',
    label: 'GIFT',
    endings: ['gift', 'txt'],
    detect: (bytes) => isGift(headOf(bytes)),
    read: async (bytes, options) => (await import('./gift.ts')).readGiftQuestions(bytes, options),
  },
  {
    name: 'aiken',
    label: 'Aiken',
    endings: ['aiken', 'txt'],
    detect: (bytes) => isAiken(headOf(bytes)),
    read: async (bytes, options) => (await import('./aiken.ts')).readAikenQuestions(bytes, options),
  },
  {
    name: 'text',
    label: '文本',
    endings: ['txt'],
    detect: (bytes, fileName) => extensionOf(fileName) === 'txt' && !isBinary(headOf(bytes)),
    read: async (bytes, options) => (await import('./text.ts')).readTextQuestions(bytes, options),
  },
];

/** Beginning of a text file. Only signs of ASCII matter, so GB18030 can be read as UTF-8. */
function headOf(bytes: Buffer): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8';
  return bytes.toString(encoding, 0, 2 ** 16).replace(/^\ufeff/, '');
}

const isMoodleXml = (text: string): boolean =>
  text
    .replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\])?\s*>/gi, '')
    .trimStart()
    .startsWith('<quiz');

/** True if one of the first lines has the title of a stem among other cells. */
const isCsv = (text: string): boolean =>
  !isBinary(text) &&
  text
    .split(/\r\n?|\n/, 10)
    .map((line) => line.split(/[,;\t]/).map((cell) => cell.replaceAll('"', '').trim()))
    .some(
      (cells) => cells.length > 1 && cells.some((cell) => /^(?:题干|题目|试题|题目内容|question|stem)$/i.test(cell)),
    );

const isBinary = (text: string): boolean => text.includes('\0') || text.startsWith('PK') || /^\s*</.test(text);

const isAiken = (text: string): boolean => !isBinary(text) && /^ANSWER\s*:\s*[A-Z]\s*$/m.test(text);

/** True if a name in colons begins a line, or braces hold answers, also in Moodle's cloze. */
const isGift = (text: string): boolean =>
  !isBinary(text) &&
  (/^\s*::[^\n]+?::/m.test(text) ||
    /\{\s*(?:T|F|TRUE|FALSE|(?:[=~#]|\d*:[A-Z_]+:)[^{}]*)?\s*\}/.test(text.replace(/\\./g, '')));

/**
 * Returns the format of a file. The content decides; the name decides between several formats. If no format detects the
 * content, the name chooses the reader, which then explains the fault.
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
  if (!first || !format || formats.includes(undefined)) return { refused: unknownFormatMessage(files) };
  if (more.length > 0 && formats.some((other) => other?.name !== 'docx')) {
    return { refused: previewRefusals.severalFiles };
  }
  return await format.read(first.bytes, { ...options, more });
}

/** Refuses files of none of these formats; says what to do with the first one of them. */
export function unknownFormatMessage(files: readonly QuestionsFile[]): string {
  const unknown = files.find((file) => !formatOf(file));
  const endings = [...new Set(questionFormats.flatMap((format) => format.endings.map((ending) => `.${ending}`)))];
  return (
    adviceFor(unknown?.name ?? '') ?? `只能导入 ${endings.slice(0, -1).join('、')} 或 ${endings.at(-1)} 格式的文件`
  );
}

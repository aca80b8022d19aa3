import { type OpenedZip, openZip, zipRefusals } from '#server/platform/files/zip.ts';
import { DamagedFile } from '#server/platform/office/xml.ts';
import { assembleQuestion, type PlaceOfLine } from './assemble.ts';
import type { ColumnMapping, SheetColumns } from './column-names.ts';
import type { ImportNote, ImportPreview, PreviewFormat, QuestionsFile, SavePicture } from './imported-question.ts';
import { createPictureStore, type PictureStore } from './pictures.ts';
import { picturesOf, type RawQuestion } from './raw-question.ts';
import { type Line, withPictureAddresses } from './rich-line.ts';
import { importedMessages, maxImportedQuestions, maxPaperLines, previewRefusals, saveAsMessages } from './rules.ts';
import { UnreadableWord } from './word-reader.ts';

/** Result of a reader: the questions of the file, and notes that belong to none of them. */
export interface ReaderResult {
  format: PreviewFormat;
  questions: RawQuestion[];
  errors: ImportNote[];
  leftOut: ImportNote[];
  doubts: ImportNote[];
  /** Lines of the document, if it has lines. */
  paper?: Line[];
  /** Sheets of a spreadsheet. */
  sheets?: SheetColumns[] | undefined;
}

export interface ReadingOptions {
  /** Further files that belong to the first, such as its answer key. Only Word papers take some. */
  more?: readonly QuestionsFile[];
  savePicture?: SavePicture;
  /** Chosen columns of a spreadsheet, in place of its titles. */
  mapping?: ColumnMapping | undefined;
  /** Progress from 0 to 1. */
  onProgress?: (part: number) => void;
}

export type QuestionsReader = (
  bytes: Uint8Array,
  options?: ReadingOptions,
) => Promise<ImportPreview | { refused: string }>;

/** Share of the progress that reading the file takes; validation and storing pictures take the rest. */
const readingShare = 0.6;

/** Field for each title, the same in Word and in Excel. */
export const commonTitles = [
  ['题干', 'stem'],
  ['题目', 'stem'],
  ['答案', 'answer'],
  ['正确答案', 'answer'],
  ['参考答案', 'answer'],
  ['解析', 'analysis'],
  ['答案解析', 'analysis'],
  ['题目解析', 'analysis'],
  ['试题解析', 'analysis'],
  ['难度', 'difficulty'],
  ['难易度', 'difficulty'],
  ['难易程度', 'difficulty'],
  ['难度系数', 'difficulty'],
  ['备注', 'remark'],
  ['大小写', 'case'],
] as const;

/** Refusals that say what to do in Word or WPS, by the general refusal of an upload. */
const importRefusals = new Map<string, string>([
  [zipRefusals.macros.message, saveAsMessages.macros],
  [zipRefusals.passwordOffice.message, saveAsMessages.password],
]);

/** Creates a function that opens an uploaded file, finds its questions and validates each. */
export function questionsReader(
  kind: 'docx' | 'xlsx',
  find: (
    zip: OpenedZip,
    onProgress: (part: number) => void,
    more: readonly OpenedZip[],
    options: ReadingOptions,
  ) => Promise<ReaderResult>,
  placeOfLine: PlaceOfLine,
): QuestionsReader {
  return async (bytes, options = {}) => {
    const { savePicture, onProgress = () => {}, more = [] } = options;
    const zips: OpenedZip[] = [];
    try {
      for (const file of [bytes, ...more.map((other) => other.bytes)]) {
        const opened = await openZip(file, kind);
        if ('refused' in opened) return { refused: importRefusals.get(opened.message) ?? opened.message };
        zips.push(opened.ok);
      }
      const [zip, ...others] = zips as [OpenedZip, ...OpenedZip[]];
      const found = await find(zip, (part) => onProgress(part * readingShare), others, options);
      return await assemblePreview(found, createPictureStore(zip, savePicture), { ...options, placeOfLine });
    } catch (error) {
      if (error instanceof UnreadableWord) return { refused: error.message };
      if (error instanceof DamagedFile) return { refused: zipRefusals.damaged.message };
      throw error;
    } finally {
      for (const zip of zips) await zip.close();
    }
  };
}

/** Validates what a reader found, and stores its pictures. */
export async function assemblePreview(
  found: ReaderResult,
  keeper: PictureStore,
  { onProgress = () => {}, placeOfLine }: ReadingOptions & { placeOfLine: PlaceOfLine },
): Promise<ImportPreview | { refused: string }> {
  if (found.questions.length > maxImportedQuestions) return { refused: previewRefusals.tooManyQuestions };
  const preview: ImportPreview = { ...found, questions: [] };
  for (const [index, raw] of found.questions.entries()) {
    await keeper.keep(picturesOf(raw));
    preview.questions.push(assembleQuestion(raw, keeper.kept, placeOfLine));
    onProgress(readingShare + ((1 - readingShare) * (index + 1)) / found.questions.length);
  }
  if (found.paper && found.paper.length <= maxPaperLines)
    preview.paper = withPictureAddresses(found.paper, keeper.kept);
  if (preview.questions.length === 0 && preview.errors.length === 0) {
    preview.errors.push({ where: '文件', message: importedMessages.noQuestions });
  }
  return preview;
}

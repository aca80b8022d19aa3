/** Reads the pictures of the questions that are exported. */
import { pictureType } from '../import/pictures.ts';
import type { ExportOptions, ExportQuestion } from './export-question.ts';
import { picturesIn } from './portable-html.ts';

export interface ExportedPicture {
  bytes: Buffer;
  contentType: string;
}

const inlinePicture = /^data:(image\/[a-z]+);base64,(.*)$/s;

/** Rich texts of a question and of its parts. */
export const richTextsOf = (question: ExportQuestion): string[] => [
  question.ques_stem,
  ...question.ques_option.map(({ content }) => content),
  ...(question.ques_type === 5 ? [question.right_answer] : []),
  question.ques_analysis,
  ...question.ques_item.flatMap(richTextsOf),
];

/** Returns the pictures of questions by their `src`. Pictures that cannot be read are left out. */
export async function readPictures(
  questions: readonly ExportQuestion[],
  { readPicture }: ExportOptions,
): Promise<Map<string, ExportedPicture>> {
  const pictures = new Map<string, ExportedPicture>();
  for (const src of picturesIn(questions.flatMap(richTextsOf))) {
    const [, inlineType, inline] = inlinePicture.exec(src) ?? [];
    const read = inline === undefined ? await readPicture(src) : Buffer.from(inline, 'base64');
    if (!read) continue;
    const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
    pictures.set(src, { bytes, contentType: inlineType ?? pictureType(bytes) ?? 'image/png' });
  }
  return pictures;
}

export const dataUri = ({ bytes, contentType }: ExportedPicture): string =>
  `data:${contentType};base64,${bytes.toString('base64')}`;

/** Reads a paper that is plain text, such as one that was pasted. */

import { assemblePreview, type QuestionsReader } from './reading.ts';
import { appendText, type Line, type Segment } from './rich-line.ts';
import { previewRefusals } from './rules.ts';
import { textOfFile } from './text-file.ts';
import { readWordQuestionsIn } from './word.ts';

export const readTextQuestions: QuestionsReader = async (bytes, options = {}) => {
  const text = await textOfFile(bytes);
  if (text === undefined) return { refused: previewRefusals.noText };
  const lines = text.split(/\r\n?|\n/).map((line, index): Line => {
    const segments: Segment[] = [];
    appendText(segments, line, []);
    return { number: index + 1, segments, continues: false };
  });
  const found = { ...readWordQuestionsIn(lines), format: 'text' as const };
  return assemblePreview(
    found,
    { keep: async () => {}, kept: new Map() },
    { ...options, placeOfLine: (_, number) => `第${number}行` },
  );
};

/** Reads questions from a CSV file, with the columns of a sheet. */

import { columnLetters } from '#server/platform/office/cell-address.ts';
import { csvRows, separatorOf } from '#server/platform/text/csv.ts';
import { LimitExceeded } from '#server/platform/text/table-limits.ts';
import type { Sheet, SheetCell } from './excel-reader.ts';
import type { ImportNote } from './imported-question.ts';
import { createPictureStore } from './pictures.ts';
import { assemblePreview, type QuestionsReader } from './reading.ts';
import type { TextLine } from './rich-line.ts';
import { faultInRow, previewRefusals, sheetMessages } from './rules.ts';
import { readQuestionSheets } from './sheet-questions.ts';
import { textOfFile } from './text-file.ts';

const sheetName = 'CSV';

export const readCsvQuestions: QuestionsReader = async (bytes, options = {}) => {
  const text = await textOfFile(bytes);
  if (text === undefined) return { refused: previewRefusals.notText };
  const sheet: Sheet = { name: sheetName, rows: [] };
  const broken: ImportNote[] = [];
  try {
    for await (const rows of csvRows(pieces(text), separatorOf(firstLine(text)))) {
      for (const { row, cells, fault } of rows) {
        if (fault) broken.push({ where: `${sheetName}!A${row}`, message: sheetMessages.brokenQuote });
        sheet.rows.push({ number: row, cells: new Map(cells.flatMap((cell, index) => cellOf(cell, index + 1, row))) });
      }
    }
  } catch (error) {
    if (error instanceof LimitExceeded) return { refused: faultInRow(error.row, error.message) };
    throw error;
  }
  const found = readQuestionSheets([sheet], options.mapping);
  const doubts = [...found.doubts, ...broken];
  const noPictures = createPictureStore({ sizes: new Map(), read: async () => undefined }, undefined);
  const placed = { ...options, placeOfLine: (field: { where: string }) => field.where };
  return assemblePreview({ format: 'csv', ...found, doubts }, noPictures, placed);
};

async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}

const firstLine = (text: string): string => /[^\r\n]+/.exec(text)?.[0] ?? '';

function cellOf(text: string, column: number, row: number): [number, SheetCell][] {
  if (text.trim() === '') return [];
  const lines = text
    .split(/\r\n?|\n/)
    .map((line, index): TextLine => ({ number: 0, segments: [{ text: line, marks: [] }], continues: index > 0 }));
  return [[column, { column, address: `${columnLetters(column)}${row}`, lines }]];
}

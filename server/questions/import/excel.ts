import { readSheets } from './excel-reader.ts';
import { questionsReader } from './reading.ts';
import { readQuestionSheets } from './sheet-questions.ts';

/** Reads questions from an .xlsx file. */
export const readExcelQuestions = questionsReader(
  'xlsx',
  async (zip, onProgress, _, { mapping }) => ({
    format: 'xlsx',
    ...readQuestionSheets(await readSheets(zip, onProgress), mapping),
  }),
  (field) => field.where,
);

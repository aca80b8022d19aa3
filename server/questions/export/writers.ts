/** The formats that questions can be written in. */
import { spreadsheetContentType } from '#server/platform/export/spreadsheet.ts';
import type { ExportFormat } from '../export.rules.ts';
import type { QuestionWriter } from './export-question.ts';

interface QuestionFileFormat {
  /** File name extension, without the dot. */
  ending: string;
  contentType: string;
  /** Loads its writer when called, so that the server does not keep all writers in memory. */
  write: QuestionWriter;
}

export const questionWriters: Readonly<Record<ExportFormat, QuestionFileFormat>> = {
  xlsx: {
    ending: 'xlsx',
    contentType: spreadsheetContentType,
    write: async (questions, options) => (await import('./xlsx.ts')).writeXlsx(questions, options),
  },
  'moodle-xml': {
    ending: 'xml',
    contentType: 'application/xml; charset=utf-8',
    write: async (questions, options) => (await import('./moodle-xml.ts')).writeMoodleXml(questions, options),
  },
  docx: {
    ending: 'docx',
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    write: async (questions, options) => (await import('./word.ts')).writeWord(questions, options),
  },
  gift: {
    ending: 'txt',
    contentType: 'text/plain; charset=utf-8',
    write: async (questions, options) => (await import('./gift.ts')).writeGift(questions, options),
  },
  aiken: {
    ending: 'txt',
    contentType: 'text/plain; charset=utf-8',
    write: async (questions) => (await import('./aiken.ts')).writeAiken(questions),
  },
  qti21: {
    ending: 'zip',
    contentType: 'application/zip',
    write: async (questions, options) => (await import('./qti.ts')).writeQti21(questions, options),
  },
  qti30: {
    ending: 'zip',
    contentType: 'application/zip',
    write: async (questions, options) => (await import('./qti.ts')).writeQti30(questions, options),
  },
};

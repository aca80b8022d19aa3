/** Calls that import a file of questions: at once, or with a preview. */
import * as v from 'valibot';
import {
  FlagNumber,
  maxCount,
  page,
  paging,
  Seconds,
  searchOneOf,
  TypedText,
  WholeNumber,
} from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { Display } from './contract.ts';
import { bankChoices, bankMatches, importBytes, importFilters, importRowStates, pasteBytes } from './import.rules.ts';

export const importUpload = { field: 'file', fileBytes: importBytes };

/** 1: Word (.docx). 2: Excel (.xlsx). */
export const ImportFormat = v.pipe(
  v.picklist(['1', '2']),
  v.transform((format) => Number(format) as 1 | 2),
);

/** Imports every question of a file, or none. A refusal has a list of messages in `err`. */
export const importQuestions = call({
  method: 'POST',
  path: 'ques/import/:format',
  title: '导入题目',
  needs: 'dispatch',
  params: { format: ImportFormat },
  upload: importUpload,
  answer: v.null(),
  message: '导入成功',
});

export const importTemplate = call({
  method: 'GET',
  path: 'ques/template/:format',
  title: '导入模板',
  needs: 'dispatch',
  params: { format: ImportFormat },
  file: true,
  answer: v.null(),
});

export const ImportId = v.pipe(v.string(), v.regex(/^[\w-]{20,40}$/));

const Started = v.object({ import_id: v.string() });

/** Accepts a paper and, with Word, a second file with its answers. */
export const importFiles = { ...importUpload, files: 2 };

/**
 * Reads a file for a preview, which is kept for some days after its last correction. The content decides the format. A
 * second file holds the answers of a Word paper.
 */
export const startImport = call({
  method: 'POST',
  path: 'ques/importing',
  title: '上传待导入的文件',
  needs: 'dispatch',
  upload: importFiles,
  answer: Started,
  message: '上传成功',
});

export const pastedPaper = {
  method: 'POST',
  title: '粘贴待导入的试卷',
  body: v.object({ text: TypedText }),
  bodyLimit: pasteBytes,
  answer: Started,
  message: '识别完成',
} as const;

/** Reads a paper that was pasted as text, as `startImport` reads a file. */
export const startPastedImport = call({ ...pastedPaper, path: 'ques/importing/text', needs: 'dispatch' });

const UnfinishedImport = v.object({
  import_id: v.string(),
  file_name: v.string(),
  status: v.picklist([1, 2, 3]),
  total: v.number(),
  good: v.number(),
  created_at: Seconds,
  /** When it is deleted, unless it is corrected before. */
  expires_at: Seconds,
});

export type UnfinishedImport = v.InferOutput<typeof UnfinishedImport>;

export const unfinishedImports = {
  method: 'GET',
  title: '未完成的导入',
  answer: v.array(UnfinishedImport),
} as const;

/** Lists the user's imports that were not finished, the latest first. */
export const listImports = call({ ...unfinishedImports, path: 'ques/importing', needs: 'dispatch' });

const Note = v.object({ where: v.string(), message: v.string() });

export type ImportNote = v.InferOutput<typeof Note>;

const OptionMark = v.object({ is_right: v.picklist([1, 2]) });

const Part = v.object({
  ques_type: v.number(),
  ignore_case: FlagNumber,
  ques_option: v.array(OptionMark),
  display: Display,
  /** The answer as the form of a correction takes it. */
  answer: v.string(),
  score: v.nullable(v.number()),
});

/** A question of the bank that equals an imported one, or almost does. */
const BankMatch = v.object({
  id: v.number(),
  match: v.picklist(bankMatches),
  ques_type: v.number(),
  ignore_case: FlagNumber,
  facility_value: v.number(),
  ques_option: v.array(OptionMark),
  display: Display,
});

/** A question read from the file. `place`: where it is in the file. */
export const ImportRow = v.object({
  /** Stands for the question in addresses. `sort`: its place among all questions of the file, from 1. */
  row: v.number(),
  sort: v.number(),
  /** Sent back with a correction, to find conflicts. */
  version: v.number(),
  place: v.string(),
  /** Number as the paper prints it. `section`: heading or sheet above the question. '': none. */
  number: v.string(),
  section: v.string(),
  state: v.picklist(importRowStates),
  /** Question type and difficulty; 0 if the file does not name it. */
  ques_type: v.number(),
  facility_value: v.number(),
  /** Points; null if the file names none. */
  score: v.nullable(v.number()),
  /** Answer and options as the form of a correction takes them. `options`: null if one has more than text. */
  answer: v.string(),
  options: v.nullable(v.string()),
  remark: v.string(),
  /** Knowledge point: its path, or the written text if the school has none such; then `point_note` says what becomes of it. */
  point: v.string(),
  point_note: v.string(),
  tags: v.string(),
  ques_option: v.array(OptionMark),
  ignore_case: FlagNumber,
  display: Display,
  ques_item: v.array(Part),
  errors: v.array(Note),
  losses: v.array(Note),
  doubts: v.array(Note),
  /** True if the question as it was read can be restored. */
  can_restore: v.boolean(),
  /** Lines of the paper; null if the file has none. */
  lines: v.nullable(v.object({ from: v.number(), to: v.number() })),
  bank: v.nullable(BankMatch),
  choice: v.picklist(bankChoices),
});

export type ImportRow = v.InferOutput<typeof ImportRow>;

const LastCorrection = v.object({
  number: v.number(),
  said: v.string(),
  /** The same correction for the other questions of its section. `count`: how many there are. */
  offer: v.nullable(v.object({ said: v.string(), count: v.number() })),
});

/** State of an import: 1 being read (`percent` done), 2 read, 3 refused (`message` says why). */
export const ImportState = v.object({
  import_id: v.string(),
  file_name: v.string(),
  format: v.string(),
  status: v.picklist([1, 2, 3]),
  percent: v.number(),
  message: v.string(),
  notes: v.array(Note),
  /** Text of the file that is in no question. */
  left_out: v.array(Note),
  doubts: v.array(Note),
  expires_at: Seconds,
  /** Questions that are not left out. `good`: those without errors. */
  total: v.number(),
  good: v.number(),
  /** Number of questions that lose some of their content. */
  lossy: v.number(),
  /** Questions with doubts, doubts, questions without an answer, questions left out. */
  doubtful: v.number(),
  doubt_count: v.number(),
  lacking: v.number(),
  out: v.number(),
  sections: v.array(v.object({ section: v.string(), total: v.number() })),
  /** Written knowledge points that the school does not have, at most 200. `total`: their questions. */
  unknown_points: v.array(v.object({ point: v.string(), total: v.number() })),
  /** Page of the unfiltered list that has the next doubt after this page; null: none. */
  next_doubt_page: v.nullable(v.number()),
  /** True if the meaning of its columns can be chosen: the file is a spreadsheet, and kept. */
  has_columns: v.boolean(),
  last: v.nullable(LastCorrection),
  rows: page(ImportRow),
  /** Lines of the paper around the rows of this page. `marked`: a note names the line. */
  paper: v.array(v.object({ line: v.number(), html: v.string(), marked: v.boolean() })),
});

export type ImportState = v.InferOutput<typeof ImportState>;

/** `only`: 1 with errors, 2 with doubts, 3 left out. */
export const ImportFilter = v.object({ only: searchOneOf(importFilters), ...paging() });

export type ImportFilter = v.InferOutput<typeof ImportFilter>;

/** Returns a page of the preview. */
export const showImport = call({
  method: 'GET',
  path: 'ques/importing/:importId',
  title: '导入预览',
  needs: 'dispatch',
  params: { importId: ImportId },
  query: ImportFilter,
  answer: ImportState,
});

/** Ends the import. `all`: imports every question or none. `good`: imports those without errors. */
export const commitImport = call({
  method: 'POST',
  path: 'ques/importing/:importId/commit',
  title: '确认导入',
  needs: 'dispatch',
  params: { importId: ImportId },
  body: v.object({ scope: v.fallback(v.picklist(['all', 'good']), 'all') }),
  /**
   * `ids`: the imported questions in the order of the file. `scores`: their points, one for each part of a material
   * question; null if the file names none.
   */
  answer: v.object({
    imported: v.number(),
    ids: v.array(v.number()),
    scores: v.array(v.array(v.nullable(v.number()))),
  }),
  message: '导入成功',
});

export const dropImport = call({
  method: 'DELETE',
  path: 'ques/importing/:importId',
  title: '放弃导入',
  needs: 'dispatch',
  params: { importId: ImportId },
  answer: v.null(),
});

// ---- columns of a spreadsheet ------------------------------------------------------------------------

const MappedSheet = v.object({
  name: v.string(),
  /** Number of the row with the titles; 0: there is none. */
  title_row: v.number(),
  /** Meaning of each column from A on, one of the choices; '' for one that is not imported. */
  columns: v.array(v.string()),
  /** The first filled rows. */
  rows: v.array(v.object({ number: v.number(), cells: v.array(v.string()) })),
  /** Names of the columns that the sheet must have. */
  needed: v.array(v.string()),
});

/** `corrected`: questions whose corrections would be lost. `total`: questions read. `notes`: errors of the file. */
const ImportColumns = v.object({
  file_name: v.string(),
  sheets: v.array(MappedSheet),
  choices: v.array(v.object({ column: v.string(), name: v.string() })),
  corrected: v.number(),
  total: v.number(),
  notes: v.array(Note),
});

export type ImportColumns = v.InferOutput<typeof ImportColumns>;

/** Sheets in the order of the file; one without columns is not read. `acknowledged`: the sentence about lost corrections. */
const WrittenColumns = v.object({
  sheets: v.fallback(
    v.array(
      v.object({
        title_row: v.fallback(v.pipe(WholeNumber, v.minValue(0), v.maxValue(maxCount)), 0),
        columns: v.fallback(v.array(TypedText), []),
      }),
    ),
    [],
  ),
  acknowledged: TypedText,
});

export type WrittenColumns = v.InferOutput<typeof WrittenColumns>;

const columnsOf = { params: { importId: ImportId } } as const;

export const columnsReading = { ...columnsOf, method: 'GET', title: '列对应', answer: ImportColumns } as const;

/** Reads the file again. 409: corrections would be lost. 422: a needed column is missing, or chosen twice. */
export const columnsChoice = {
  ...columnsOf,
  method: 'POST',
  title: '按列对应重新读取',
  body: WrittenColumns,
  answer: Started,
  message: '已重新读取',
} as const;

const place = 'ques/importing/:importId/columns';

export const showImportColumns = call({ ...columnsReading, path: place, needs: 'dispatch' });
export const chooseImportColumns = call({ ...columnsChoice, path: place, needs: 'dispatch' });

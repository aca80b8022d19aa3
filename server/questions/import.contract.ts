/** Calls that import a file of questions: at once, or with a preview. */
import * as v from 'valibot';
import { FlagNumber, page, paging, searchOneOf } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { Display } from './contract.ts';
import { importBytes } from './rules.ts';

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

/** Reads a file for a preview, which is kept for an hour. The file's extension decides the format. */
export const startImport = call({
  method: 'POST',
  path: 'ques/importing',
  title: '上传待导入的文件',
  needs: 'dispatch',
  upload: importUpload,
  answer: v.object({ import_id: v.string() }),
  message: '上传成功',
});

const Note = v.object({ where: v.string(), message: v.string() });

export type ImportNote = v.InferOutput<typeof Note>;

/** A question read from the file. `place`: where it is in the file. */
export const ImportRow = v.object({
  sort: v.number(),
  place: v.string(),
  /** Question type and difficulty; 0 if the file does not name it. */
  ques_type: v.number(),
  facility_value: v.number(),
  remark: v.string(),
  ques_option: v.array(v.object({ is_right: v.picklist([1, 2]) })),
  ignore_case: FlagNumber,
  display: Display,
  ques_item: v.array(
    v.object({
      ques_type: v.number(),
      ignore_case: FlagNumber,
      ques_option: v.array(v.object({ is_right: v.picklist([1, 2]) })),
      display: Display,
    }),
  ),
  errors: v.array(Note),
  losses: v.array(Note),
});

export type ImportRow = v.InferOutput<typeof ImportRow>;

/** State of an import: 1 being read (`percent` done), 2 read, 3 refused (`message` says why). */
export const ImportState = v.object({
  import_id: v.string(),
  file_name: v.string(),
  status: v.picklist([1, 2, 3]),
  percent: v.number(),
  message: v.string(),
  notes: v.array(Note),
  total: v.number(),
  good: v.number(),
  /** Number of questions that lose some of their content. */
  lossy: v.number(),
  rows: page(ImportRow),
});

export type ImportState = v.InferOutput<typeof ImportState>;

export const ImportFilter = v.object({ only: searchOneOf([1]), ...paging() });

export type ImportFilter = v.InferOutput<typeof ImportFilter>;

/** Returns a page of the preview. `only=1`: only questions with errors. */
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
  /** `ids`: imported questions that homework can contain (all types but fill-in), in the order of the file. */
  answer: v.object({ imported: v.number(), ids: v.array(v.number()) }),
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

/** Administrators' calls that list imports and show one. */

import * as v from 'valibot';
import {
  FlagNumber,
  IdAndName,
  page,
  paging,
  SearchId,
  SearchText,
  Seconds,
  searchWord,
} from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { holdReasons, importJobs, importPermissions, importStates, kindNames, rowOutcomes } from './rules.ts';

const needs = importPermissions;

export const ImportFilter = v.object({
  source_id: SearchId,
  state: searchWord(importStates),
  /** 1: only imports that wait for a person's decision. */
  waiting: searchWord(['1']),
  ...paging(),
});
export type ImportFilter = v.InferOutput<typeof ImportFilter>;

/**
 * `by`: who uploaded it; '' for the command line and the watched folder. While a `job` runs, `done` of `total` rows are
 * processed.
 */
const shared = {
  id: v.number(),
  source: v.string(),
  /** 1: made by the product from a form (timetable, roll-over) instead of an upload. */
  is_own: FlagNumber,
  file_name: v.string(),
  mode: v.picklist(['bulk', 'delta']),
  state: v.picklist(importStates),
  job: v.picklist(['', ...importJobs]),
  done: v.number(),
  total: v.number(),
  failure: v.string(),
  by: v.string(),
  found: FlagNumber,
  created_at: Seconds,
  applied_at: v.nullable(Seconds),
};

export const ImportListRow = v.object(shared);
export type ImportListRow = v.InferOutput<typeof ImportListRow>;

export const listImports = adminCall({
  method: 'GET',
  path: 'import',
  title: '导入列表',
  needs,
  query: ImportFilter,
  answer: page(ImportListRow),
});

export const listImportSources = adminCall({
  method: 'GET',
  path: 'import/sources',
  title: '导入的来源',
  needs,
  answer: v.array(IdAndName),
});

const Hold = v.object({
  kind: v.string(),
  reason: v.picklist(holdReasons),
  number: v.number(),
  sentence: v.string(),
});

const Count = v.object({ kind: v.string(), kind_name: v.string(), counts: v.array(v.number()), total: v.number() });

/**
 * `counters`: number of rows by outcome, in the order new, changed, returns, leaves, conflict, match, refused,
 * unchanged. `fields`: those in conflict. `…_fault`: why the action is not possible now; '' if it is.
 */
export const ImportRecord = v.object({
  ...shared,
  checked_at: v.nullable(Seconds),
  undone_at: v.nullable(Seconds),
  kinds: v.array(Count),
  totals: v.array(v.number()),
  effects: v.array(v.string()),
  /** Sentences about messages that applying sends and passwords to print after it. */
  follow_ups: v.array(v.string()),
  holds: v.array(Hold),
  refused: v.number(),
  forgiven: v.number(),
  doubted: v.number(),
  /** Doubts about the file as a whole, such as a title that names another school. */
  file_doubts: v.array(v.string()),
  /** Rows to look at before they are imported: with doubts of the reader, or like another record. */
  to_check: v.number(),
  stayed: v.number(),
  fields: v.array(v.object({ field: v.string(), name: v.string(), count: v.number(), is_taken: FlagNumber })),
  check_fault: v.string(),
  apply_fault: v.string(),
  undo_fault: v.string(),
  /** Why the columns cannot be assigned; '' if they can. */
  columns_fault: v.string(),
  discard_fault: v.string(),
});
export type ImportRecord = v.InferOutput<typeof ImportRecord>;

export const showImport = adminCall({
  method: 'GET',
  path: 'import/:id',
  title: '导入详情',
  needs,
  answer: ImportRecord,
});

/**
 * `row`: only this one. `stayed` 1: only rows that an undo kept. `doubted` 1: only rows to look at. `name` matches labels
 * and ids.
 */
export const ImportRowFilter = v.object({
  row: SearchId,
  kind: searchWord(Object.keys(kindNames)),
  verdict: searchWord(rowOutcomes),
  name: SearchText,
  stayed: searchWord(['1']),
  doubted: searchWord(['1']),
  ...paging(50),
});
export type ImportRowFilter = v.InferOutput<typeof ImportRowFilter>;

/**
 * A changed field, or one for which a person and the source have different values. `kept` 1: the person's value stays.
 */
const FieldChange = v.object({
  field: v.string(),
  name: v.string(),
  before: v.string(),
  after: v.string(),
  is_conflict: FlagNumber,
  kept: FlagNumber,
});

export const ImportedRow = v.object({
  id: v.number(),
  kind: v.string(),
  kind_name: v.string(),
  source_id: v.string(),
  verdict: v.picklist(rowOutcomes),
  label: v.string(),
  file: v.string(),
  row: v.number(),
  changes: v.array(FieldChange),
  reasons: v.array(v.string()),
  /** Doubts of the reader about its cells. */
  doubts: v.array(v.string()),
  effect: v.string(),
  stayed: v.string(),
  /** Name of the existing record that this row probably means. */
  meant: v.string(),
  /** 1: the row itself is clear, but it refers to a record by a merely similar name. The choice `new` refuses the row. */
  is_near: FlagNumber,
});
export type ImportedRow = v.InferOutput<typeof ImportedRow>;

export const listImportRows = adminCall({
  method: 'GET',
  path: 'import/:id/rows',
  title: '导入的变化',
  needs,
  query: ImportRowFilter,
  answer: page(ImportedRow),
});

export const ImportRemarkFilter = v.object({
  tone: searchWord(['refused', 'forgiven', 'doubted']),
  ...paging(50),
});
export type ImportRemarkFilter = v.InferOutput<typeof ImportRemarkFilter>;

export const ImportRemark = v.object({
  id: v.number(),
  tone: v.picklist(['refused', 'forgiven', 'doubted']),
  file: v.string(),
  row: v.number(),
  field: v.string(),
  message: v.string(),
});
export type ImportRemark = v.InferOutput<typeof ImportRemark>;

export const listImportRemarks = adminCall({
  method: 'GET',
  path: 'import/:id/remarks',
  title: '读取文件时的提示',
  needs,
  query: ImportRemarkFilter,
  answer: page(ImportRemark),
});

/** Returns a file with all rows that cannot be imported, each with its reasons. */
export const refusedRowsFile = adminCall({
  method: 'GET',
  path: 'import/:id/refused',
  title: '不能导入的行',
  needs,
  answer: v.null(),
  file: true,
});

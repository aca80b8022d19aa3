/** Administrators' calls that change imports: upload, assign columns, check, choose, apply, undo. */
import * as v from 'valibot';
import { FlagNumber, searchWord, TypedText } from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import {
  importBytes,
  importJobs,
  importPermissions,
  importStates,
  listIdentities,
  listKinds,
  listUsernames,
} from './rules.ts';

const needs = importPermissions;

export const CreatedImport = v.object({
  id: v.number(),
  state: v.picklist(importStates),
  job: v.picklist(['', ...importJobs]),
});

/**
 * Imports records of another system and checks them at once. The value of a field is text, a number, a flag, null to
 * remove it, or a reference `{"kind", "sourceId"}`.
 */
export const importRecords = adminCall({
  method: 'POST',
  path: 'import',
  title: '提交要导入的记录',
  description:
    'mode为bulk时，kinds中各类记录以本次为准，未出现的视为离开；为delta时只处理出现的记录。字段名与添加该记录的接口相同。',
  needs,
  body: v.object({
    source: TypedText,
    mode: v.fallback(v.picklist(['bulk', 'delta']), 'delta'),
    kinds: v.fallback(v.array(TypedText), []),
    records: v.fallback(v.array(v.unknown()), []),
  }),
  answer: CreatedImport,
  message: '已提交',
});

/**
 * Uploads a file and checks it at once: a workbook, a OneRoster package, or records as JSON. `columns`, for a single
 * list: `guessed`, or `open` if too little is known; then assign them by `mapImport`.
 */
export const uploadImport = adminCall({
  method: 'POST',
  path: 'import/upload',
  title: '上传要导入的文件',
  needs,
  upload: { field: 'file', fileBytes: importBytes },
  body: v.object({ source: TypedText }),
  answer: v.object({ ...CreatedImport.entries, columns: v.picklist(['', 'guessed', 'open']) }),
  message: '已上传',
});

const nearChoices = ['same', 'new'] as const;

export const MappingShown = v.object({
  kind: v.picklist(listKinds),
  mode: v.picklist(['bulk', 'delta']),
  /** Why the file could not be read; '' if it could. */
  failure: v.string(),
  /** `field`: heading of the matching column in our own workbook; '' if the column is ignored. */
  columns: v.array(v.object({ head: v.string(), field: v.string() })),
  examples: v.array(v.array(v.string())),
  choices: v.array(v.string()),
  required: v.array(v.string()),
  /** Sheets of the file. `class_name`: class of the students whose row names none. An empty list for staff. */
  sheets: v.array(v.object({ name: v.string(), class_name: v.string(), is_read: FlagNumber })),
  /** 1: classes that do not exist yet are added. */
  new_classes: FlagNumber,
  /**
   * Names of classes in the list that no class has, but a similar one (`like`). `choice`: the list means that class, or
   * a new one is added; '' leaves it to the choices of the rows.
   */
  near_classes: v.array(v.object({ name: v.string(), like: v.string(), choice: v.picklist(['', ...nearChoices]) })),
  /** `schools`: names to choose from; empty if there is only one. `school`: school of people whose row names none. */
  schools: v.array(v.string()),
  school: v.string(),
  /** Identity of staff whose row names none; '': such rows are refused. */
  identity: v.picklist(['', ...listIdentities]),
  username: v.picklist(['', ...listUsernames]),
});

export type MappingShown = v.InferOutput<typeof MappingShown>;

/**
 * Returns the columns of a single list with their first rows and assigned meaning. `kind`: shows the list as one of
 * such people.
 */
export const showMapping = adminCall({
  method: 'GET',
  path: 'import/:id/mapping',
  title: '名单各列的含义',
  needs,
  query: v.object({ kind: searchWord(listKinds) }),
  answer: MappingShown,
});

/**
 * Assigns the columns. `columns` and `sheets` are in the order of the list. The file is read and checked again, and the
 * next list of this source is read the same way. Without `sheets`, every sheet is read, with the class that its title
 * or name tells.
 */
export const mapImport = adminCall({
  method: 'POST',
  path: 'import/:id/mapping',
  title: '指定名单各列的含义',
  needs,
  body: v.object({
    kind: v.picklist(listKinds),
    mode: v.fallback(v.picklist(['bulk', 'delta']), 'delta'),
    columns: v.fallback(v.array(TypedText), []),
    sheets: v.fallback(
      v.optional(v.array(v.object({ class_name: TypedText, is_read: v.fallback(FlagNumber, 1) }))),
      undefined,
    ),
    new_classes: v.fallback(FlagNumber, 0),
    near_classes: v.fallback(v.array(v.object({ name: TypedText, choice: searchWord(nearChoices) })), []),
    school: TypedText,
    identity: v.fallback(v.picklist(['', ...listIdentities]), ''),
    username: v.fallback(v.picklist(['', ...listUsernames]), ''),
  }),
  answer: CreatedImport,
  message: '已检查',
});

export const checkImport = adminCall({
  method: 'POST',
  path: 'import/:id/check',
  title: '检查',
  needs,
  answer: CreatedImport,
  message: '已检查',
});

const Choices = v.object({
  match: searchWord(['same', 'new', 'ask']),
  take: v.fallback(v.optional(v.array(TypedText)), undefined),
});

/**
 * Stores choices for all rows and checks again. `match`: accept or reject probable matches. `take`: fields
 * (`kind.field` or `*`) in which the source wins; other fields keep the person's value.
 */
export const chooseImport = adminCall({
  method: 'POST',
  path: 'import/:id/choices',
  title: '选择冲突和匹配',
  needs,
  body: Choices,
  answer: CreatedImport,
  message: '已选择',
});

/** Stores the choices of `chooseImport` for one row only. */
export const chooseImportRow = adminCall({
  method: 'POST',
  path: 'import/:id/rows/:rowId/choice',
  title: '选择一行的冲突和匹配',
  needs,
  body: Choices,
  answer: CreatedImport,
  message: '已选择',
});

/**
 * Applies an import. `confirmed`: the number that the user typed for each hold, by `kind.reason`. `departures` 0: no
 * record is ended.
 */
export const applyImport = adminCall({
  method: 'POST',
  path: 'import/:id/apply',
  title: '导入',
  needs,
  body: v.object({
    confirmed: v.fallback(v.record(v.string(), v.unknown()), {}),
    departures: v.fallback(FlagNumber, 1),
  }),
  answer: CreatedImport,
  message: '已导入',
});

const UndoGroup = v.object({ kind_name: v.string(), count: v.number(), labels: v.array(v.string()) });

/** Previews an undo in a transaction that is rolled back. `labels`: the first few records. */
export const tryUndo = adminCall({
  method: 'GET',
  path: 'import/:id/undo',
  title: '撤销前查看',
  description: '撤销后会恢复或删除哪些（goes），哪些会保留及原因（stays）。超过5000条的导入不预先计算，is_tried 为 0。',
  needs,
  answer: v.object({
    is_tried: FlagNumber,
    goes: v.array(UndoGroup),
    stays: v.array(v.object({ why: v.string(), ...UndoGroup.entries })),
  }),
});

/**
 * Undoes an import. Sends no messages and emits no events, as the import itself. An application that has read the
 * records since then must read the whole lists again: deleted records are missing from answers with `since`.
 */
export const undoImport = adminCall({
  method: 'POST',
  path: 'import/:id/undo',
  title: '撤销导入',
  needs,
  answer: CreatedImport,
  message: '已撤销',
});

export const discardImport = adminCall({
  method: 'POST',
  path: 'import/:id/discard',
  title: '放弃导入',
  needs,
  answer: v.null(),
  message: '已放弃',
});

/** Cancels the running job; everything it did is rolled back. */
export const cancelImport = adminCall({
  method: 'POST',
  path: 'import/:id/cancel',
  title: '取消正在进行的操作',
  needs,
  answer: v.null(),
  message: '已取消',
});

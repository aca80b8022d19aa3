/** Who changed what, when, from what to what; who signed in, looked at a student, made a file. */
import * as v from 'valibot';
import {
  FlagNumber,
  page,
  paging,
  SearchDay,
  SearchId,
  SearchText,
  Seconds,
  searchWord,
} from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { historyActions, historyRecords } from './rules.ts';

const filter = {
  /** Looked for in the names and user names of the staff, in the names and numbers of students. */
  who: SearchText,
  staff_id: SearchId,
  student: SearchText,
  student_id: SearchId,
  record: searchWord(historyRecords),
  /** With a `record`: that one alone. */
  record_id: SearchId,
  action: searchWord(historyActions),
  start: SearchDay,
  end: SearchDay,
};

export const HistoryFilter = v.object({ ...filter, ...paging(50) });
export type HistoryFilter = v.InferOutput<typeof HistoryFilter>;

/** A field in the words of the screens; '' where there was, or is, nothing. */
export const HistoryChange = v.object({ name: v.string(), before: v.string(), after: v.string() });
export type HistoryChange = v.InferOutput<typeof HistoryChange>;

export const HistoryRow = v.object({
  id: v.number(),
  at: Seconds,
  /** Nobody who was signed in: ''. */
  who: v.string(),
  staff_id: v.nullable(v.number()),
  /** Its code, by which screens lead to it; its name, and what it is called. */
  record: v.string(),
  record_id: v.number(),
  record_name: v.string(),
  title: v.string(),
  /** The record whose screen tells of it; null where it is gone or there is none. */
  leads_to: v.nullable(v.object({ record: v.string(), id: v.number() })),
  action: v.string(),
  action_name: v.string(),
  changes: v.array(HistoryChange),
});
export type HistoryRow = v.InferOutput<typeof HistoryRow>;

/** `some_named`: 1 where more people or students are called so than are looked for. */
export const HistoryPage = v.object({ ...page(HistoryRow).entries, some_named: FlagNumber });
export type HistoryPage = v.InferOutput<typeof HistoryPage>;

/** The latest first. There are `maxHistoryRows` rows at most: what is older is found by its days. */
export const listHistory = adminCall({
  method: 'GET',
  path: 'history',
  title: '操作记录',
  fromReplica: true,
  description: '最近的在前，最多列出最近的10000条；更早的请用日期筛选。',
  needs: 'audit',
  query: HistoryFilter,
  answer: HistoryPage,
});

export const exportHistory = adminCall({
  method: 'POST',
  path: 'history/export',
  title: '导出操作记录',
  fromReplica: true,
  reads: true,
  needs: 'audit',
  body: v.object(filter),
  answer: v.object({ url: v.string() }),
});

export const ClassHistoryFilter = v.object(paging());
export type ClassHistoryFilter = v.InferOutput<typeof ClassHistoryFilter>;

/** What was changed of a class, of its members and of its groups. */
export const listClassHistory = adminCall({
  method: 'GET',
  path: 'classes/:id/history',
  title: '班级的操作记录',
  fromReplica: true,
  needs: 'teaching',
  query: ClassHistoryFilter,
  answer: page(HistoryRow),
});

/** Calls that read the history: changes with values before and after, sign-ins, views of student records, exports. */
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
import { adminCall, call } from '#server/school/call.ts';
import { historyActions, historyRecords } from './rules.ts';

const filter = {
  /** `who`: search text for authors, by name or user name. `student`: search text for students, by name or number. */
  who: SearchText,
  staff_id: SearchId,
  student: SearchText,
  student_id: SearchId,
  record: searchWord(historyRecords),
  /** Id of a single record; only used together with `record`. */
  record_id: SearchId,
  action: searchWord(historyActions),
  start: SearchDay,
  end: SearchDay,
};

export const HistoryFilter = v.object({ ...filter, ...paging(50) });
export type HistoryFilter = v.InferOutput<typeof HistoryFilter>;

/** A changed field with its displayed name and values; '' for no value. */
export const HistoryChange = v.object({ name: v.string(), before: v.string(), after: v.string() });
export type HistoryChange = v.InferOutput<typeof HistoryChange>;

export const HistoryRow = v.object({
  id: v.number(),
  at: Seconds,
  /** Name of the author; '' if nobody was signed in. */
  who: v.string(),
  staff_id: v.nullable(v.number()),
  /**
   * `record`: code of the record's type, for links. `record_name`: display name of the type. `title`: title of the
   * record itself.
   */
  record: v.string(),
  record_id: v.number(),
  record_name: v.string(),
  title: v.string(),
  /** The record whose screen shows this change; null if it was deleted or has no screen. */
  leads_to: v.nullable(v.object({ record: v.string(), id: v.number() })),
  action: v.string(),
  action_name: v.string(),
  changes: v.array(HistoryChange),
});
export type HistoryRow = v.InferOutput<typeof HistoryRow>;

/** `some_named` 1: the searched name matches more people or students than the search takes into account. */
export const HistoryPage = v.object({ ...page(HistoryRow).entries, some_named: FlagNumber });
export type HistoryPage = v.InferOutput<typeof HistoryPage>;

/** Lists history rows, latest first, at most `maxHistoryRows`. To see older rows, the user filters by date. */
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

/** Lists changes to a class, its members and its groups. */
export const listClassHistory = adminCall({
  method: 'GET',
  path: 'classes/:id/history',
  title: '班级的操作记录',
  fromReplica: true,
  needs: 'teaching',
  query: ClassHistoryFilter,
  answer: page(HistoryRow),
});

/** Lists the latest 100 changes to the user's own question, latest first. 404: it belongs to somebody else. */
export const listQuestionHistory = call({
  method: 'GET',
  path: 'ques/history/:id',
  title: '题目的修改记录',
  needs: 'dispatch',
  answer: v.array(HistoryRow),
});

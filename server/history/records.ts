/** Looks up display names of records, actions and fields. A missing name fails `test/lib/history-words.test.ts`. */
import { accountHistory } from '#server/account/history.ts';
import { attendanceHistory } from '#server/attendance/history.ts';
import { catalogueHistory } from '#server/catalogue/history.ts';
import { classesHistory } from '#server/classes/history.ts';
import { communityHistory } from '#server/community/history.ts';
import { coursesHistory } from '#server/courses/history.ts';
import { coursewareHistory } from '#server/courseware/history.ts';
import { examsHistory } from '#server/exams/history.ts';
import { homeworkHistory } from '#server/homework/history.ts';
import { identityHistory } from '#server/identity/history.ts';
import { meetingsHistory } from '#server/meetings/history.ts';
import { noticesHistory } from '#server/notices/history.ts';
import { onerosterHistory } from '#server/oneroster/history.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { questionsHistory } from '#server/questions/history.ts';
import { schoolHistory } from '#server/school/history.ts';
import type { FieldWord, RecordHistory, RecordTitle } from '#server/school/history-record.ts';
import { sessionsHistory } from '#server/sessions/history.ts';
import { studentsHistory } from '#server/students/history.ts';
import { actionNames, type HistoryAction, type HistoryRecord, historyRecords, recordNames } from './rules.ts';

const records: Readonly<Record<HistoryRecord, RecordHistory>> = {
  ...accountHistory,
  ...attendanceHistory,
  ...catalogueHistory,
  ...classesHistory,
  ...communityHistory,
  ...coursesHistory,
  ...coursewareHistory,
  ...examsHistory,
  ...homeworkHistory,
  ...identityHistory,
  ...meetingsHistory,
  ...noticesHistory,
  ...onerosterHistory,
  ...questionsHistory,
  ...schoolHistory,
  ...sessionsHistory,
  ...studentsHistory,
  export_file: {
    actions: ['export'],
    fields: { name: '文件' },
    titled: (db, ids) =>
      db
        .selectFrom('export_file')
        .innerJoin('staff', 'staff.id', 'export_file.staff_id')
        .select(['export_file.id', 'export_file.name as title', 'staff.school_id'])
        .where('export_file.id', 'in', ids)
        .execute(),
  },
};

export const historyRecord = (record: string): HistoryRecord | undefined =>
  historyRecords.find((known) => known === record);

const historyOf = (record: string): RecordHistory | undefined => {
  const known = historyRecord(record);
  return known && records[known];
};

export const recordName = (record: string): string => {
  const known = historyRecord(record);
  return known ? recordNames[known] : '其他记录';
};

export const actionName = (record: string, action: string): string =>
  historyOf(record)?.said?.[action as HistoryAction] ??
  (actionNames as Readonly<Record<string, string | undefined>>)[action] ??
  '其他操作';

/** Returns the display name of a field; undefined if it has none. */
export function fieldWord(
  { record, action }: { record: string; action: string },
  field: string,
): { name: string; shown: Exclude<FieldWord, string>[1] } | undefined {
  // In the history of a lesson, `status` means two things; the status of its handout gets another name.
  const meant = record === 'class_session' && action === 'handout' && field === 'status' ? 'handout_status' : field;
  const word = historyOf(record)?.fields[meant];
  if (word === undefined) return undefined;
  return typeof word === 'string' ? { name: word, shown: 'text' } : { name: word[0], shown: word[1] };
}

export const actionsOf = (record: HistoryRecord): readonly HistoryAction[] => records[record].actions;

/** Returns the names of all fields, for tests. */
export const fieldNames = (): string[] =>
  Object.values(records).flatMap(({ fields }) =>
    Object.values(fields).map((word) => (typeof word === 'string' ? word : word[0])),
  );

/** Lists the record, action and fields of a history row that lack a display name. */
export function partsWithoutName(row: { record: string; action: string; fields: readonly string[] }): string[] {
  const { record, action, fields } = row;
  const history = historyOf(record);
  if (!history) return [`record ${record}`];
  return [
    ...(history.actions.some((one) => one === action) ? [] : [`action ${action} of ${record}`]),
    ...fields.filter((field) => history.fields[field] === undefined).map((field) => `field ${field} of ${record}`),
  ];
}

/** Reads the titles of the records that still exist. */
export async function titlesOf(
  db: Database,
  record: HistoryRecord,
  ids: readonly number[],
  zone = 'Asia/Shanghai',
): Promise<RecordTitle[]> {
  return ids.length === 0 ? [] : ((await records[record].titled?.(db, [...new Set(ids)], zone)) ?? []);
}

/** Translates history rows into words for display: no column names, codes or ids. */

import * as v from 'valibot';
import { describeDevice, plainIpAddress } from '#server/account/rules.ts';
import { pointsMode, ratedFullScore, type ScoreMode } from '#server/grading/rules.ts';
import { markOf, wholePercent } from '#server/grading/scoring.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { plainText } from '#server/platform/text/plain-text.ts';
import { formatScore, optionLetter } from '#server/platform/text/rules.ts';
import { dayOf, timeOf } from '#server/school/calendar.ts';
import { permissionNames } from '#server/school/call.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { FieldKind, RecordTitle } from '#server/school/history-record.ts';
import type { HistoryChange, HistoryRow } from './contract.ts';
import { actionName, fieldWord, historyRecord, recordName, titlesOf } from './records.ts';
import type { HistoryRecord } from './rules.ts';

export interface StoredRow {
  id: number;
  at: number;
  staff_id: number | null;
  record: string;
  record_id: number;
  action: string;
  before: string | null;
  after: string | null;
  who: string | null;
}

type Side = Record<string, unknown>;
interface ParsedRow {
  row: StoredRow;
  before: Side;
  after: Side;
}

/** Fields that may hold the title of a deleted record, taken from its last history row. */
const titleFields = ['real_name', 'nickname', 'name', 'title', 'meeting_name', 'ware_name', 'file_name', 'content'];

export async function displayRows(
  { db, settings: { timezone } }: RuleContext<'settings'>,
  rows: readonly StoredRow[],
): Promise<HistoryRow[]> {
  const read = rows.map((row): ParsedRow => ({ row, before: sideOf(row.before), after: sideOf(row.after) }));
  const [titled, named] = await Promise.all([titlesFor(db, rows, timezone), namesFor(db, read)]);
  return read.map(({ row, before, after }) => {
    const { id, at, staff_id, record, record_id, action } = row;
    const known = titled.get(`${record} ${record_id}`);
    const gone = titleFields.map((field) => after[field] ?? before[field]).find((text) => typeof text === 'string');
    const mode = known?.mode ?? pointsMode;
    return {
      id,
      at,
      who: row.who ?? '',
      staff_id,
      record,
      record_id,
      record_name: recordName(record),
      title: known?.title ?? (typeof gone === 'string' ? gone : `编号${record_id}`),
      leads_to: known ? (known.leads === undefined ? { record, id: record_id } : known.leads) : null,
      action,
      action_name: actionName(record, action),
      changes: changesOf({ row, before, after }, { mode, full: known?.full ?? ratedFullScore, timezone, named }),
    };
  });
}

const sideOf = (text: string | null): Side => {
  const read: unknown = text === null ? {} : JSON.parse(text);
  return typeof read === 'object' && read !== null ? (read as Side) : {};
};

async function titlesFor(db: Database, rows: readonly StoredRow[], zone: string): Promise<Map<string, RecordTitle>> {
  const found = new Map<string, RecordTitle>();
  for (const record of new Set(rows.map((row) => row.record))) {
    const known = historyRecord(record);
    if (!known) continue;
    const ids = rows.filter((row) => row.record === record).map((row) => row.record_id);
    for (const one of await titlesOf(db, known, ids, zone)) found.set(`${record} ${one.id}`, one);
  }
  return found;
}

type Names = ReadonlyMap<string, string>;

async function namesFor(db: Database, read: readonly ParsedRow[]): Promise<Names> {
  const wanted = new Map<HistoryRecord, Set<number>>();
  for (const { row, before, after } of read) {
    for (const [field, value] of [...Object.entries(before), ...Object.entries(after)]) {
      const shown = fieldWord(row, field)?.shown;
      const kind = typeof shown === 'string' ? historyRecord(shown) : undefined;
      if (!kind) continue;
      const ids = wanted.get(kind) ?? new Set();
      for (const id of [value].flat()) if (typeof id === 'number') ids.add(id);
      wanted.set(kind, ids);
    }
  }
  const found = new Map<string, string>();
  for (const [kind, ids] of wanted) {
    for (const { id, title } of await titlesOf(db, kind, [...ids])) found.set(`${kind} ${id}`, title);
  }
  return found;
}

interface ValueFormat {
  mode: ScoreMode;
  /** Full score of the question; a rate is displayed as a share of it. */
  full: number;
  timezone: string;
  named: Names;
}

function changesOf({ row, before, after }: ParsedRow, saying: ValueFormat): HistoryChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = fields.flatMap((field) => {
    const word = fieldWord(row, field);
    if (word?.shown === 'hidden') return [];
    const { name, shown: said } = word ?? { name: '其他内容', shown: 'text' as const };
    const change = {
      name,
      before: formatFieldValue(before[field], said, saying),
      after: formatFieldValue(after[field], said, saying),
    };
    return change.before === change.after && change.before === '' ? [] : [change];
  });
  // Unchanged fields are only shown if the row has no changed ones.
  const changed = changes.filter((change) => change.before !== change.after);
  return changed.length > 0 ? changed : changes;
}

/** Maximum characters of a displayed value. */
const most = 300;

function formatFieldValue(
  value: unknown,
  said: FieldKind | Readonly<Record<string, string>>,
  saying: ValueFormat,
): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof said === 'object')
    return [value]
      .flat()
      .map((one) => said[String(one)] ?? '其他')
      .join('、');
  const text = formatByKind(value, said, saying);
  return [...text].length > most ? `${[...text].slice(0, most).join('')}…` : text;
}

function formatByKind(value: unknown, said: FieldKind, { mode, full, timezone, named }: ValueFormat): string {
  switch (said) {
    case 'moment':
      return typeof value === 'number' ? `${dayOf(value, timezone)} ${timeOf(value, timezone)}` : '';
    case 'flag':
      return value === 1 || value === true ? '是' : '否';
    case 'mark':
      if (typeof value !== 'number') return '';
      return mode === pointsMode ? formatScore(markOf(mode, value)) : `${wholePercent(value, full)}%`;
    case 'permissions':
      return [value]
        .flat()
        .map((one) => (permissionNames as Readonly<Record<string, string>>)[String(one)] ?? '其他')
        .join('、');
    case 'address':
      return plainIpAddress(String(value));
    case 'device':
      return describeDevice(String(value)) ?? String(value);
    case 'rich':
      return plainText(String(value));
    case 'options':
      return optionsShown(value);
    case 'parts':
      return partsShown(value);
    case 'picture':
      return '图片';
    case 'hidden':
      return '';
    case 'text':
      return Array.isArray(value) ? value.map(String).join('、') : typeof value === 'object' ? '' : String(value);
    default:
      return (
        [value]
          .flat()
          // The id 0 means that there is no reference.
          .filter((id) => id !== 0)
          .map((id) => named.get(`${said} ${id}`) ?? '已删除')
          .join('、')
      );
  }
}

const Options = v.fallback(v.array(v.object({ content: v.string(), is_right: v.number() })), []);
const Parts = v.fallback(
  v.array(v.object({ ques_stem: v.string(), ques_option: Options, right_answer: v.string() })),
  [],
);

const optionsShown = (value: unknown): string =>
  v
    .parse(Options, value)
    .map(
      ({ content, is_right }, index) =>
        `${optionLetter(index)}. ${plainText(content)}${is_right === 1 ? '（正确）' : ''}`,
    )
    .join(' ');

const partsShown = (value: unknown): string =>
  v
    .parse(Parts, value)
    .map(({ ques_stem, ques_option, right_answer }) =>
      [plainText(ques_stem), optionsShown(ques_option), plainText(right_answer)].filter(Boolean).join(' '),
    )
    .join('；');

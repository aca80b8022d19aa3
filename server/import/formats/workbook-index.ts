/** Index of the names and ids by which the rows of a workbook refer to each other. */

import { getOrAdd } from '#server/platform/db/grouping.ts';
import { normalizeNameLoosely } from '#server/platform/text/name-matching.ts';
import type { Place, RecordKind } from '../source-record.ts';
import type { Remarks } from './diagnostics.ts';
import { nearestWord } from './nearest-word.ts';
import type { Holidays } from './options.ts';
import { copyText } from './rows.ts';
import type { ReadSheet } from './workbook.ts';
import { sheetFormats } from './workbook-format.ts';
import type { SheetName, SheetRecord } from './workbook-types.ts';
import { clearWord, termWords } from './workbook-words.ts';

export interface Context {
  sheets: readonly ReadSheet[];
  remarks: Remarks;
  timeZone: string;
  /** True for bulk data: everything that is referred to must be in the file. */
  isWhole: boolean;
  holidays: Holidays;
}

/** Yields the rows of all sheets of a format. `all`: includes refused rows. */
export function* sheetRecords(
  { sheets, remarks, timeZone }: Context,
  name: SheetName,
  all?: 'all',
): Generator<SheetRecord> {
  // Several sheets can have the same format, for instance one list per class.
  for (const { format, shown, rows } of sheets) {
    if (format.name !== name) continue;
    const places = new Map(format.columns.map(({ head }, at) => [head, at]));
    for (const packed of rows) {
      const place = { file: shown, row: packed.row };
      if (!all && remarks.isRefused(place)) continue;
      const get = (head: string) => packed.cell(places.get(head) ?? -1);
      yield { place, format, timeZone, remarks, get, many: () => [] };
    }
  }
}

export const describeRow = (from: Place, { file, row }: Place): string =>
  from.file === file ? `第${row}行` : `“${file}”第${row}行`;

/** Ids and names of the records of a kind. A name that several records have maps to null. */
interface Names {
  /** `ids`: place of each 编号. `keys`: place of the natural key of each row without one. */
  ids: Map<string, Place>;
  keys: Map<string, Place>;
  names: Map<string, string | null>;
  /** Names in a form that ignores differences of spaces, width and brackets. */
  loose: Map<string, string | null>;
}

export type Index = Map<RecordKind, Names>;

export const placeOfRecord = ({ ids, keys }: Names, id: string): Place | undefined => ids.get(id) ?? keys.get(id);

const sheetOf: Partial<Record<RecordKind, SheetName>> = Object.fromEntries(
  sheetFormats.flatMap(({ name, kinds }) => kinds.map((kind) => [kind, name])),
);

type ResolvedReference = { sourceId: string; kind: RecordKind; isNamed?: true } | { fault: string };

/** Finds a record by id, or else by a name that only one record has. */
export function resolveReference(
  index: Index,
  kinds: readonly RecordKind[],
  text: string,
  isWhole: boolean,
): ResolvedReference {
  const [first = 'school'] = kinds;
  for (const kind of kinds) if (index.get(kind)?.ids.has(text)) return { kind, sourceId: text };
  const found = kinds.flatMap((kind) => {
    const sourceId = index.get(kind)?.names.get(text) ?? index.get(kind)?.loose.get(normalizeNameLoosely(text));
    return sourceId === undefined ? [] : [{ kind, sourceId }];
  });
  const [only] = found;
  if (only?.sourceId === null || found.length > 1) return { fault: `有多个“${text}”，请写编号` };
  if (only?.sourceId !== undefined && only.sourceId !== null) return { kind: only.kind, sourceId: only.sourceId };
  for (const kind of kinds) if (index.get(kind)?.keys.has(text)) return { kind, sourceId: text };
  const indexedKinds = kinds.filter((kind) => index.has(kind));
  if (!isWhole || indexedKinds.length === 0) return { kind: first, sourceId: text, isNamed: true };
  const known = indexedKinds.flatMap((kind) => [...(index.get(kind)?.names.keys() ?? [])]);
  const like = known.length > 5_000 ? undefined : nearestWord(text, known);
  const where = indexedKinds.map((kind) => `“${sheetOf[kind]}”`).join('、');
  return { fault: `“${text}”在工作表${where}中没有${like ? `，是否应为“${like}”` : ''}` };
}

/** Indexes all records that others refer to, kinds in the order of dependency. */
export function indexOf(context: Context): Index {
  const index: Index = new Map();
  const { remarks } = context;
  const add = (kind: RecordKind, record: SheetRecord, { id, names }: { id: string; names: readonly string[] }) => {
    const known = getOrAdd(index, kind, () => ({
      ids: new Map(),
      keys: new Map(),
      names: new Map(),
      loose: new Map(),
    }));
    if (id === '') return;
    const earlier = placeOfRecord(known, id);
    if (earlier !== undefined) {
      const head = record.get('编号') === '' ? (names[0] ?? '') : record.get('编号');
      const hint = record.get('编号') === '' ? '，请用编号区分' : '';
      const field = record.get('编号') === '' ? '' : '编号';
      const { place } = record;
      remarks.reject(place, field, `“${head}”与${describeRow(place, earlier)}重复${hint}`);
      // Two rows mean the same record, so both are refused. Without an id the earlier row may have another name.
      if (!remarks.isRefused(earlier)) {
        const shared = field === '' ? '' : `“${head}”`;
        remarks.reject(earlier, field, `${shared}与${describeRow(earlier, place)}重复${hint}`);
      }
      return;
    }
    const own = copyText(id);
    (record.get('编号') === '' ? known.keys : known.ids).set(own, record.place);
    for (const name of new Set(names)) {
      if (name === '') continue;
      const taken = known.names.get(name);
      known.names.set(copyText(name), taken === undefined ? own : null);
      const alike = normalizeNameLoosely(name);
      const before = known.loose.get(alike);
      known.loose.set(alike, before === undefined || before === own ? own : null);
    }
  };
  for (const sheet of ['学校', '年级与分类', '教室', '人员', '学员', '课程', '课时', '班级', '团课'] as const) {
    const { namedBy } = identities[sheet];
    for (const record of sheetRecords(context, sheet, 'all')) {
      const names = namedBy.map((head) => record.get(head));
      if (sheet === '年级与分类') names.push(entryPath(record));
      add(kindOf(sheet, record), record, { id: idOf(sheet, record, { index, context }), names });
    }
  }
  return index;
}

type CatalogueKind = 'grade' | 'category' | 'subject' | 'term';

export function catalogueKindOf(word: string): CatalogueKind {
  if (termWords[word] !== undefined) return 'term';
  if (word === '分类') return 'category';
  return word === '年级' ? 'grade' : 'subject';
}

export const catalogueKind = (record: SheetRecord) => catalogueKindOf(record.get('类别'));

const entryPath = (record: SheetRecord): string =>
  record.get('上级') === '' ? record.get('名称') : `${record.get('上级')}/${record.get('名称')}`;

interface Identity {
  /** Headings of the columns that name the record. */
  namedBy: readonly string[];
  /** Returns the natural key of a row without an id. */
  key?(record: SheetRecord, at: { index: Index; context: Context }): string;
}

/** How other sheets refer to the rows of each sheet. Without `key`, the name is the natural key. */
const identities = {
  学校: { namedBy: ['学校名称'] },
  年级与分类: { namedBy: ['名称'], key: entryPath },
  教室: {
    namedBy: ['教室名称'],
    key: (record, { index }) => joinKeys(schoolOf(record, index), record.get('教室名称')),
  },
  人员: { namedBy: ['姓名', '用户名'], key: (record) => record.get('用户名').toLowerCase() },
  学员: { namedBy: ['姓名', '学号', '手机号'], key: studentKey },
  课程: { namedBy: ['课程名称'] },
  课时: { namedBy: ['课时名称'], key: periodKey },
  班级: { namedBy: ['班级名称'] },
  团课: { namedBy: ['团课名称'] },
} as const satisfies Partial<Record<SheetName, Identity>>;

export type NamedSheet = keyof typeof identities;

export function idOf(sheet: NamedSheet, record: SheetRecord, at: { index: Index; context: Context }): string {
  const { namedBy, key }: Identity = identities[sheet];
  return record.get('编号') || (key ? key(record, at) : record.get(namedBy[0] ?? ''));
}

export const kindOf = (sheet: NamedSheet, record: SheetRecord): RecordKind =>
  sheet === '年级与分类' ? catalogueKind(record) : (record.format.kinds[0] ?? 'school');

/** Returns the school of a row; if the cell is empty, the only school of the file. */
export function schoolOf(record: SheetRecord, index: Index): string {
  const text = record.get('学校');
  const schools = index.get('school');
  if (text !== '') return schools?.ids.has(text) ? text : (schools?.names.get(text) ?? text);
  const all = [...(schools?.ids.keys() ?? []), ...(schools?.keys.keys() ?? [])];
  return all.length === 1 ? (all[0] ?? '') : '';
}

export const joinKeys = (...parts: string[]): string => parts.filter((part) => part !== '').join('/');

/** If a student has no number, mobile and name together identify them. */
function studentKey(record: SheetRecord, { index }: { index: Index }): string {
  const [number, mobile, name] = [record.get('学号'), record.get('手机号'), record.get('姓名')];
  return joinKeys(
    schoolOf(record, index),
    number === '' || number === clearWord ? joinKeys(mobile === clearWord ? '' : mobile, name) : number,
  );
}

function periodKey(record: SheetRecord, { index, context }: { index: Index; context: Context }): string {
  const course = resolveReference(index, ['course'], record.get('课程'), context.isWhole);
  return joinKeys('sourceId' in course ? course.sourceId : record.get('课程'), record.get('课时名称'));
}

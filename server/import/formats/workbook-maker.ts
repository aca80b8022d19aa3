/** Makes the record of a workbook row: reads its cells, and resolves the records that they name. */
import type { Place, RecordKind, Reference, SourceRecord, Value } from '../source-record.ts';
import { copyText } from './rows.ts';
import { splitList } from './workbook.ts';
import {
  type Context,
  describeRow,
  type Index,
  idOf,
  kindOf,
  type NamedSheet,
  placeOfRecord,
  resolveReference,
  schoolOf,
  sheetRecords,
} from './workbook-index.ts';
import type { SheetRecord } from './workbook-types.ts';
import { clearWord } from './workbook-words.ts';

export interface Maker {
  /** Yields the records of a sheet, optionally only those for which `which` is true. */
  all(sheet: NamedSheet, which?: (record: SheetRecord) => boolean): Generator<SourceRecord>;
  id(sheet: NamedSheet, record: SheetRecord): string;
  /** Yields the record of a row; nothing if a cell is refused. */
  plain(kind: RecordKind, sourceId: string, record: SheetRecord, more?: Record<string, Value>): Generator<SourceRecord>;
  one(record: SheetRecord, head: string, kinds: readonly RecordKind[], text?: string): Reference | undefined;
  many(record: SheetRecord, head: string, kind: RecordKind): Reference[];
  /** True if no earlier row has this id; otherwise refuses the row. */
  isFirst(seen: Map<string, Place>, id: string, record: SheetRecord): boolean;
}

export function createMaker(context: Context, index: Index): Maker {
  const { remarks, isWhole } = context;
  const made: Maker = {
    id: (sheet, record) => idOf(sheet, record, { index, context }),
    *all(sheet, which = () => true) {
      for (const record of sheetRecords(context, sheet))
        if (which(record)) yield* made.plain(kindOf(sheet, record), made.id(sheet, record), record);
    },
    *plain(kind, sourceId, record, more = {}) {
      const fields: Record<string, Value> = {};
      const row = { ...record, many: (head: string, of: RecordKind) => made.many(record, head, of) };
      const read = record.format.columns.flatMap((column) => {
        const text = record.get(column.head);
        return text !== '' && column.read ? [column.read(text, row)] : [];
      });
      for (const { head, field, type } of record.format.columns) {
        const text = record.get(head);
        if (field === '' || (text === '' && field !== 'school_id')) continue;
        if (text === clearWord) fields[field] = null;
        else if (type.is === 'one') {
          const written = text === '' ? schoolOf(record, index) : text;
          if (written === '') continue;
          const reference = made.one(record, head, type.of, written);
          if (reference) fields[field] = reference;
        } else if (type.is === 'many') fields[field] = made.many(record, head, type.of[0] ?? 'staff');
        else if (type.is === 'word') fields[field] = type.words[text] ?? text;
        else if (type.is === 'words') fields[field] = splitList(text).map((word) => type.words[word] ?? word);
        else if (type.is === 'number') fields[field] = Number(text);
        else fields[field] = text;
      }
      if (remarks.isRefused(record.place)) return;
      yield { kind, sourceId, fields: Object.assign(fields, more, ...read), state: 'active', place: record.place };
    },
    one(record, head, kinds, text = record.get(head)) {
      const found = resolveReference(index, kinds, text, isWhole);
      if ('fault' in found) {
        remarks.reject(record.place, head, found.fault);
        return undefined;
      }
      const { kind, sourceId, isNamed } = found;
      const named = index.get(kind);
      const place = named && placeOfRecord(named, sourceId);
      if (place && remarks.isRefused(place)) {
        const message = `“${text}”在“${place.file}”第${place.row}行，那一行有错误，请先改正`;
        remarks.reject(record.place, head, message);
        return undefined;
      }
      return isNamed ? { kind, sourceId, name: text } : { kind, sourceId };
    },
    many(record, head, kind) {
      const text = record.get(head);
      if (text === '' || text === clearWord) return [];
      return [...new Set(splitList(text))].flatMap((part) => made.one(record, head, [kind], part) ?? []);
    },
    isFirst(seen, id, record) {
      const earlier = seen.get(id);
      const { place } = record;
      if (earlier === undefined) seen.set(copyText(id), place);
      else {
        const field = record.get('编号') === '' ? '' : '编号';
        remarks.reject(place, field, `与${describeRow(place, earlier)}重复`);
        if (!remarks.isRefused(earlier)) remarks.reject(earlier, field, `与${describeRow(earlier, place)}重复`);
      }
      return earlier === undefined;
    },
  };
  return made;
}

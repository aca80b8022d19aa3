/**
 * Importer for records that are rows of one table. The subject provides matching and comparing; this file reads, adds,
 * changes, ends, restores and undoes, with history rows.
 */
import type { Columns } from '#server/platform/db/json-rows.ts';
import { deleteRows, insertRows, type Table, updateRows } from '#server/platform/db/rows.ts';
import {
  type AddedRecord,
  type ChangedRecord,
  deletionChanges,
  type Fields,
  type FieldValue,
  historyOf,
  historyOfAdditions,
  historyOfEdits,
  historyOfWholeEdits,
  type ImportContext,
  type Importer,
  type ImporterSession,
  idsOf,
  newIds,
} from './importer.ts';

type Row = Readonly<Record<string, FieldValue>>;

/**
 * How a record ends: column with the time, name of its flag in the history (null: the column itself), and the history
 * actions.
 */
export const endByArchiving = {
  column: 'put_away_at',
  flag: 'is_put_away',
  end: 'put-away',
  restore: 'restore',
} as const;
export const endByDisabling = {
  column: 'disabled_at',
  flag: 'is_disabled',
  end: 'disable',
  restore: 'enable',
} as const;

interface EndingColumns {
  column: string;
  flag: string | null;
  end: string;
  restore: string;
}

/** Functions that the subject provides during one check or application of an import. */
export interface SimpleSession
  extends Pick<ImporterSession, 'findMatch' | 'diff' | 'similar'>,
    Partial<Pick<ImporterSession, 'effects' | 'endFaults' | 'changeFaults'>> {
  /** Reads the rows that the user manages: id, fields, and time of the end. */
  rows(ids: readonly number[]): Promise<readonly ({ id: number } & Readonly<Record<string, FieldValue>>)[]>;
  /** Returns values of further columns for new rows, in order; `columns` are already filled in. */
  newRows?(made: readonly AddedRecord[]): Promise<readonly Row[]>;
  /** Returns column values for changed rows, in order; needed where they differ from the fields. */
  changedRows?(changed: readonly ChangedRecord[]): Promise<readonly Row[]>;
  /** Replaces the rows of other tables that belong to new and changed records. */
  writeLinks?(written: readonly AddedRecord[]): Promise<void>;
  /** Deletes these rows before the records themselves. */
  deleteLinks?(ids: readonly number[]): Promise<void>;
  /** Ends data that depends on the records. Returns by id what the history adds about it, and what undo needs. */
  beforeEnd?(ids: readonly number[]): Promise<ReadonlyMap<number, { noted: object; trace: unknown }>>;
  afterUnend?(traces: readonly unknown[]): Promise<void>;
  /** Returns why some additions cannot be undone. */
  inUse(made: readonly AddedRecord[]): Promise<Map<string, string>>;
}

export interface SimpleImporter extends Omit<Importer, 'open'> {
  table: Table;
  columns: Columns;
  /** Columns that are only set for new rows. */
  newColumns?: Columns;
  row(fields: Fields): Row;
  /** Converts fields to the form that the history has. */
  said?(fields: Fields): object;
  /** True: history rows of edits contain all fields, not only the changed ones. */
  notesWhole?: true;
  /** How the import ends (archives) a record. Without it, imports cannot end records of this kind. */
  ending?: EndingColumns;
  /** History action for an addition that is undone. */
  removal: 'delete' | 'remove' | 'undo';
  open(context: ImportContext): Promise<SimpleSession>;
}

export function simpleImporter(simple: SimpleImporter): Importer {
  const { table, columns, newColumns, row, said, notesWhole, ending, removal, open, ...kind } = simple;
  return { ...kind, open: async (context) => sessionOf(simple, context, await open(context)) };
}

const noNames = async () => new Map<string, never>();

function sessionOf(kind: SimpleImporter, context: ImportContext, own: SimpleSession): ImporterSession {
  const { db, now } = context;
  const { table, ending } = kind;
  const note = historyOf(context, table);
  const columnsOf = (more: Columns): Columns => ({ id: 'integer', ...more });

  /** Ends records; restores them if `at` is null. */
  async function set(
    { column, flag, end, restore }: EndingColumns,
    rows: readonly { id: number; at: number | null; noted?: object | undefined }[],
  ): Promise<void> {
    const isEnd = rows.some(({ at }) => at !== null);
    const before = flag === null ? await momentsOf(rows.map(({ id }) => id)) : new Map<number, number | null>();
    await updateRows<Table, Columns>(
      db,
      table,
      columnsOf({ [column]: 'integer' }) as never,
      rows.map(({ id, at }) => ({ id, [column]: at })),
    );
    await note(isEnd ? end : restore, rows, ({ id, at, noted }) => ({
      recordId: id,
      before: flag === null ? { [column]: before.get(id) ?? null } : { [flag]: isEnd ? 0 : 1 },
      after: { ...(flag === null ? { [column]: at } : { [flag]: isEnd ? 1 : 0 }), ...noted },
    }));
  }
  const momentsOf = async (ids: readonly number[]) =>
    new Map((await own.rows(ids)).map((row) => [row.id, (row[ending?.column ?? ''] ?? null) as number | null]));

  return {
    effects: noNames,
    ...own,
    async stored(records) {
      const rows = await own.rows(records.map(Number));
      return new Map(
        rows.map(({ id, [ending?.column ?? '']: at = null, ...fields }) => [
          String(id),
          { fields, isGone: ending !== undefined && at !== null },
        ]),
      );
    },
    newRecords: (fields) => newIds(db, table, fields),
    async add(made) {
      const more = await own.newRows?.(made);
      const rows = made.map(({ record, fields }, at) => ({ ...kind.row(fields), ...more?.[at], id: Number(record) }));
      await insertRows<Table, Columns>(db, table, columnsOf({ ...kind.columns, ...kind.newColumns }) as never, rows);
      await own.writeLinks?.(made);
      await note('add', historyOfAdditions(made, kind.said));
      return new Map();
    },
    async change(changed) {
      const rows = (await own.changedRows?.(changed)) ?? changed.map(({ after }) => kind.row(after));
      const values = rows.map((row, at) => ({ ...row, id: Number(changed[at]?.record) }));
      await updateRows<Table, Columns>(db, table, columnsOf(kind.columns) as never, values);
      await own.writeLinks?.(changed.map(({ record, after }) => ({ record, fields: after })));
      await note('edit', (kind.notesWhole ? historyOfWholeEdits : historyOfEdits)(changed, kind.said));
    },
    async end(ended) {
      if (!ending) return new Map();
      const ids = idsOf(ended);
      const gone = await own.beforeEnd?.(ids);
      await set(
        ending,
        ids.map((id) => ({ id, at: now, noted: gone?.get(id)?.noted })),
      );
      return new Map([...(gone ?? [])].map(([id, { trace }]) => [String(id), trace]));
    },
    async restore(returning) {
      if (!ending) return new Map();
      const was = await momentsOf(idsOf(returning));
      await set(
        ending,
        idsOf(returning).map((id) => ({ id, at: null })),
      );
      return new Map([...was].map(([id, at]) => [String(id), { [ending.column]: at }]));
    },
    async remove(made) {
      const kept = await own.inUse(made);
      const gone = made.filter(({ record }) => !kept.has(record));
      await own.deleteLinks?.(idsOf(gone));
      await deleteRows<Table, Columns>(
        db,
        table,
        columnsOf({}) as never,
        idsOf(gone).map((id) => ({ id })),
      );
      await note(kind.removal, deletionChanges(gone, kind.said));
      return kept;
    },
    async undoEnd(ended) {
      if (!ending) return;
      await set(
        ending,
        idsOf(ended).map((id) => ({ id, at: null })),
      );
      await own.afterUnend?.(ended.map(({ trace }) => trace));
    },
    async undoRestore(returned) {
      if (!ending) return;
      const at = (trace: unknown) => (trace as Record<string, number | null> | null)?.[ending.column] ?? now;
      await set(
        ending,
        returned.map(({ record, trace }) => ({ id: Number(record), at: at(trace) })),
      );
    },
  };
}

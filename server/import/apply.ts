/** Applies a checked import inside the caller's transaction: all rows or none. */
import { conflict, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { insertRows, updateRows } from '#server/platform/db/rows.ts';
import { analyzeTables } from '#server/platform/db/statistics.ts';
import { type Fields, type FieldValue, idsFromText, idsToText } from '#server/school/importer.ts';
import { Differ } from './differ.ts';
import type { RowDiff } from './row-plan.ts';
import { kindName, type RowOutcome, rowOutcomeNames, staleSentence } from './rules.ts';
import type { RecordKind } from './source-record.ts';
import type { ExternalRecord } from './staged-rows.ts';
import { diffOptionsOf, ImportCancelled, type JobInput, type Progress, storedImport } from './stored-import.ts';

/** Maximum number of records named in the message that records changed since the check. */
const staleNamed = 10;

/** Number of rows written before the database's statistics are first updated (ANALYZE). */
const growingFrom = 1000;

/** Stored name of the action `restore`; traces of earlier imports have it too. */
export const storedRestore = 'come back';

const storedActions = { add: 'add', change: '', restore: storedRestore, end: 'end' } as const;

/** Data that undo needs about an applied row. */
export interface UndoTrace {
  /** Name of the action on the record; '' for a plain change. */
  did: 'add' | typeof storedRestore | 'end' | '';
  own: unknown;
  /** Data that undo needs about side effects of a change. */
  beside?: unknown;
  /** Record that this source id was mapped to before; null if none, absent if unchanged. */
  external?: ExternalRecord | null;
}

/** Writes all rows. 409: records changed since the check; the caller must then roll back. */
export async function applyRows(
  db: Database,
  work: JobInput & { departures: boolean },
  progress: Progress,
): Promise<Refusal | null> {
  const upload = await storedImport(db, work.importId);
  // If the import changes nothing, for instance because the same file was sent again, no record can have changed since
  // the check.
  if (upload.writes === 0) return close();
  const judge = new Differ(diffOptionsOf(db, work, upload));
  const stale: string[] = [];
  let staleCount = 0;
  let absent = 0;
  let done = 0;
  /** Ids of created records by kind and row number: during the check a new record was only known by its row number. */
  const madeBy = new Map<RecordKind, Map<number, number>>();

  const makerOf = (of: readonly string[], id: number): number | undefined => {
    const [maker] = of.flatMap((kind) => madeBy.get(kind as RecordKind)?.get(id) ?? []);
    return maker === undefined ? undefined : -maker;
  };
  const compare = (kind: RecordKind, rows: readonly RowDiff[]) => {
    const owner = judge.ownerOf(kind);
    for (const row of rows) {
      const after = JSON.stringify(
        Object.fromEntries(
          Object.entries(row.after).map(([field, value]): [string, FieldValue] => {
            const many = owner.refersToMany?.[field];
            if (many !== undefined)
              return [field, idsToText(idsFromText(value).map((id) => makerOf([many], id) ?? id))];
            return [field, makerOf([owner.refers[field] ?? []].flat(), Number(value)) ?? value];
          }),
        ),
      );
      const { said } = row.row;
      const isSame =
        said.verdict === row.verdict && said.seen === row.seen && (said.after === after || row.verdict === 'refused');
      if (isSame) continue;
      staleCount += 1;
      if (stale.length < staleNamed) stale.push(changedSinceMessage(kind, row));
    }
  };

  const tell = async (count: number) => {
    done += count;
    if (!(await progress(done))) throw new ImportCancelled();
  };

  /** The statistics are updated each time the number of written rows has doubled. */
  let nextLook = growingFrom;
  let grown = 0;
  const grow = async (count: number) => {
    grown += count;
    if (grown < nextLook) return;
    await analyzeTables(db, ['external_id']);
    nextLook = grown * 2;
  };

  for await (const { kind, rows } of judge.named()) {
    compare(kind, rows);
    if (staleCount === 0) await write(kind, rows);
    for (const row of rows) judge.foresee(kind, row);
    await grow(rows.length);
    await tell(rows.length);
  }
  if (work.departures) {
    for await (const { kind, rows } of judge.leaving()) {
      compare(kind, rows);
      absent += rows.filter(({ row }) => row.state === 'absent').length;
      if (staleCount === 0) await write(kind, rows);
      await tell(rows.length);
    }
    const outcomeName = await db
      .selectFrom('import_row')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('import_id', '=', upload.id)
      .where('state', '=', 'absent')
      .executeTakeFirstOrThrow();
    staleCount += Math.max(0, Number(outcomeName.count) - absent);
  }
  if (staleCount > 0) return conflict(staleSentence(stale, staleCount), { changed: stale, count: staleCount });
  return close();

  async function close(): Promise<null> {
    await db
      .updateTable('import')
      .set({ state: 'applied', job: '', applied_at: work.now, failure: '' })
      .where('id', '=', upload.id)
      .execute();
    return null;
  }

  async function write(kind: RecordKind, rows: readonly RowDiff[]): Promise<void> {
    const open = await judge.opening(kind);
    const owner = judge.ownerOf(kind);
    const of = (act: RowDiff['act']) => rows.filter((row) => row.act === act);
    const traces = new Map<RowDiff, UndoTrace>();

    const added = of('add');
    const records = await open.newRecords(added.map(({ fields }) => fields));
    const made = getOrAdd(madeBy, kind, () => new Map());
    for (const [at, row] of added.entries()) {
      row.record = records[at] as string;
      made.set(Number(row.record), row.row.id);
    }
    const back = of('restore');
    const ended = of('end');
    const changed = [...of('change'), ...back.filter(({ changes }) => changes)];
    const own = {
      add: added.length > 0 ? await open.add(added) : new Map(),
      [storedRestore]: back.length > 0 ? await open.restore(back) : new Map(),
      end: ended.length > 0 ? await open.end(ended) : new Map(),
    };
    const changes = changed.map(({ record, stored, fields }) => ({
      record,
      before: stored?.fields ?? {},
      after: fields,
    }));
    if (changes.length > 0) await open.change(changes);
    const beside = changes.length > 0 ? await open.sideEffects?.(changes) : undefined;
    for (const row of rows) {
      if (row.act === 'none') continue;
      const did = storedActions[row.act];
      const made = beside?.get(row.record);
      traces.set(row, {
        did,
        own: did === '' ? null : (own[did].get(row.record) ?? null),
        ...(made !== undefined && { beside: made }),
      });
    }
    const known = rows.flatMap((row): (Omit<ExternalRecord, 'fields'> & { row: RowDiff; fields: Fields })[] => {
      const { record, base, external, act } = row;
      if (act === 'end') {
        const names = [...(owner.stateFields ?? []), ...(owner.atEnd ?? [])];
        const fields = omitFields(external?.fields ?? {}, names);
        return [{ row, record, state: 'gone', fields }];
      }
      return base === undefined ? [] : [{ row, record, state: 'active', fields: base }];
    });
    for (const { row } of known) {
      const trace = traces.get(row) ?? { did: '', own: null };
      traces.set(row, { ...trace, external: row.external ?? null });
    }
    await storeExternalIds(
      db,
      { kind, sourceId: upload.source_id, importId: upload.id },
      known.map(({ row, ...external }) => ({ sourced_id: row.sourceId, ...external })),
    );
    await keepTraces(
      db,
      [...traces].map(([row, trace]) => ({ row, trace })),
    );
  }
}

const omitFields = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Says how a record differs now from what the check found. */
function changedSinceMessage(kind: RecordKind, { label, verdict, row }: RowDiff): string {
  const who = `${kindName(kind)}“${label}”`;
  const outcomeName = rowOutcomeNames[row.said.verdict as RowOutcome] ?? '';
  return outcomeName === rowOutcomeNames[verdict]
    ? `${who}已被修改`
    : `${who}原为${outcomeName || '未检查'}，现为${rowOutcomeNames[verdict]}`;
}

const externalColumns = {
  source_id: 'integer',
  kind: 'text',
  sourced_id: 'text',
  record: 'text',
  state: 'text',
  fields: 'text',
  import_id: 'integer',
} as const;

/** Stores by which ids the source names its records. */
export const storeExternalIds = (
  db: Database,
  { kind, sourceId, importId }: { kind: string; sourceId: number; importId: number },
  externals: readonly (ExternalRecord & { sourced_id: string })[],
): Promise<void> =>
  insertRows(
    db,
    'external_id',
    externalColumns,
    externals.map(({ sourced_id, record, state, fields }) => ({
      source_id: sourceId,
      kind,
      sourced_id,
      record,
      state,
      fields: JSON.stringify(fields),
      import_id: importId,
    })),
    { known: ['source_id', 'kind', 'sourced_id'], set: ['record', 'state', 'fields', 'import_id'] },
  );

const keepTraces = (db: Database, all: readonly { row: RowDiff; trace: UndoTrace }[]): Promise<void> =>
  updateRows(
    db,
    'import_row',
    { id: 'integer', record: 'text', after: 'text', trace: 'text' },
    all.map(({ row, trace }) => ({
      id: row.row.id,
      record: row.record,
      after: JSON.stringify(row.after),
      trace: JSON.stringify({ sourceId: row.sourceId, ...trace }),
    })),
  );

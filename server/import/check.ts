/** Checks an import: compares every row with stored data and stores the outcomes. Changes nothing else. */

import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Database } from '#server/platform/db/engine.ts';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { inTexts } from '#server/platform/db/json-rows.ts';
import { countOf } from '#server/platform/db/page.ts';
import { insertRows, updateRows } from '#server/platform/db/rows.ts';
import { dayOf } from '#server/school/calendar.ts';
import type { AddedRecord } from '#server/school/importer.ts';
import { storeClashes } from './clashes.ts';
import { Differ } from './differ.ts';
import { type Hold, holdsOf, olderHold } from './hold-rules.ts';
import type { RowDiff } from './row-plan.ts';
import { isRollOverPlan } from './rules.ts';
import { type RecordKind, recordKinds } from './source-record.ts';
import {
  type Counts,
  diffOptionsOf,
  ImportCancelled,
  type JobInput,
  type Progress,
  storedImport,
} from './stored-import.ts';
import { rowColumns } from './upload.ts';

/** If more records leave than this, the effect of all leaving together is not computed. */
const maxConsequences = 20_000;

export async function checkRows(db: Database, work: JobInput, progress: Progress): Promise<void> {
  const upload = await storedImport(db, work.importId);
  const judge = new Differ(diffOptionsOf(db, work, upload));
  await db.deleteFrom('import_row').where('import_id', '=', upload.id).where('state', '=', 'absent').execute();
  const counts: Counts = {};
  const tallies = new Map<RecordKind, { rows: number; leaves: number; changes: number }>();
  const ended = new Map<RecordKind, AddedRecord[]>();
  const absent = new Map<RecordKind, string[]>();
  let unread = 0;
  const inClasses = classCounts();
  let writes = 0;
  let done = 0;
  const take = async (kind: RecordKind, rows: RowDiff[]) => {
    const own = counts[kind] ?? {};
    counts[kind] = own;
    const tally = getOrAdd(tallies, kind, () => ({ rows: 0, leaves: 0, changes: 0 }));
    for (const row of rows) {
      own[row.verdict] = (own[row.verdict] ?? 0) + 1;
      if (row.row.state !== 'absent') tally.rows += 1;
      if (row.verdict === 'leaves') {
        tally.leaves += 1;
        if (row.row.state === 'absent') getOrAdd(absent, kind, () => []).push(row.record);
        getOrAdd(ended, kind, () => []).push({ record: row.record, fields: row.fields });
      }
      if (kind === 'membership') inClasses.note(row);
      if (row.changes) tally.changes += 1;
      if (row.act !== 'none' || row.base !== undefined) writes += 1;
      // A refused row without an id may be somebody who therefore seems to have left.
      if (row.verdict === 'refused' && row.row.source_id === '') unread += 1;
    }
    await keepVerdicts(db, upload.id, rows);
    done += rows.length;
    if (!(await progress(done))) throw new ImportCancelled();
    await othersTurn();
  };
  for await (const { kind, rows } of judge.named()) {
    await take(kind, rows);
    for (const row of rows) judge.foresee(kind, row);
  }
  for await (const { kind, rows } of judge.leaving()) await take(kind, rows);

  const effects: string[] = [];
  for (const [kind, records] of ended) {
    const open = await judge.opening(kind);
    if (records.length <= maxConsequences) effects.push(...((await open.consequences?.(records)) ?? []));
  }
  if (tallies.has('period') || tallies.has('lesson')) {
    const clashSummary = await storeClashes(db, work);
    if (clashSummary) effects.push(clashSummary);
  }
  const endedClasses = new Set(
    [...(ended.get('class') ?? []), ...(ended.get('group_class') ?? [])].map(({ record }) => record),
  );
  const emptied = inClasses.emptied(endedClasses);
  const cut = await cutOff(db, upload, absent);
  const holds = await computeHolds(db, upload, { tallies, refused: unread, emptied, cut });
  if (writes > 0) holds.push(...(await olderFile(db, upload, work.timezone)));
  await db
    .updateTable('import')
    .set({
      state: holds.length > 0 ? 'held' : 'checked',
      job: '',
      counts: JSON.stringify(counts),
      holds: JSON.stringify(holds),
      effects: JSON.stringify(effects),
      writes,
      checked_at: work.now,
      failure: '',
    })
    .where('id', '=', upload.id)
    .execute();
}

/** Counts for each class the students that the upload names, and the memberships that would leave. */
function classCounts() {
  const named = new Set<string>();
  const left = new Map<string, number>();
  return {
    note({ row, verdict, fields }: RowDiff): void {
      const theClass = String(fields.class_id ?? '');
      if (verdict !== 'leaves') named.add(theClass);
      else if (row.state === 'absent') left.set(theClass, (left.get(theClass) ?? 0) + 1);
    },
    /** Returns, for each class that goes on but loses all its students, how many leave. */
    emptied: (ended: ReadonlySet<string>): number[] =>
      [...left].flatMap(([theClass, count]) => (named.has(theClass) || ended.has(theClass) ? [] : [count])),
  };
}

async function computeHolds(
  db: Database,
  upload: { id: number; source_id: number; mode: 'bulk' | 'delta'; kinds: readonly RecordKind[]; plan: string },
  {
    tallies,
    refused,
    emptied,
    cut,
  }: {
    tallies: ReadonlyMap<RecordKind, { rows: number; leaves: number; changes: number }>;
    refused: number;
    emptied: readonly number[];
    cut: ReadonlyMap<RecordKind, string>;
  },
): Promise<Hold[]> {
  const known = await db
    .selectFrom('external_id')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .where('source_id', '=', upload.source_id)
    .where('state', '=', 'active')
    .groupBy('kind')
    .execute();
  const unread = await db
    .selectFrom('import_remark')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('import_id', '=', upload.id)
    .where('tone', '=', 'refused')
    .executeTakeFirstOrThrow();
  return recordKinds
    .filter((kind) => upload.kinds.includes(kind) || tallies.has(kind))
    .flatMap((kind) =>
      holdsOf(kind, {
        mode: upload.mode,
        had: Number(known.find((one) => one.kind === kind)?.count ?? 0),
        unread: Number(unread.count) + refused,
        ...(kind === 'membership' && { emptied }),
        cut: cut.get(kind),
        isOwn: upload.plan !== '',
        areLeavesChosen: isRollOverPlan(upload.plan),
        ...(tallies.get(kind) ?? { rows: 0, leaves: 0, changes: 0 }),
      }),
    );
}

/** If more records leave than this, the search for a truncated file is skipped: the number alone holds the import. */
const maxCut = 1000;

/**
 * Detects text files that were cut off, for each kind: all leaving records were the last lines of one file at the
 * previous import. A file cut off at the end of a line looks like a shorter file, so this is the only sign.
 */
async function cutOff(
  db: Database,
  { id, source_id }: { id: number; source_id: number },
  absent: ReadonlyMap<RecordKind, readonly string[]>,
): Promise<Map<RecordKind, string>> {
  const cut = new Map<RecordKind, string>();
  if (absent.size === 0) return cut;
  const last = await db
    .selectFrom('import')
    .select('id')
    .where('source_id', '=', source_id)
    .where('mode', '=', 'bulk')
    .where('state', '=', 'applied')
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last) return cut;
  const named = () =>
    db.selectFrom('import_row').where('import_row.import_id', '=', last.id).where('import_row.state', '=', 'active');
  for (const [kind, records] of absent) {
    if (records.length > maxCut) continue;
    const stood = await named()
      .select(['file', (eb) => eb.fn.min('place').as('first')])
      .where('kind', '=', kind)
      .where('record', 'in', inTexts(db, records))
      .groupBy('file')
      .execute();
    const [only, ...others] = stood;
    // Only text files can be cut off unnoticed; a truncated archive cannot be read at all.
    if (!only || others.length > 0 || !/\.(?:csv|txt)$/i.test(only.file)) continue;
    const stillThere = await named()
      .select('import_row.id')
      .where('import_row.file', '=', only.file)
      .where('import_row.record', '!=', '')
      .where('import_row.place', '>', only.first)
      .innerJoin('import_row as now', (on) =>
        on
          .on('now.import_id', '=', id)
          .onRef('now.kind', '=', 'import_row.kind')
          .onRef('now.record', '=', 'import_row.record')
          .on('now.state', '!=', 'absent'),
      )
      .limit(1)
      .executeTakeFirst();
    if (!stillThere) cut.set(kind, only.file);
  }
  return cut;
}

/**
 * Holds the import if its file equals one imported before the source's latest file, and so is probably an old version.
 */
async function olderFile(
  db: Database,
  { source_id, content_hash }: { source_id: number; content_hash: string },
  timezone: string,
): Promise<Hold[]> {
  const applied = db
    .selectFrom('import')
    .where('source_id', '=', source_id)
    .where('state', '=', 'applied')
    .where('applied_at', 'is not', null);
  const same = await applied
    .select(['id', 'file_name', 'applied_at'])
    .where('content_hash', '=', content_hash)
    .where('content_hash', '!=', '')
    .orderBy('applied_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (same?.applied_at == null) return [];
  const since = await countOf(applied.where('id', '>', same.id).where('content_hash', '!=', content_hash));
  return since === 0 ? [] : [olderHold({ file: same.file_name, day: dayOf(same.applied_at, timezone), since })];
}

const columns = {
  id: 'integer',
  verdict: 'text',
  record: 'text',
  label: 'text',
  before: 'text',
  after: 'text',
  conflicts: 'text',
  reasons: 'text',
  effect: 'text',
  seen: 'text',
} as const;
const { id: _, ...newColumns } = columns;
const checkedColumns = { ...newColumns, ...rowColumns } as const;

/** Stores the outcomes: in the rows of the upload, and in additional rows for records that it does not name. */
async function keepVerdicts(db: Database, importId: number, judged: readonly RowDiff[]): Promise<void> {
  const values = judged.map(({ row, verdict, record, label, effect, seen, ...one }) => ({
    id: row.id,
    import_id: importId,
    kind: row.kind,
    source_id: row.source_id,
    state: row.state,
    file: '',
    place: 0,
    fields: '{}',
    verdict,
    record,
    label,
    before: JSON.stringify(one.before),
    after: JSON.stringify(one.after),
    conflicts: JSON.stringify(one.conflicts),
    reasons: JSON.stringify(one.reasons),
    effect,
    seen,
  }));
  await updateRows(
    db,
    'import_row',
    columns,
    values.filter(({ state }) => state !== 'absent'),
  );
  await insertRows(
    db,
    'import_row',
    checkedColumns,
    values.filter(({ state }) => state === 'absent'),
  );
}

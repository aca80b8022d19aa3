/**
 * Undoes an import: restores changed records, and deletes created ones that nobody uses. A record that somebody changed
 * since then stays unchanged, with the reason.
 */
import { maxId } from '#server/platform/calls/fields.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { inIds, inTexts } from '#server/platform/db/json-rows.ts';
import { updateRows } from '#server/platform/db/rows.ts';
import type { AddedRecord, Fields, ImporterSession } from '#server/school/importer.ts';
import { storedRestore, storeExternalIds, type UndoTrace } from './apply.ts';
import { Differ } from './differ.ts';
import { fieldWord, kindName } from './rules.ts';
import { type RecordKind, recordKinds } from './source-record.ts';
import { type ExternalRecord, rowsPerBatch } from './staged-rows.ts';
import { diffOptionsOf, ImportCancelled, type JobInput, type Progress, storedImport } from './stored-import.ts';

interface AppliedRow {
  id: number;
  record: string;
  before: Fields;
  after: Fields;
  trace: UndoTrace & { sourceId: string };
}

export async function undoRows(db: Database, work: JobInput, progress: Progress): Promise<void> {
  const upload = await storedImport(db, work.importId);
  const judging = diffOptionsOf(db, work, upload);
  const judge = new Differ(judging);
  const owned = recordKinds.filter((kind) => judging.owners.has(kind));
  let done = 0;
  const take = async (kind: RecordKind, isEnd: boolean) => {
    for await (const rows of readAppliedRows(db, upload.id, { kind, isEnd })) {
      const touched = await findEndedSince(db, kind, { rows, since: upload.applied_at ?? work.now });
      const automaticFields = judge.ownerOf(kind).automaticFields ?? [];
      const stayed = await undoAdditions(await judge.opening(kind), rows, { automaticFields, touched });
      // If a record stays, its source id still means it.
      const back = rows.filter(({ id }) => !stayed.get(id)?.isWhole);
      await restoreExternals(db, { kind, sourceId: upload.source_id, importId: upload.id }, back);
      await storeStayed(db, stayed);
      done += rows.length;
      if (!(await progress(done))) throw new ImportCancelled();
    }
  };
  // Undo goes through the kinds in the reverse order of applying.
  for (const kind of owned) await take(kind, true);
  for (const kind of owned.toReversed()) await take(kind, false);
  await db
    .updateTable('import')
    .set({ state: 'undone', job: '', undone_at: work.now, failure: '' })
    .where('id', '=', upload.id)
    .execute();
}

/** Yields the applied rows, latest first. */
async function* readAppliedRows(
  db: Database,
  importId: number,
  { kind, isEnd }: { kind: RecordKind; isEnd: boolean },
): AsyncGenerator<AppliedRow[]> {
  const read = async (before: number) =>
    db
      .selectFrom('import_row')
      .select(['id', 'record', 'before', 'after', 'trace'])
      .where('import_id', '=', importId)
      .where('kind', '=', kind)
      .where('trace', '!=', '')
      .where('verdict', isEnd ? '=' : '!=', 'leaves')
      .where('id', '<=', before)
      .orderBy('id', 'desc')
      .limit(rowsPerBatch)
      .execute();
  for (let rows = await read(maxId); rows.length > 0; rows = await read((rows.at(-1)?.id ?? 0) - 1)) {
    yield rows.map(({ before, after, trace, ...row }) => ({
      ...row,
      before: JSON.parse(before),
      after: JSON.parse(after),
      trace: JSON.parse(trace),
    }));
  }
}

type StayedRecords = Map<number, { why: string; isWhole: boolean }>;

class NotMeant extends Error {}

const maxTried = 5000;

/** Records named in a group of the preview. */
const maxLabels = 5;

interface UndoGroup {
  kind_name: string;
  count: number;
  labels: string[];
}

/** Records that an undo takes back, by kind, and those that stay, also by reason. */
interface UndoPreview {
  goes: UndoGroup[];
  stays: (UndoGroup & { why: string })[];
}

/** Previews an undo by rolling it back; null above `maxTried` rows. */
export async function previewUndo(db: Database, work: JobInput): Promise<UndoPreview | null> {
  const { id, total } = await storedImport(db, work.importId);
  if (total > maxTried) return null;
  let tried: UndoPreview | undefined;
  try {
    await db.transaction().execute(async (trx) => {
      await undoRows(trx, work, async () => true);
      const rows = await trx
        .selectFrom('import_row')
        .select(['kind', 'label', 'stayed'])
        .where('import_id', '=', id)
        .where('trace', '!=', '')
        .orderBy('id')
        .execute();
      const groups = [...groupRows(rows, ({ kind, stayed }) => `${kind} ${stayed}`).values()].flatMap((its) => {
        const [{ kind = '', stayed = '' } = {}] = its;
        const labels = its.slice(0, maxLabels).map(({ label }) => label);
        return [{ why: stayed, kind_name: kindName(kind), count: its.length, labels }];
      });
      tried = {
        goes: groups.flatMap(({ why, ...group }) => (why === '' ? [group] : [])),
        stays: groups.filter(({ why }) => why !== '').sort((one, other) => other.count - one.count),
      };
      throw new NotMeant();
    });
  } catch (error) {
    if (!(error instanceof NotMeant)) throw error;
  }
  return tried ?? null;
}

/** History names of the kinds whose records can end and return. */
const historyRecords: Partial<Record<RecordKind, string>> = {
  school: 'school',
  term: 'term',
  category: 'classify',
  grade: 'grade',
  subject: 'subject',
  room: 'room',
  staff: 'staff',
  student: 'student',
  course: 'course',
  class: 'class',
  group_class: 'class',
};
const endings = ['disable', 'enable', 'put-away', 'restore', 'end', 'reopen'];

/**
 * Finds added records that somebody has ended or restored by hand since, even if their fields are unchanged. Changes at
 * the very moment when another import was applied or undone do not count.
 */
async function findEndedSince(
  db: Database,
  kind: RecordKind,
  { rows, since }: { rows: readonly AppliedRow[]; since: number },
): Promise<ReadonlySet<string>> {
  const record = historyRecords[kind];
  const ids = rows.flatMap(({ record: id, trace }) => (trace.did === 'add' && /^\d+$/.test(id) ? [Number(id)] : []));
  if (record === undefined || ids.length === 0) return new Set();
  const found = await db
    .selectFrom('history')
    .select('record_id')
    .distinct()
    .where('record', '=', record)
    .where('record_id', 'in', inIds(db, ids))
    .where('action', 'in', endings)
    .where('at', '>=', since)
    .where(
      'at',
      'not in',
      db
        .selectFrom('import')
        .select('applied_at')
        .where('applied_at', 'is not', null)
        .$castTo<{ applied_at: number }>(),
    )
    .where(
      'at',
      'not in',
      db.selectFrom('import').select('undone_at').where('undone_at', 'is not', null).$castTo<{ undone_at: number }>(),
    )
    .execute();
  return new Set(found.map(({ record_id }) => String(record_id)));
}

async function undoAdditions(
  open: ImporterSession,
  rows: readonly AppliedRow[],
  { automaticFields, touched }: { automaticFields: readonly string[]; touched: ReadonlySet<string> },
): Promise<StayedRecords> {
  const stored = await open.stored([...new Set(rows.map(({ record }) => record))]);
  const stayed: StayedRecords = new Map();
  const stay = (id: number, why: string, isWhole = true) => stayed.set(id, { why, isWhole });
  const traced = ({ record, trace }: AppliedRow, fields: Fields): AddedRecord & { trace: unknown } => ({
    record,
    fields,
    trace: trace.own,
  });

  // ---- restores the records that the import ended
  const ended = rows.filter(({ trace }) => trace.did === 'end');
  const over = ended.filter(({ id, record }) => {
    const there = stored.get(record);
    const isStillOver = there === undefined || there.isGone;
    if (!isStillOver) stay(id, '之后已恢复');
    return isStillOver;
  });
  if (over.length > 0) await open.undoEnd(over.map((row) => traced(row, stored.get(row.record)?.fields ?? {})));

  // ---- reverts the fields that the import changed
  const changed = rows.filter(({ trace, before }) => trace.did !== 'add' && Object.keys(before).length > 0);
  const fixed = (await open.changeFaults?.(changed.map(({ record }) => record))) ?? new Map<string, string>();
  const changes = changed.flatMap(({ id, record, before, after }) => {
    const there = stored.get(record);
    const fault = fixed.get(record);
    if (fault !== undefined) {
      stay(id, fault);
      return [];
    }
    if (!there) {
      stay(id, '已不存在');
      return [];
    }
    const touched = Object.keys(after).filter((field) => there.fields[field] !== after[field]);
    if (touched.length > 0) stay(id, `之后又修改了${touched.map((field) => fieldWord(field)).join('、')}`, false);
    const back = Object.fromEntries(Object.entries(before).filter(([field]) => !touched.includes(field)));
    return Object.keys(back).length > 0 ? [{ record, before: there.fields, after: { ...there.fields, ...back } }] : [];
  });
  if (changes.length > 0) await open.change(changes);
  if (changes.length > 0) await open.sideEffects?.(changes);
  const beside = changed.filter(({ trace }) => trace.beside !== undefined);
  if (beside.length > 0)
    await open.removeSideEffects?.(beside.map(({ record, trace }) => ({ record, trace: trace.beside })));

  // ---- ends the records that returned by the import
  const returned = rows.filter(({ trace }) => trace.did === storedRestore);
  const present = returned.filter(({ id, record }) => {
    const there = stored.get(record);
    const isThere = there !== undefined && !there.isGone;
    if (!isThere) stay(id, '之后已离开或停用');
    return isThere;
  });
  if (present.length > 0)
    await open.undoRestore(present.map((row) => traced(row, stored.get(row.record)?.fields ?? {})));

  // ---- deletes the records that the import created
  const added = rows.filter(({ trace }) => trace.did === 'add');
  let waiting = added.filter(({ id, record, after }) => {
    const there = stored.get(record);
    if (!there) return false;
    if (touched.has(record)) {
      stay(id, '之后停用或恢复过');
      return false;
    }
    const edited = Object.keys(after).filter(
      (field) =>
        field in there.fields &&
        there.fields[field] !== after[field] &&
        !(after[field] === null && automaticFields.includes(field)),
    );
    if (edited.length > 0) stay(id, `之后又修改了${edited.map((field) => fieldWord(field)).join('、')}`);
    return edited.length === 0;
  });
  // Repeated as long as something is deleted, because children must go before their parents.
  while (waiting.length > 0) {
    const faults = await open.remove(waiting.map((row) => traced(row, stored.get(row.record)?.fields ?? {})));
    const still = waiting.filter(({ record }) => faults.has(record));
    if (still.length === waiting.length || still.length === 0) {
      for (const { id, record } of still) stay(id, faults.get(record) ?? '');
      break;
    }
    waiting = still;
  }
  return stayed;
}

async function restoreExternals(
  db: Database,
  place: { kind: RecordKind; sourceId: number; importId: number },
  rows: readonly AppliedRow[],
): Promise<void> {
  const known = rows.filter(({ trace }) => trace.external !== undefined);
  const fresh = known.filter(({ trace }) => trace.external === null);
  if (fresh.length > 0) {
    const ids = fresh.map(({ trace }) => trace.sourceId);
    await db
      .deleteFrom('external_id')
      .where('source_id', '=', place.sourceId)
      .where('kind', '=', place.kind)
      .where('sourced_id', 'in', inTexts(db, ids))
      .execute();
  }
  await storeExternalIds(
    db,
    place,
    known.flatMap(({ trace }): (ExternalRecord & { sourced_id: string })[] =>
      trace.external ? [{ sourced_id: trace.sourceId, ...trace.external }] : [],
    ),
  );
}

const storeStayed = (db: Database, stayed: StayedRecords): Promise<void> =>
  updateRows(
    db,
    'import_row',
    { id: 'integer', stayed: 'text' },
    [...stayed].map(([id, { why }]) => ({ id, stayed: why })),
  );

/** Stores the rows of an upload until the import is applied. */
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf } from '#server/platform/db/page.ts';
import { insertRows } from '#server/platform/db/rows.ts';
import { analyzeTables } from '#server/platform/db/statistics.ts';
import type { ImportActor } from '#server/school/importer.ts';
import type { ImporterByKind } from './kinds.ts';
import { fieldWord, importMessages } from './rules.ts';
import { findOrAddSource, type Source } from './source.ts';
import {
  isReference,
  isWhollyRefused,
  type ParsedUpload,
  type RecordKind,
  type Remark,
  recordKinds,
  type SourceRecord,
} from './source-record.ts';

/** Number of rows per insert statement. */
const batch = 1000;

export interface NewUpload {
  source: Source;
  fileName: string;
  /** Hash of the file, by which the same file is recognised. */
  hash: string;
  reading: ParsedUpload;
  /** Key of the file in the storage. */
  fileKey?: string;
  /** 1: the file comes from the watched folder. */
  found?: 0 | 1;
}

interface Keeping {
  db: Database;
  importer: ImportActor;
  now: number;
  owners: ImporterByKind;
}

/** Stores an upload; returns its id. Writes in small batches, so that other requests are not blocked. */
export async function storeUploadRows(
  { db, importer, now, owners }: Keeping,
  { source, fileName, hash, reading, fileKey = '', found = 0 }: NewUpload,
): Promise<number> {
  const { id } = await db
    .insertInto('import')
    .values({
      source_id: await findOrAddSource(db, source, now),
      staff_id: importer.id,
      file_name: fileName,
      content_hash: hash,
      mode: reading.mode,
      read_as: reading.readAs ?? '',
      kinds: '[]',
      state: 'uploaded',
      file_key: fileKey,
      found,
      noted_at: now,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await keepReading({ db, now, owners }, id, reading);
  return id;
}

/** Replaces the rows of an import by another reading of its file. */
export async function replaceReading(
  keeping: Omit<Keeping, 'importer'>,
  id: number,
  reading: ParsedUpload,
): Promise<void> {
  await keeping.db.deleteFrom('import_row').where('import_id', '=', id).execute();
  await keeping.db.deleteFrom('import_remark').where('import_id', '=', id).execute();
  await keepReading(keeping, id, reading);
}

async function keepReading(
  { db, now, owners }: Omit<Keeping, 'importer'>,
  id: number,
  reading: ParsedUpload,
): Promise<void> {
  const skipped = new Map<RecordKind, Remark>();
  let later: { place: SourceRecord['place']; count: number } | undefined;
  let total = 0;
  let rows: SourceRecord[] = [];
  const flush = async () => {
    total += rows.length;
    await keepRows(db, id, rows);
    rows = [];
    await othersTurn();
  };
  if (reading.before !== undefined) total = await copyRows(db, { from: reading.before, into: id });
  for (const one of reading.intended) {
    const strange = strangeKind(one, owners);
    if (isLeavingLater(one, now)) later = { place: one.place, count: (later?.count ?? 0) + 1 };
    if (strange === undefined) rows.push(endIfPast(one, now));
    else if (!skipped.has(strange))
      skipped.set(strange, { ...one.place, field: '', message: importMessages.notSupported(strange) });
    if (rows.length === batch) await flush();
  }
  await flush();
  await keepRemarks(db, id, 'refused', reading.refused);
  await keepRemarks(db, id, 'forgiven', reading.forgiven);
  const leaving = later
    ? [{ ...later.place, field: fieldWord('left_at'), message: importMessages.leavingLater(later.count) }]
    : [];
  await keepRemarks(db, id, 'doubted', [...reading.doubted, ...skipped.values(), ...leaving]);
  const spoken = recordKinds.filter((kind) => reading.kinds.includes(kind) && owners.has(kind));
  await db
    .updateTable('import')
    .set({
      total,
      mode: reading.mode,
      kinds: JSON.stringify(spoken),
      list: reading.list ? JSON.stringify(reading.list) : '',
      failure: isWhollyRefused(reading) ? (uploadFaults(reading)[0]?.message ?? importMessages.unreadable) : '',
    })
    .where('id', '=', id)
    .execute();
  if (total >= batch) await analyzeTables(db, ['import_row']);
}

/** Returns why the whole upload is refused: messages about the file, or else about its rows. */
export function uploadFaults({ refused }: Pick<ParsedUpload, 'refused'>): Remark[] {
  const ofFile = refused.filter(({ row }) => row === 0);
  return ofFile.length > 0 ? ofFile : refused;
}

/** Returns the first kind without an importer, of the record itself or of a record it refers to. */
const strangeKind = ({ kind, fields }: SourceRecord, owners: ImporterByKind): RecordKind | undefined =>
  [kind, ...Object.values(fields).flatMap((value) => (isReference(value) ? [value.kind] : []))].find(
    (one) => !owners.has(one),
  );

/** A membership whose end is in the past is treated as ended. */
const endIfPast = (one: SourceRecord, now: number): SourceRecord =>
  one.kind === 'membership' && typeof one.fields.left_at === 'number' && one.fields.left_at <= now
    ? { ...one, state: 'gone' }
    : one;

/** True for a membership whose end is in the future; it stays active until then. */
const isLeavingLater = ({ kind, state, fields }: SourceRecord, now: number): boolean =>
  kind === 'membership' && state === 'active' && typeof fields.left_at === 'number' && fields.left_at > now;

/** Columns of a stored row that come from the file. */
export const rowColumns = {
  import_id: 'integer',
  kind: 'text',
  source_id: 'text',
  state: 'text',
  file: 'text',
  place: 'integer',
  fields: 'text',
} as const;

const keepRows = (db: Database, importId: number, rows: readonly SourceRecord[]): Promise<void> =>
  insertRows(
    db,
    'import_row',
    rowColumns,
    rows.map(({ kind, sourceId, state, place, fields }) => ({
      import_id: importId,
      kind,
      source_id: removeNul(sourceId),
      state,
      file: removeNul(place.file),
      place: place.row,
      fields: removeNul(JSON.stringify(fields)),
    })),
  );

/** Number of rows copied per statement. */
const copied = 5000;

/**
 * Copies the rows of an earlier import; returns their number. Rows that its check added for missing records are not
 * copied.
 */
async function copyRows(db: Database, { from, into }: { from: number; into: number }): Promise<number> {
  const { first, last } = await db
    .selectFrom('import_row')
    .select((eb) => [eb.fn.min<number | null>('id').as('first'), eb.fn.max<number | null>('id').as('last')])
    .where('import_id', '=', from)
    .executeTakeFirstOrThrow();
  let count = 0;
  for (let at = first ?? 1; at <= (last ?? 0); at += copied) {
    const made = await db
      .insertInto('import_row')
      .columns(['import_id', 'kind', 'source_id', 'state', 'file', 'place', 'fields'])
      .expression((eb) =>
        eb
          .selectFrom('import_row')
          .select((one) => [one.val(into).as('import_id'), 'kind', 'source_id', 'state', 'file', 'place', 'fields'])
          .where('import_id', '=', from)
          .where('id', '>=', at)
          .where('id', '<', at + copied)
          .where('state', '!=', 'absent')
          .orderBy('id'),
      )
      .executeTakeFirst();
    count += Number(made.numInsertedOrUpdatedRows);
    await othersTurn();
  }
  return count;
}

/**
 * Finds an earlier reading of an identical file that can be used again, as long as all its rows are kept; undefined if
 * the file must be read. Memberships with an end must always be read, because they depend on the present day.
 */
export async function earlierReading(
  db: Database,
  { source, hash, readAs }: { source: Source; hash: string; readAs: string },
): Promise<ParsedUpload | undefined> {
  const found = await db
    .selectFrom('import')
    .innerJoin('import_source', 'import_source.id', 'import.source_id')
    .select(['import.id', 'import.mode', 'import.kinds', 'import.total'])
    .where('import_source.name', '=', source.name)
    .where('import_source.owner', '=', source.owner)
    .where('import.content_hash', '=', hash)
    .where('import.read_as', '=', readAs)
    .where('import.state', '=', 'applied')
    .where('import.list', '=', '')
    .orderBy('import.id', 'desc')
    .executeTakeFirst();
  if (!found) return undefined;
  const coveredKinds = JSON.parse(found.kinds) as RecordKind[];
  // Rules of a timetable depend on holidays, which may have changed since.
  if (coveredKinds.includes('period') || coveredKinds.includes('lesson')) return undefined;
  const rows = db.selectFrom('import_row').where('import_id', '=', found.id).where('state', '!=', 'absent');
  const ending = rows.select('id').where('kind', '=', 'membership').where('fields', 'like', '%"left_at"%');
  if ((await countOf(rows)) !== found.total || (await ending.limit(1).executeTakeFirst())) return undefined;
  const remarks = (tone: 'refused' | 'forgiven' | 'doubted'): Promise<Remark[]> =>
    db
      .selectFrom('import_remark')
      .select(['file', 'place as row', 'field', 'message'])
      .where('import_id', '=', found.id)
      .where('tone', '=', tone)
      .orderBy('id')
      .execute();
  return {
    mode: found.mode,
    kinds: coveredKinds,
    intended: [],
    before: found.id,
    readAs,
    refused: await remarks('refused'),
    forgiven: await remarks('forgiven'),
    doubted: await remarks('doubted'),
  };
}

const remarkColumns = {
  import_id: 'integer',
  tone: 'text',
  file: 'text',
  place: 'integer',
  field: 'text',
  message: 'text',
} as const;

async function keepRemarks(
  db: Database,
  importId: number,
  tone: 'refused' | 'forgiven' | 'doubted',
  remarks: readonly Remark[],
): Promise<void> {
  for (let from = 0; from < remarks.length; from += batch) {
    const values = remarks.slice(from, from + batch).map(({ file, row, field, message }) => ({
      import_id: importId,
      tone,
      file: removeNul(file),
      place: row,
      field: removeNul(field),
      message,
    }));
    await insertRows(db, 'import_remark', remarkColumns, values);
  }
}

/** Removes NUL characters, which PostgreSQL cannot store. */
const removeNul = (text: string): string => text.replaceAll('\u0000', '').replaceAll('\\u0000', '');

/** Rows of an upload as stored until the import is applied, and the records that a source knows. */
import { sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import { groupValues } from '#server/platform/db/grouping.ts';
import { inTexts } from '#server/platform/db/json-rows.ts';
import type { Fields } from '#server/school/importer.ts';
import type { RecordKind, Value } from './source-record.ts';

/** Rows per batch; each batch needs a fixed number of SQL statements. */
export const rowsPerBatch = 1000;

interface Staged {
  db: Database;
  upload: { id: number; source_id: number };
}

export interface RowChoice {
  match?: 'same' | 'new';
  take?: string[];
}

export interface StagedRow {
  id: number;
  kind: RecordKind;
  source_id: string;
  state: 'active' | 'gone' | 'absent';
  file: string;
  place: number;
  fields: Record<string, Value>;
  choice: RowChoice;
  /** Result of the last check of the row. */
  said: { verdict: string; record: string; seen: string; after: string };
}

export interface ExternalRecord {
  record: string;
  state: 'active' | 'gone';
  fields: Fields;
}

export async function* stagedRows(
  { db, upload }: Staged,
  kind: RecordKind,
  state: 'active' | 'gone',
): AsyncGenerator<StagedRow[]> {
  let after = { source_id: '', id: 0 };
  for (;;) {
    const { source_id, id } = after;
    const rows = await db
      .selectFrom('import_row')
      .select(['id', 'source_id', 'state', 'file', 'place', 'fields', 'choice'])
      .select(['verdict', 'record', 'seen', 'after'])
      .where('import_id', '=', upload.id)
      .where('kind', '=', kind)
      .where((eb) => eb(eb.refTuple('source_id', 'id'), '>', eb.tuple(source_id, id)))
      .where('state', '=', state)
      .orderBy('source_id')
      .orderBy('id')
      .limit(rowsPerBatch)
      .execute();
    if (rows.length > 0)
      yield rows.map(({ verdict, record, seen, after: later, ...row }) => ({
        ...row,
        kind,
        fields: read(row.fields),
        choice: read(row.choice),
        said: { verdict, record, seen, after: later },
      }));
    const last = rows.at(-1);
    if (!last || rows.length < rowsPerBatch) return;
    after = last;
  }
}

/** Yields the records that the source named before and no longer names. */
export async function* absentRows(
  { db, upload }: Staged,
  kind: RecordKind,
  isNamed: (sourceId: string) => boolean,
): AsyncGenerator<StagedRow[]> {
  const { rows: gone } = await sql<{ sourced_id: string }>`
      select sourced_id from external_id
        where source_id = ${upload.source_id} and kind = ${kind} and state = 'active'
      except
      select source_id from import_row where import_id = ${upload.id} and kind = ${kind} and state <> 'absent'
      order by sourced_id`.execute(db);
  const left = gone.flatMap(({ sourced_id }) => (isNamed(sourced_id) ? [] : [sourced_id]));
  for (let from = 0; from < left.length; from += rowsPerBatch) {
    const ids = left.slice(from, from + rowsPerBatch);
    const earlierRows = await db
      .selectFrom('import_row')
      .select(['source_id', 'id', 'verdict', 'record', 'seen'])
      .where('import_id', '=', upload.id)
      .where('kind', '=', kind)
      .where('state', '=', 'absent')
      .where('source_id', 'in', inTexts(db, ids))
      .execute();
    const known = new Map(earlierRows.map((row) => [row.source_id, row]));
    yield ids.map((source_id) => {
      const { id = 0, verdict = '', record = '', seen = '' } = known.get(source_id) ?? {};
      return {
        id,
        kind,
        source_id,
        state: 'absent',
        file: '',
        place: 0,
        fields: {},
        choice: {},
        said: { verdict, record, seen, after: '{}' },
      };
    });
  }
}

/** Returns the ids that occur several times, with their places; such rows are refused. */
export async function duplicateIds({ db, upload }: Staged, kind: RecordKind): Promise<Map<string, string[]>> {
  const named = () =>
    db
      .selectFrom('import_row')
      .where('import_row.import_id', '=', upload.id)
      .where('import_row.kind', '=', kind)
      .where('import_row.state', '!=', 'absent');
  const twice = await named()
    .select('import_row.source_id')
    .where('import_row.source_id', '!=', '')
    .groupBy('import_row.source_id')
    .having((one) => one.fn.countAll(), '>', 1)
    .execute();
  if (twice.length === 0) return new Map();
  const ids = twice.map(({ source_id }) => source_id);
  const rows = await named()
    .select(['import_row.source_id', 'import_row.file', 'import_row.place'])
    .where('import_row.source_id', 'in', inTexts(db, ids))
    .orderBy('import_row.file')
    .orderBy('import_row.place')
    .execute();
  return groupValues(
    rows,
    ({ source_id }) => source_id,
    ({ file, place }) => `${file} 第${place}行`,
  );
}

export async function externalsOf(
  { db, upload }: Staged,
  kind: RecordKind,
  sourceIds: readonly string[],
): Promise<Map<string, ExternalRecord>> {
  if (sourceIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('external_id')
    .select(['sourced_id', 'record', 'state', 'fields'])
    .where('source_id', '=', upload.source_id)
    .where('kind', '=', kind)
    .where('sourced_id', 'in', inTexts(db, sourceIds))
    .execute();
  return new Map(rows.map(({ sourced_id, ...row }) => [sourced_id, { ...row, fields: read(row.fields) }]));
}

const read = <T>(text: string): T => JSON.parse(text) as T;

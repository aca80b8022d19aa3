/**
 * Effect of erasing students on imports: deletes rows that name them, so that no undo restores them, discards imports
 * that are not applied yet, and deletes uploaded files as a whole.
 */
import { createHash } from 'node:crypto';
import type { Database } from '#server/platform/db/engine.ts';
import { inTexts } from '#server/platform/db/json-rows.ts';
import { containsAnyText, type Person, type PersonalTable } from '#server/platform/db/privacy.ts';
import { installationId } from '#server/school/settings.ts';
import { importMessages } from './rules.ts';
import { runningImports } from './running-imports.ts';

const externals = (db: Database, { id }: Person) =>
  db
    .selectFrom('external_id')
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', 'student'), eb('record', '=', String(id))]),
        eb.and([eb('kind', 'in', ['membership', 'group_member']), eb('record', 'like', `%:${id}`)]),
      ]),
    );

/**
 * Selects import rows matched to the student or to a membership of theirs, and unmatched rows with the student's name
 * or number.
 */
function rows(db: Database, who: Person) {
  const { id, texts } = who;
  const called = db
    .selectFrom('external_id')
    .select('external_id.sourced_id')
    .where('external_id.kind', '=', 'student')
    .where('external_id.record', '=', String(id));
  return db
    .selectFrom('import_row')
    .where((eb) =>
      eb.or([
        eb.and([eb('import_row.kind', '=', 'student'), eb('import_row.record', '=', String(id))]),
        eb.and([eb('import_row.kind', '=', 'student'), eb('import_row.source_id', 'in', called)]),
        eb.and([
          eb('import_row.kind', 'in', ['membership', 'group_member']),
          eb('import_row.record', 'like', `%:${id}`),
        ]),
        eb.and([
          eb('import_row.record', '=', ''),
          eb.or([
            containsAnyText('import_row.fields', texts),
            containsAnyText('import_row.label', texts),
            containsAnyText('import_row.source_id', texts),
          ]),
        ]),
      ]),
    );
}

const remarks = (db: Database, { texts }: Person) =>
  db.selectFrom('import_remark').where(containsAnyText('import_remark.message', texts));

const uploads = (db: Database, who: Person) =>
  db.selectFrom('import').where((eb) =>
    eb.or([
      eb('import.id', 'in', rows(db, who).select('import_row.import_id')),
      eb('import.id', 'in', remarks(db, who).select('import_remark.import_id')),
      // Rows of old imports are purged, but which source id meant the student is still stored.
      eb('import.id', 'in', externals(db, who).select('external_id.import_id')),
      containsAnyText('import.list', who.texts),
    ]),
  );

/**
 * Stores hashes of the source ids that a check matched to this student, because the next upload of the source names
 * them again.
 */
async function markMatches(db: Database, { id }: Person): Promise<void> {
  const matched = await db
    .selectFrom('import_row')
    .innerJoin('import', 'import.id', 'import_row.import_id')
    .select(['import.source_id as source', 'import_row.source_id'])
    .distinct()
    .where('import_row.kind', '=', 'student')
    .where('import_row.record', '=', String(id))
    .where('import_row.source_id', '!=', '')
    .where('import.state', 'in', ['uploaded', 'checked', 'held', 'discarded'])
    .execute();
  const installation = await installationId(db);
  for (const { source, source_id } of matched) {
    await db
      .insertInto('erased_source')
      .values({ source_id: source, mark: markOf(installation, source, source_id), student_id: id })
      .onConflict((same) => same.columns(['source_id', 'mark']).doNothing())
      .execute();
  }
}

/** Hash by which a source id is recognised without storing the id. */
const markOf = (installation: string, sourceId: number, sourcedId: string): string =>
  createHash('sha256').update(`${installation} ${sourceId} ${sourcedId}`).digest('base64url');

/** Returns which ids of a source belong to erased students. */
export async function erasedSourceIds(
  db: Database,
  sourceId: number,
  sourcedIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (sourcedIds.length === 0) return new Set();
  const any = await db.selectFrom('erased_source').select('mark').where('source_id', '=', sourceId).limit(1).execute();
  if (any.length === 0) return new Set();
  const installation = await installationId(db);
  const marks = new Map(sourcedIds.map((sourcedId) => [markOf(installation, sourceId, sourcedId), sourcedId]));
  const found = await db
    .selectFrom('erased_source')
    .select('mark')
    .where('source_id', '=', sourceId)
    .where('mark', 'in', inTexts(db, [...marks.keys()]))
    .execute();
  return new Set(found.flatMap(({ mark }) => marks.get(mark) ?? []));
}

/** True while an import job runs; meanwhile nobody can be erased. */
export async function importUnderWay(db: Database): Promise<boolean> {
  return (await runningImports(db)).some(({ is_lost }) => !is_lost);
}

export const personalImports: readonly PersonalTable[] = [
  {
    table: 'import',
    becomes: 'emptied',
    rows: uploads,
    isOthers: 1,
    async erase(db, who) {
      await markMatches(db, who);
      const named = await uploads(db, who).select(['import.id', 'import.file_key', 'import.state']).execute();
      for (const { id, state } of named) {
        const isOpen = state === 'uploaded' || state === 'checked' || state === 'held';
        await db.updateTable('import').set({ file_key: '', list: '', read_as: '' }).where('id', '=', id).execute();
        if (!isOpen) continue;
        await db.deleteFrom('import_row').where('import_id', '=', id).execute();
        await db.deleteFrom('import_remark').where('import_id', '=', id).execute();
        const discarded = { state: 'discarded' as const, failure: importMessages.ofErased, holds: '[]', effects: '[]' };
        await db.updateTable('import').set(discarded).where('id', '=', id).execute();
      }
      return named.flatMap(({ file_key }) => (file_key === '' ? [] : [file_key]));
    },
  },
  {
    table: 'import_remark',
    becomes: 'deleted',
    rows: remarks,
    isOthers: 1,
    async erase(db, who) {
      const places = await rows(db, who)
        .select(['import_row.import_id', 'import_row.file', 'import_row.place'])
        .where('import_row.file', '!=', '')
        .execute();
      for (const { import_id, file, place } of places) {
        await db
          .deleteFrom('import_remark')
          .where('import_id', '=', import_id)
          .where('file', '=', file)
          .where('place', '=', place)
          .execute();
      }
      await db.deleteFrom('import_remark').where(containsAnyText('import_remark.message', who.texts)).execute();
      return [];
    },
  },
  {
    table: 'import_row',
    becomes: 'deleted',
    rows,
    isOthers: 1,
    async erase(db, who) {
      await db.deleteFrom('import_row').where('id', 'in', rows(db, who).select('import_row.id')).execute();
      return [];
    },
  },
  {
    table: 'external_id',
    becomes: 'deleted',
    rows: externals,
    async erase(db, who) {
      const known = await externals(db, who).select(['id', 'source_id', 'kind', 'sourced_id']).execute();
      const installation = await installationId(db);
      for (const { id, source_id, kind, sourced_id } of known) {
        if (kind === 'student') {
          const mark = markOf(installation, source_id, sourced_id);
          await db
            .insertInto('erased_source')
            .values({ source_id, mark, student_id: who.id })
            .onConflict((same) => same.columns(['source_id', 'mark']).doNothing())
            .execute();
        }
        await db.deleteFrom('external_id').where('id', '=', id).execute();
      }
      return [];
    },
  },
  {
    table: 'erased_source',
    becomes: 'kept',
    rows: (db, { id }) => db.selectFrom('erased_source').where('student_id', '=', id),
    isOthers: 1,
  },
];

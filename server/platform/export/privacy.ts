/**
 * Exports may name anybody, so erasing a person deletes all finished exports and aborts those in progress. Their
 * requesters are told that the file has expired.
 */
import type { Database } from '#server/platform/db/engine.ts';
import { containsAnyText, type Person, type PersonalTable } from '#server/platform/db/privacy.ts';
import { exportState } from './export-file.ts';

/** Seconds: an export this old has expired, and is not counted among today's failures. */
const longExpired = 2 * 24 * 60 * 60;

const exports = (db: Database, { texts }: Person) =>
  db
    .selectFrom('export_file')
    .where((eb) =>
      eb.or([eb('storage_key', 'is not', null), eb('state', '=', exportState.making), containsAnyText('name', texts)]),
    );

export const personalExports: readonly PersonalTable[] = [
  {
    table: 'export_file',
    becomes: 'deleted',
    rows: exports,
    isOthers: 1,
    async erase(db, who) {
      // A person who was erased before is skipped: the files of today were made after that and do not name the person.
      if (who.texts.length === 0) return [];
      const files = await exports(db, who).select(['id', 'storage_key']).execute();
      if (files.length === 0) return [];
      await db
        .updateTable('export_file')
        .set({ storage_key: null, state: exportState.failed, name: '已删除', created_at: who.now - longExpired })
        .where(
          'id',
          'in',
          files.map(({ id }) => id),
        )
        .execute();
      return files.flatMap(({ storage_key }) => storage_key ?? []);
    },
  },
];

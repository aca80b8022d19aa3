/**
 * Of files that were made for somebody it is not known whom they name: all go that are there, and those that are being
 * made come to nothing. Whoever asks for one is told that it has expired, and makes it again.
 */
import type { Database } from '#server/platform/db/engine.ts';
import { holdsOneOf, type Person, type PersonalTable } from '#server/platform/db/privacy.ts';
import { exportState } from './export-file.ts';

/** Seconds: neither can it be fetched any more, nor is it one that went wrong today. */
const longExpired = 2 * 24 * 60 * 60;

const exports = (db: Database, { texts }: Person) =>
  db
    .selectFrom('export_file')
    .where((eb) =>
      eb.or([eb('storage_key', 'is not', null), eb('state', '=', exportState.making), holdsOneOf('name', texts)]),
    );

export const personalExports: readonly PersonalTable[] = [
  {
    table: 'export_file',
    becomes: 'deleted',
    rows: exports,
    isOthers: 1,
    async erase(db, who) {
      // Looked at again, they were gone before what is there now was made.
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

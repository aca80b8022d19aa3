/** Checks that every entry of the history has a label on the screens (each subject's history.ts). */
import { expect } from 'vitest';
import { partsWithoutName } from '#server/history/records.ts';
import type { Database } from '#server/platform/db/engine.ts';

export async function expectHistoryToHaveWords(db: Database): Promise<void> {
  const rows = await db
    .selectFrom('history')
    .select(['record', 'action', 'before', 'after'])
    .execute()
    // A test about a lost database has closed the database already.
    .catch((error: Error) => {
      if (/already been destroyed|after calling end/.test(error.message)) return [];
      throw error;
    });
  const missing = new Set(
    rows.flatMap(({ record, action, before, after }) => {
      const fields = [before, after].flatMap((text) => Object.keys((text === null ? null : JSON.parse(text)) ?? {}));
      return partsWithoutName({ record, action, fields });
    }),
  );
  expect([...missing], 'without a name in a history.ts').toEqual([]);
}

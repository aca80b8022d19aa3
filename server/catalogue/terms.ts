/** Terms to choose from in planning forms. */
import type { Database } from '#server/platform/db/engine.ts';
import { archivedIdsOf } from '#server/school/archive.ts';
import { entriesOf } from './tables.ts';

export interface TermChoice {
  id: number;
  /** Name of the term, preceded by the names of its ancestors. */
  name: string;
  /** First and last day as yyyy-mm-dd (the last day belongs to the term); '' if unknown. */
  first_day: string;
  last_day: string;
}

/** Returns the terms that are not archived, latest first. */
export async function termChoices(db: Database): Promise<TermChoice[]> {
  const entries = await entriesOf(db, 'terms');
  const away = archivedIdsOf(entries);
  const names = new Map(entries.map(({ id, name }) => [id, name]));
  return entries
    .filter(({ id }) => !away.has(id))
    .map(({ id, name, parent_id, first_day, last_day }) => ({
      id,
      name: [names.get(parent_id ?? 0), name].filter(Boolean).join(' / '),
      first_day,
      last_day,
    }))
    .sort((one, other) => (one.first_day < other.first_day ? 1 : one.first_day > other.first_day ? -1 : 0));
}

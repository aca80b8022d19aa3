/** By what a file is read: records as JSON, or whatever a school uploads. */
import { readFile } from 'node:fs/promises';
import type { Database } from '#server/platform/db/engine.ts';
import { read } from './doors/read.ts';
import type { Reading } from './intended.ts';
import { readJson } from './json-door.ts';

export interface Reader {
  db: Database;
  source: string;
  timezone: string;
  /** As its standard says, forgiving nothing. */
  strict?: boolean;
}

export async function readUpload(file: { name: string; path: string }, reader: Reader): Promise<Reading> {
  if (/\.json$/i.test(file.name)) return readJson({ name: file.name, bytes: await readFile(file.path) });
  const { db, source, timezone, strict = false } = reader;
  const known = new Set(
    (
      await db
        .selectFrom('external_id')
        .innerJoin('import_source', 'import_source.id', 'external_id.source_id')
        .select(['external_id.kind', 'external_id.sourced_id'])
        .where('import_source.name', '=', source)
        .execute()
    ).map(({ kind, sourced_id }) => `${kind} ${sourced_id}`),
  );
  const options = {
    strict,
    source,
    timeZone: timezone,
    known: (kind: string, id: string) => known.has(`${kind} ${id}`),
  };
  return read(file, options);
}

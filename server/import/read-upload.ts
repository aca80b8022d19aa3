/** By what a file is read: records as JSON, or whatever a school uploads. */
import { readFile } from 'node:fs/promises';
import type { Database } from '#server/platform/db/engine.ts';
import { read } from './doors/read.ts';
import type { Mapping, Reading } from './intended.ts';
import { readJson } from './json-door.ts';

export interface Reader {
  db: Database;
  source: string;
  timezone: string;
  /** As its standard says, forgiving nothing. */
  strict?: boolean;
  /** What somebody has said of the columns of a single list, and whether it is the whole list. */
  said?: { mapping: Mapping; mode: 'bulk' | 'delta' };
}

export async function readUpload(file: { name: string; path: string }, reader: Reader): Promise<Reading> {
  if (/\.json$/i.test(file.name)) return readJson({ name: file.name, bytes: await readFile(file.path) });
  const { db, source, timezone, strict = false, said } = reader;
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
  const remembered = said ? undefined : await mappingOf(db, source);
  return read(file, {
    strict,
    source,
    timeZone: timezone,
    known: (kind: string, id: string) => known.has(`${kind} ${id}`),
    ...said,
    ...(remembered && { remembered }),
  });
}

/** What was said of the columns of the last list of a source. */
async function mappingOf(db: Database, source: string): Promise<Mapping | undefined> {
  const found = await db.selectFrom('import_source').select('mapping').where('name', '=', source).executeTakeFirst();
  return found && found.mapping !== '' ? (JSON.parse(found.mapping) as Mapping) : undefined;
}

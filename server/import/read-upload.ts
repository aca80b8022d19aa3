/** Chooses how to read an uploaded file: as JSON records, or as one of the office formats. */
import { hash as hashed } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isRunning } from '#server/classes/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { isSameName } from '#server/platform/text/name-matching.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { type ImportActor, viewerOf } from '#server/school/importer.ts';
import { holidayPlanFrom } from '#server/settings/holidays.ts';
import { readJson } from './formats/json.ts';
import type { IsKnownRecord, KnownClass, KnownGrades } from './formats/options.ts';
import type { Source } from './source.ts';
import type { Mapping, ParsedUpload } from './source-record.ts';
import { earlierReading } from './upload.ts';

export interface Reader {
  db: Database;
  source: Source;
  importer: ImportActor;
  timezone: string;
  /** Unix seconds. */
  now: number;
  /** True: follows the standard exactly and forgives nothing. */
  strict?: boolean;
  /** Hash of the file; if an identical file was read earlier, that reading is used again. */
  hash?: string;
  /** Columns of a single list that a person assigned, and whether it is the whole list. */
  confirmed?: { mapping: Mapping; mode: 'bulk' | 'delta' };
}

export async function readUpload(file: { name: string; path: string }, reader: Reader): Promise<ParsedUpload> {
  if (/\.json$/i.test(file.name)) return readJson({ name: file.name, bytes: await readFile(file.path) });
  const { db, source, importer, timezone, now, strict = false, confirmed, hash = '' } = reader;
  const readAs = strict || confirmed || hash === '' ? '' : `${await readerMark()} ${timezone}`;
  const before = readAs === '' ? undefined : await earlierReading(db, { source, hash, readAs });
  if (before) return before;
  const remembered = confirmed ? undefined : await mappingOf(db, source);
  // Loaded on demand, because these readers are large and pages do not need them.
  const { readUploadedFile } = await import('./formats/read.ts');
  const reading = await readUploadedFile(file, {
    strict,
    source: source.name,
    timeZone: timezone,
    schools: async () => (await db.selectFrom('school').select('org_name').execute()).map(({ org_name }) => org_name),
    classes: () => knownClasses(db, importer, now),
    grades: () => knownGrades(db, importer),
    known: () => knownIds(db, source),
    holidays: () => holidayPlanFrom(db, ''),
    ...confirmed,
    ...(remembered && { remembered }),
  });
  return { ...reading, readAs };
}

let mark: Promise<string> | undefined;

/** Hash of the readers' source code: a new version may read the same file differently. */
function readerMark(): Promise<string> {
  const folder = path.join(import.meta.dirname, 'formats');
  mark ??= (async () => {
    const files = (await readdir(folder)).sort();
    const sources = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
    return hashed('sha256', sources.join('\n'), 'base64url').slice(0, 12);
  })();
  return mark;
}

/** Returns the classes of the importer's schools, to which a list may refer by name. */
async function knownClasses(db: Database, importer: ImportActor, now: number): Promise<KnownClass[]> {
  const rows = await db
    .selectFrom('class')
    .innerJoin('school', 'school.id', 'class.school_id')
    .select(['class.name', 'school.org_name as school', 'class.valid_type', 'class.valid_time'])
    .where('class.school_id', 'in', schoolsOf(db, viewerOf(importer)))
    .execute();
  return rows.filter((row) => isRunning(row, now)).map(({ name, school }) => ({ name, school }));
}

/** Returns the grades in use. Only administrators of all schools may add others, and none that was put away. */
async function knownGrades(db: Database, { everySchool, permissions }: ImportActor): Promise<KnownGrades> {
  const grades = await db.selectFrom('grade').select(['name', 'put_away_at']).orderBy('id').execute();
  const isAllowed = everySchool && permissions.includes('teaching');
  return {
    names: grades.filter(({ put_away_at }) => put_away_at === null).map(({ name }) => name),
    mayAdd: (name) => isAllowed && !grades.some((grade) => isSameName(grade.name, name)),
  };
}

/** Returns the ids that earlier uploads of the source named. */
async function knownIds(db: Database, { name, owner }: Source): Promise<IsKnownRecord> {
  const kinds = ['staff', 'student', 'class_course'] as const;
  const rows = await db
    .selectFrom('external_id')
    .innerJoin('import_source', 'import_source.id', 'external_id.source_id')
    .select(['external_id.kind', 'external_id.sourced_id'])
    .where('import_source.name', '=', name)
    .where('import_source.owner', '=', owner)
    .where('external_id.kind', 'in', kinds)
    .execute();
  const ids = new Map<string, Set<string>>(kinds.map((kind) => [kind, new Set()]));
  for (const { kind, sourced_id } of rows) ids.get(kind)?.add(sourced_id);
  return (kind, id) => ids.get(kind)?.has(id) ?? false;
}

/** Returns the columns assigned for the source's previous list. */
async function mappingOf(db: Database, { name, owner }: Source): Promise<Mapping | undefined> {
  const found = await db
    .selectFrom('import_source')
    .select('mapping')
    .where('name', '=', name)
    .where('owner', '=', owner)
    .executeTakeFirst();
  return found && found.mapping !== '' ? (JSON.parse(found.mapping) as Mapping) : undefined;
}

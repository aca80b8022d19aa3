import type { Actor } from '#server/platform/auth/sign-in.ts';
import { versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { normalizeName } from '#server/platform/text/name-matching.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { archivedIdsOf } from '#server/school/archive.ts';
import type { CatalogueFilter, CatalogueRecord, CatalogueRow } from './contract.ts';
import { type EntryWithDepth, previousSibling } from './levels.ts';
import { type CatalogueKind, isOfSchool, missingEntry } from './rules.ts';
import { entriesOf, usesOf } from './tables.ts';

interface RequestContext {
  db: Database;
  actor: Actor;
}

/** Returns the entries that the actor sees: rooms of visible schools, and all entries of other catalogues. */
export async function visibleEntries({ db, actor }: RequestContext, kind: CatalogueKind): Promise<EntryWithDepth[]> {
  const entries = await entriesOf(db, kind);
  if (!isOfSchool(kind) || actor.everySchool) return entries;
  const schools = new Set((await schoolsOf(db, actor).execute()).map(({ id }) => id));
  return entries.filter(({ school_id }) => school_id !== null && schools.has(school_id));
}

/**
 * Returns one page. Reads the whole catalogue and filters in memory: it has some dozens of entries, at most some
 * hundreds.
 */
export async function cataloguePage(
  asked: RequestContext,
  kind: CatalogueKind,
  filter: CatalogueFilter,
): Promise<Page<CatalogueRow>> {
  const entries = await visibleEntries(asked, kind);
  const away = archivedIdsOf(entries);
  const name = filter.name === undefined ? undefined : normalizeName(filter.name);
  const matching = entries.filter(
    (entry) =>
      (filter.all === 1 || !away.has(entry.id)) &&
      (name === undefined || normalizeName(entry.name).includes(name)) &&
      (filter.school_id === undefined || !isOfSchool(kind) || entry.school_id === filter.school_id),
  );
  const { list, ...range } = await pageOf(matching.length, filter, ({ limit, offset }) =>
    matching.slice(offset, offset + limit),
  );
  return { list: await readRowsById(asked, kind, list, entries), ...range };
}

/** Returns one entry for its form. 404: no such entry. */
export async function catalogueEntry(
  asked: RequestContext,
  kind: CatalogueKind,
  id: number,
): Promise<CatalogueRecord | Refusal> {
  const entries = await visibleEntries(asked, kind);
  const entry = entries.find((one) => one.id === id);
  if (!entry) return missing(missingEntry(kind));
  const [row] = await readRowsById(asked, kind, [entry], entries);
  if (!row) return missing(missingEntry(kind));
  const fields = editableEntry(entry, entries);
  return { ...row, after_id: fields.after_id, seen: versionTokenOf(fields) };
}

export const editableEntry = (entry: EntryWithDepth, entries: readonly EntryWithDepth[]) => ({
  name: entry.name,
  parent_id: entry.parent_id ?? 0,
  school_id: entry.school_id ?? 0,
  seats: entry.seats,
  type: entry.type,
  first_day: entry.first_day,
  last_day: entry.last_day,
  after_id: previousSibling(entries, entry),
});
export type EditableEntry = ReturnType<typeof editableEntry>;

async function readRowsById(
  { db, actor }: RequestContext,
  kind: CatalogueKind,
  entries: readonly EntryWithDepth[],
  all: readonly EntryWithDepth[],
): Promise<CatalogueRow[]> {
  const uses = await usesOf(
    db,
    actor,
    kind,
    entries.map(({ id }) => id),
  );
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const schools = isOfSchool(kind)
    ? await db.selectFrom('school').select(['id', 'org_name']).where('id', 'in', schoolsOf(db, actor)).execute()
    : [];
  return entries.map(({ id, name, parent_id, depth, school_id, seats, put_away_at, ...term }) => ({
    id,
    name,
    parent_id,
    parent_name: names.get(parent_id ?? 0) ?? '',
    depth,
    school_id,
    school_name: schools.find((school) => school.id === school_id)?.org_name ?? '',
    seats,
    type: term.type,
    first_day: term.first_day,
    last_day: term.last_day,
    is_put_away: put_away_at === null ? 0 : 1,
    uses: uses.get(id) ?? '',
  }));
}

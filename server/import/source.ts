/** Sources of imports. A source remembers ids and columns for all users who see its imports. */
import type { Database } from '#server/platform/db/engine.ts';
import type { ImportActor } from '#server/school/importer.ts';

export interface Source {
  name: string;
  /**
   * Owner of the source; '' for administrators of all schools. Sources of different owners are separate, even if their
   * names are equal.
   */
  owner: string;
}

/**
 * Returns the user's source with this name. Each user has sources of their own; administrators of all schools and the
 * command line share theirs (owner ''), as they see each other's imports (`visibleImports`).
 */
export const sourceOfImporter = (
  name: string,
  { id, everySchool }: Pick<ImportActor, 'id' | 'everySchool'>,
): Source => ({
  name,
  owner: id === null || everySchool ? '' : `staff ${id}`,
});

/** Returns the source of imports that the product generates for a school. */
export const sourceOfSchool = (name: string, schoolId: number): Source => ({ name, owner: `school ${schoolId}` });

/** Returns a function that names the school of a generated source instead of its id. */
export async function sourceNamer(db: Database): Promise<(source: Source) => string> {
  const schools = await db.selectFrom('school').select(['id', 'org_name']).execute();
  const names = new Map(schools.map(({ id, org_name }) => [`school ${id}`, org_name]));
  return ({ name, owner }) => {
    const school = names.get(owner);
    return school === undefined ? name : name.replace(/（学校\d+）$/, `（${school}）`);
  };
}

/** Finds or creates a source; returns its id. */
export async function findOrAddSource(db: Database, { name, owner }: Source, now: number): Promise<number> {
  const known = () => db.selectFrom('import_source').select('id').where('name', '=', name).where('owner', '=', owner);
  const found = await known().executeTakeFirst();
  if (found) return found.id;
  await db
    .insertInto('import_source')
    .values({ name, owner, created_at: now })
    .onConflict((taken) => taken.columns(['name', 'owner']).doNothing())
    .execute();
  return (await known().executeTakeFirstOrThrow()).id;
}

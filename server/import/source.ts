/** Sources of uploads. Each remembers ids and columns, for whoever sees its imports. */
import type { Database } from '#server/platform/db/engine.ts';
import type { ImportActor } from '#server/school/importer.ts';

export interface Source {
  name: string;
  /** `''`: all who look after every school. Owners share no source, whatever its name. */
  owner: string;
}

/** Follows `visibleImports`. */
export const sourceOfImporter = (
  name: string,
  { id, everySchool }: Pick<ImportActor, 'id' | 'everySchool'>,
): Source => ({
  name,
  owner: id === null || everySchool ? '' : `staff ${id}`,
});

/** Source of imports that the product writes for a school. */
export const sourceOfSchool = (name: string, schoolId: number): Source => ({ name, owner: `school ${schoolId}` });

/** Finds or adds a source. */
export async function sourceNamed(db: Database, { name, owner }: Source, now: number): Promise<number> {
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

/** Where uploads come from: under their names ids and columns are remembered, for whoever sees these imports. */
import type { Database } from '#server/platform/db/engine.ts';
import type { Importer } from '#server/school/imported.ts';

export interface Source {
  name: string;
  /** `''`: all who look after every school. A name of somebody else's is another source. */
  owner: string;
}

/** As `visibleImports` shows imports. */
export const sourceOfImporter = (name: string, { id, everySchool }: Pick<Importer, 'id' | 'everySchool'>): Source => ({
  name,
  owner: id === null || everySchool ? '' : `staff ${id}`,
});

/** Of what the product writes itself for a school. */
export const sourceOfSchool = (name: string, schoolId: number): Source => ({ name, owner: `school ${schoolId}` });

/** The source of this name, which is there from now on. */
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

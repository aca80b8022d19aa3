import type { Database } from '#server/platform/db/engine.ts';

/** What names one entry of a catalogue names another from now on. */
export const classesInPlaceOf = (
  db: Database,
  field: 'grade_id' | 'classify_id',
  { from, into }: { from: number; into: number },
) =>
  db
    .updateTable('class')
    .set({ [field]: into })
    .where(field, '=', from)
    .execute();

/** The same of a term: classes that are taught in both are taught in one. */
export async function termsInPlaceOf(db: Database, { from, into }: { from: number; into: number }): Promise<void> {
  await db
    .insertInto('class_term')
    .columns(['class_id', 'term_id'])
    .expression((eb) =>
      eb
        .selectFrom('class_term')
        .select((one) => ['class_term.class_id', one.lit(into).as('term_id')])
        .where('class_term.term_id', '=', from),
    )
    .onConflict((known) => known.doNothing())
    .execute();
  await db.deleteFrom('class_term').where('term_id', '=', from).execute();
}

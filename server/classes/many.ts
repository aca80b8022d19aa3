/** Rows of classes of every type, many at a time: for what is done with a school as a whole. */
import type { Database } from '#server/platform/db/engine.ts';
import { among, given } from '#server/platform/db/given.ts';

export interface NewClassRow {
  id: number;
  class_type: number;
  school_id: number;
  name: string;
  grade_id: number | null;
  classify_id: number | null;
  large_class_id: number | null;
  group_hidden: number;
  valid_type: number;
  valid_time: number;
  created_at: number;
}

const newColumns = {
  id: 'integer',
  class_type: 'integer',
  school_id: 'integer',
  name: 'text',
  grade_id: 'integer',
  classify_id: 'integer',
  large_class_id: 'integer',
  group_hidden: 'integer',
  valid_type: 'integer',
  valid_time: 'integer',
  created_at: 'integer',
} as const;

export async function insertClasses(db: Database, rows: readonly NewClassRow[]): Promise<void> {
  await db
    .insertInto('class')
    .columns(Object.keys(newColumns) as (keyof typeof newColumns)[])
    .expression((eb) =>
      eb
        .selectFrom(given(db, newColumns, rows))
        .select((one) => [
          'given.id',
          one.ref('given.class_type').$castTo<0 | 1 | 3>().as('class_type'),
          'given.school_id',
          'given.name',
          'given.grade_id',
          'given.classify_id',
          'given.large_class_id',
          one.ref('given.group_hidden').$castTo<1 | 2>().as('group_hidden'),
          'given.valid_type',
          'given.valid_time',
          'given.created_at',
        ]),
    )
    .execute();
}

export type ClassColumns = Pick<NewClassRow, 'id' | 'name' | 'grade_id' | 'classify_id'>;

export async function updateClasses(db: Database, rows: readonly ClassColumns[]): Promise<void> {
  const columns = { id: 'integer', name: 'text', grade_id: 'integer', classify_id: 'integer' } as const;
  await db
    .updateTable('class')
    .from(given(db, columns, rows))
    .set((eb) => ({
      name: eb.ref('given.name'),
      grade_id: eb.ref('given.grade_id'),
      classify_id: eb.ref('given.classify_id'),
    }))
    .whereRef('class.id', '=', 'given.id')
    .execute();
}

/** How long they run. */
export async function updateValidity(
  db: Database,
  rows: readonly { id: number; valid_type: number; valid_time: number }[],
): Promise<void> {
  await db
    .updateTable('class')
    .from(given(db, { id: 'integer', valid_type: 'integer', valid_time: 'integer' }, rows))
    .set((eb) => ({ valid_type: eb.ref('given.valid_type'), valid_time: eb.ref('given.valid_time') }))
    .whereRef('class.id', '=', 'given.id')
    .execute();
}

export const validityOf = (db: Database, ids: readonly number[]) =>
  db.selectFrom('class').select(['id', 'valid_type', 'valid_time']).where('id', 'in', among(db, ids)).execute();

/** Of which nothing is kept. */
export async function deleteClasses(db: Database, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('class').where('id', 'in', among(db, ids)).execute();
}

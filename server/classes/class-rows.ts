import type { Database } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { insertRows, updateRows } from '#server/platform/db/rows.ts';

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

export const insertClasses = (db: Database, rows: readonly NewClassRow[]) => insertRows(db, 'class', newColumns, rows);

export type ClassColumns = Pick<NewClassRow, 'id' | 'name' | 'grade_id' | 'classify_id'>;

export const updateClasses = (db: Database, rows: readonly ClassColumns[]) =>
  updateRows(db, 'class', { id: 'integer', name: 'text', grade_id: 'integer', classify_id: 'integer' }, rows);

/** Updates until when classes are valid. */
export const updateValidity = (db: Database, rows: readonly { id: number; valid_type: number; valid_time: number }[]) =>
  updateRows(db, 'class', { id: 'integer', valid_type: 'integer', valid_time: 'integer' }, rows);

export const validityOf = (db: Database, ids: readonly number[]) =>
  db.selectFrom('class').select(['id', 'valid_type', 'valid_time']).where('id', 'in', inIds(db, ids)).execute();

/** Deletes classes. The caller makes sure that they have no records. */
export async function deleteClasses(db: Database, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('class').where('id', 'in', inIds(db, ids)).execute();
}

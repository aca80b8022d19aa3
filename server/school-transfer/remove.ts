/** Removes a school from its old database after it was moved to another one. */
import { type RawBuilder, sql } from 'kysely';
import type { Database, OpenDatabase } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { isOwn, schoolRowConditions, schoolRowsCondition, undeletableTables } from './school-rows.ts';
import {
  type Ids,
  idsOf,
  keyOf,
  MoveError,
  nameOfSchool,
  pagesOf,
  rawCondition,
  type Shapes,
  shiftHistoryIds,
  storageKeysIn,
  storedRows,
} from './stored-rows.ts';
import { parentsFirst, type Shape, shapesOf, type Table } from './table-shapes.ts';

export interface RemovalResult {
  /** Number of deleted rows by table. */
  tables: { table: Table; rows: number }[];
  /** Number of the school's rows that stay, by table, because other rows of this database refer to them. */
  left: { table: Table; rows: number }[];
  /** Storage keys of files that no row of this database names any more. */
  keys: string[];
}

/**
 * Removes a moved school from the source, after checking that the target has every row unchanged. The history stays,
 * with the names in it, and so do rows that other schools refer to. Throws a MoveError if a row is missing in the
 * target, or has changed in the source since the move.
 */
export async function removeMovedSchool(
  schoolId: number,
  { from, to, now }: { from: OpenDatabase; to: OpenDatabase; now: number },
): Promise<RemovalResult> {
  return from.db.transaction().execute(async (here) => {
    const shapes = await shapesOf(here);
    const order = parentsFirst(shapes);
    if (from.engine === 'postgres')
      await sql`lock table ${sql.join(order.map((table) => sql.table(table)))} in share row exclusive mode`.execute(
        here,
      );
    const name = await nameOfSchool(here, schoolId);
    if (name === undefined) throw new MoveError(`There is no school ${schoolId} here.`);
    if ((await nameOfSchool(to.db, schoolId)) !== name) throw new MoveError(`${name} is not there: move it first.`);
    const keys = new Set<string>();
    const shift = await shiftOfMoved(here, to.db, schoolId);
    for (const table of order.filter(isOwn)) {
      const shape = shapes.get(table) as Shape;
      for await (const read of pagesOf(here, table, shape, rawCondition(schoolRowsCondition(table, schoolId)))) {
        const rows = shiftHistoryIds(read, table, shift);
        const there = await storedRows(to.db, table, shape.key, rows);
        for (const row of rows) {
          const other = there.get(keyOf(row, shape.key));
          const differs = shape.columns.some(
            (column) => !/^(?:pinyin|every_school)$/.test(column) && other?.[column] !== row[column],
          );
          if (differs)
            throw new MoveError(
              `${table} ${keyOf(row, shape.key)} is ${other ? 'not as it is there' : 'not there'}: something was written since ${name} was moved. Nothing was taken away.`,
            );
          for (const key of storageKeysIn(row)) keys.add(key);
        }
      }
    }
    const left = await findNeededRows(here, shapes, schoolId);
    const removed: RemovalResult['tables'] = [];
    for (const table of [...order].reverse()) {
      if (typeof schoolRowConditions[table] === 'string' || undeletableTables.includes(table)) continue;
      const kept = [...(left.get(table) ?? [])];
      const others = kept.length > 0 ? sql`and id not in ${inIds(here, kept)}` : sql``;
      const { numAffectedRows } = await sql`delete from ${sql.table(table)}
        where ${rawCondition(schoolRowsCondition(table, schoolId))} ${others}`.execute(here);
      if (numAffectedRows) removed.push({ table, rows: Number(numAffectedRows) });
    }
    await sql`update ${sql.table('staff')} set disabled_at = ${now}
      where school_id = ${schoolId} and disabled_at is null and every_school = 0`.execute(here);
    await sql`update ${sql.table('school')} set put_away_at = coalesce(put_away_at, ${now}) where id = ${schoolId}`.execute(
      here,
    );
    for (const [table, shape] of shapes) {
      if (keys.size === 0 || shape.key.length === 0) continue;
      for await (const rows of pagesOf(here, table, shape, rawCondition('1 = 1')))
        for (const row of rows) for (const key of storageKeysIn(row)) keys.delete(key);
    }
    const stays = [...left].map(([table, ids]) => ({ table, rows: ids.size })).filter(({ rows }) => rows > 0);
    return { tables: removed, left: stays, keys: [...keys] };
  });
}

/** Finds the rows of the school that must stay, because rows that stay refer to them directly or indirectly. */
async function findNeededRows(db: Database, shapes: Shapes, schoolId: number): Promise<Ids> {
  const needed: Ids = new Map([['school', new Set([schoolId])]]);
  const open: [Table, number[]][] = [];
  const ask = async (table: Table, condition: RawBuilder<boolean>) => {
    for (const { column, to } of shapes.get(table)?.references ?? []) {
      if (!isOwn(to) || undeletableTables.includes(to)) continue;
      const found = await idsOf(
        db,
        sql`select distinct ${sql.ref(column)} as id from ${sql.table(table)}
          where ${condition} and ${sql.ref(column)} in (select id from ${sql.table(to)} where ${rawCondition(schoolRowsCondition(to, schoolId))})`,
      );
      const all = needed.get(to) ?? new Set();
      const fresh = found.filter((id) => !all.has(id));
      for (const id of fresh) all.add(id);
      needed.set(to, all);
      if (fresh.length > 0) open.push([to, fresh]);
    }
  };
  for (const table of shapes.keys())
    await ask(
      table,
      undeletableTables.includes(table)
        ? sql<boolean>`1 = 1`
        : sql<boolean>`not ${rawCondition(schoolRowsCondition(table, schoolId))}`,
    );
  for (let next = open.shift(); next; next = open.shift())
    await ask(next[0], sql<boolean>`id in ${inIds(db, next[1])}`);
  return needed;
}

/** Finds out by how much the history ids of a moved school were raised. */
async function shiftOfMoved(here: Database, there: Database, schoolId: number): Promise<number> {
  const firstIn = async (db: Database) =>
    (
      await db
        .selectFrom('history')
        .select((eb) => eb.fn.min<number | null>('id').as('id'))
        .where('school_id', '=', schoolId)
        .executeTakeFirstOrThrow()
    ).id ?? 0;
  return (await firstIn(there)) - (await firstIn(here));
}

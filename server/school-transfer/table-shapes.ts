/** Reads the structure of tables from the database: columns, keys, foreign keys. */
import { sql } from 'kysely';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { schoolTables } from './school-rows.ts';

export type Table = keyof Tables;

export interface Shape {
  columns: string[];
  /** Key columns of the table: its id, or its primary key in order. */
  key: string[];
  /** Columns that contain the id of a row of another table. */
  references: { column: string; to: Table }[];
}

/** References that have no foreign key, on some engine at least: a partitioned table cannot be the target of one. */
const unwritten: readonly (readonly [from: Table, column: string, to: Table])[] = [
  ['class', 'large_class_id', 'large_class'],
  ['question_correction', 'question_id', 'question'],
  ['answer', 'report_id', 'report'],
  ['answer_draft', 'report_id', 'report'],
];

export async function shapesOf(db: Database): Promise<Map<Table, Shape>> {
  const known = new Set<string>(schoolTables);
  const shapes = new Map<Table, Shape>(schoolTables.map((table) => [table, { columns: [], key: [], references: [] }]));
  const { rows: columns } = await (isSqlite(db)
    ? sql<{ table: string; column: string; place: number }>`
        select m.name as "table", c.name as "column", c.pk as place
        from sqlite_master as m, pragma_table_info(m.name) as c where m.type = 'table' order by m.name, c.cid`
    : sql<{ table: string; column: string; place: number }>`
        select c.relname as "table", a.attname as "column", coalesce(array_position(i.indkey::smallint[], a.attnum), -1) + 1 as place
        from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_index i on i.indrelid = c.oid and i.indisprimary
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        order by c.relname, a.attnum`
  ).execute(db);
  const places = new Map<Table, { column: string; place: number }[]>();
  for (const { table, column, place } of columns) {
    if (!known.has(table)) continue;
    shapes.get(table as Table)?.columns.push(column);
    if (place > 0) places.set(table as Table, [...(places.get(table as Table) ?? []), { column, place }]);
  }
  for (const [table, key] of places) {
    const shape = shapes.get(table);
    if (shape?.columns.includes('id')) shape.key = ['id'];
    else if (shape) shape.key = key.sort((one, other) => one.place - other.place).map(({ column }) => column);
  }
  const { rows: references } = await (isSqlite(db)
    ? sql<{ table: string; column: string; to: string }>`
        select m.name as "table", f."from" as "column", f."table" as "to"
        from sqlite_master as m, pragma_foreign_key_list(m.name) as f where m.type = 'table'`
    : sql<{ table: string; column: string; to: string }>`
        select c.relname as "table", a.attname as "column", p.relname as "to" from pg_constraint f
        join pg_class c on c.oid = f.conrelid and not c.relispartition
        join pg_class p on p.oid = f.confrelid and not p.relispartition
        join pg_attribute a on a.attrelid = c.oid and a.attnum = f.conkey[1]
        where f.contype = 'f' and c.relnamespace = current_schema()::regnamespace`
  ).execute(db);
  for (const [table, column, to] of [
    ...references.map((one) => [one.table, one.column, one.to] as const),
    ...unwritten,
  ]) {
    const shape = known.has(table) && known.has(to) ? shapes.get(table as Table) : undefined;
    if (shape && !shape.references.some((one) => one.column === column))
      shape.references.push({ column, to: to as Table });
  }
  return shapes;
}

/** Sorts tables: a table comes after the tables that it refers to. */
export function parentsFirst(shapes: ReadonlyMap<Table, Shape>): Table[] {
  const ordered: Table[] = [];
  const begun = new Set<Table>();
  const visit = (table: Table) => {
    if (begun.has(table)) return;
    begun.add(table);
    for (const { to } of shapes.get(table)?.references ?? []) visit(to);
    ordered.push(table);
  };
  for (const table of shapes.keys()) visit(table);
  return ordered;
}

/**
 * What there is of one person. The owner of a table says which of its rows are about them, and what becomes of these when
 * the person is erased; so what goes out to them and what goes away are read from one list.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './engine.ts';
import type { Tables } from './schema.ts';

/** Who is asked about. */
export interface Person {
  id: number;
  /** By which they are called and reached: name and mobile numbers, none empty. None where they were erased before. */
  texts: readonly string[];
  actor: { id: number } | null;
  /** Unix seconds. */
  now: number;
}

/** `kept`: marks, attendance and counts, which name nobody; `emptied`: what is written there goes; `deleted`: the rows go. */
export type Becomes = 'kept' | 'emptied' | 'deleted';

interface Rows {
  selectAll(): { execute(): Promise<object[]> };
}

export interface PersonalTable {
  table: keyof Tables;
  becomes: Becomes;
  /** Of one table, so that all columns can be selected. */
  rows: (db: Database, who: Person) => Rows;
  /** Does it; answers the keys of the files that go with it. Undefined where nothing goes. */
  erase?: (db: Database, who: Person) => Promise<readonly string[]>;
  /** 1: not the person's own, but what others work with, in which they are named: they are given no copy. */
  isOthers?: 1;
}

/** What stands where a person wrote something that others have answered or counted. */
export const erasedText = '（内容已随学员注销删除）';

/** Shorter ones are part of too many other words. */
const soughtFrom = 2;

/** `column` holds one of these texts, as it is or within JSON. */
export function holdsOneOf(column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  const sought = texts.filter((text) => [...text].length >= soughtFrom);
  const written = new Set(sought.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]));
  if (written.size === 0) return sql<SqlBool>`1 = 0`;
  return sql<SqlBool>`(${sql.join(
    [...written].map((text) => sql`${sql.ref(column)} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`),
    sql` or `,
  )})`;
}

/** Keys of the files that are named in what was read, and not in `others`, which stays. */
export function filesNamed(rows: readonly object[], others: readonly object[] = []): string[] {
  const stay = new Set(keysIn(others));
  return [...new Set(keysIn(rows))].filter((key) => !stay.has(key));
}

const keysIn = (rows: readonly object[]): string[] =>
  rows.flatMap((row) =>
    Object.values(row).flatMap((value) =>
      typeof value === 'string'
        ? [...value.matchAll(/\/files\/(\d{4}\/\d{2}\/[a-z0-9]{26}\.[a-z0-9]{1,8})/g)].map(([, key = '']) => key)
        : [],
    ),
  );

/**
 * Personal data by table: which rows concern a person, and what erasing the person does to them. The copy of a person's
 * data and the erasure both use this list. The owner of each table declares its part.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './engine.ts';
import type { Tables } from './schema.ts';

/** The data subject: a student whose data is copied or erased. */
export interface Person {
  id: number;
  /**
   * Name and mobile numbers, to find texts that mention the person; without empty strings. An empty list if the person
   * was erased before.
   */
  texts: readonly string[];
  actor: { id: number } | null;
  /** Unix seconds. */
  now: number;
}

/**
 * Effect of erasing on the rows. `kept`: they stay, such as scores, attendance and counts, which name nobody.
 * `emptied`: their texts are blanked. `deleted`: they are deleted.
 */
export type ErasureEffect = 'kept' | 'emptied' | 'deleted';

interface Rows {
  selectAll(): { execute(): Promise<object[]> };
}

export interface PersonalTable {
  table: keyof Tables;
  becomes: ErasureEffect;
  /** Selects from one table, so that all columns can be read. */
  rows: (db: Database, who: Person) => Rows;
  /** Erases the rows; returns the storage keys of files to delete. Undefined if nothing is to be erased. */
  erase?: (db: Database, who: Person) => Promise<readonly string[]>;
  /** 1: the data belongs to other people and only mentions the person, so it is left out of the person's copy. */
  isOthers?: 1;
}

/** Text in place of an erased one that others have answered or that counts include. */
export const erasedText = '（内容已随学员注销删除）';

/** Minimum characters of a name that is searched in texts; shorter ones occur inside too many words. */
const minSearchedLength = 2;

/** Condition: `column` contains one of these texts, plain or JSON-escaped. */
export function containsAnyText(column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  const sought = texts.filter((text) => [...text].length >= minSearchedLength);
  const written = new Set(sought.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]));
  if (written.size === 0) return sql<SqlBool>`1 = 0`;
  return sql<SqlBool>`(${sql.join(
    [...written].map((text) => sql`${sql.ref(column)} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`),
    sql` or `,
  )})`;
}

/** Returns the storage keys of files that `rows` name, except files that `others` name too, which must stay. */
export function unsharedFileKeys(rows: readonly object[], others: readonly object[] = []): string[] {
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

/** What a subject says of its records in the history, and pieces to look up how they are called. */
import { sql } from 'kysely';
import type { HistoryAction, HistoryRecord } from '#server/history/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';

/**
 * How a value is shown: a moment, yes or no, a mark, a record by its title, or by a list of names. `rich` is HTML; `options`
 * and `parts` are those of a question. A `hidden` field is not shown.
 */
export type FieldKind =
  | HistoryRecord
  | 'text'
  | 'address'
  | 'device'
  | 'moment'
  | 'flag'
  | 'mark'
  | 'permissions'
  | 'rich'
  | 'options'
  | 'parts'
  | 'picture'
  | 'hidden';

/** The field's name, and how its values are shown where that is not as they are. */
export type FieldWord = string | readonly [name: string, shown: FieldKind | Readonly<Record<string, string>>];

export interface RecordHistory {
  actions: readonly HistoryAction[];
  /** Names of actions that differ from the general ones. */
  said?: Partial<Record<HistoryAction, string>>;
  fields: Readonly<Record<string, FieldWord>>;
  /** Looks up what records are called, those that still exist; without it a row says so itself. */
  titled?: (db: Database, ids: readonly number[], zone: string) => Promise<Titled[]>;
}

export interface Titled {
  id: number;
  title: string;
  /** Null: of every school. */
  school_id: number | null;
  /** How marks are kept; set for homework and its reports. */
  mode?: 1 | 2;
  /** Stored full score, the sum over all questions; set for reports of rated homework. */
  full?: number;
  /** Another record whose screen is linked instead, such as the course of a period; null: none. */
  leads?: { record: HistoryRecord; id: number } | null;
}

/** Titles that stand in one column of the record's own table. */
export function titledFrom<Table extends keyof Tables & string>(
  table: Table,
  title: keyof Tables[Table] & string,
  school?: keyof Tables[Table] & string,
): NonNullable<RecordHistory['titled']> {
  return async (db, ids) => {
    const schoolId = school ? sql.ref(school) : sql`null`;
    const { rows } = await sql<Titled>`
      select id, ${sql.ref(title)} as title, ${schoolId} as school_id
      from ${sql.table(table)} where id in (${sql.join(ids)})
    `.execute(db);
    return rows;
  };
}

/** Titles a record by its student and what it is of, and links the student. */
export const titledByStudent = ({
  id,
  student_id,
  nickname,
  name,
  school_id,
  mode,
  full,
}: Pick<Titled, 'id' | 'mode' | 'full'> & {
  student_id: number;
  nickname: string;
  name: string;
  school_id: number;
}): Titled => ({
  id,
  title: `${nickname}《${name}》`,
  school_id,
  leads: { record: 'student', id: student_id },
  ...(mode && { mode }),
  ...(full !== undefined && { full }),
});

/** The first thirty characters of a text without a title. */
export const beginning = (text: string): string =>
  [...text].length > 30 ? `${[...text].slice(0, 30).join('')}…` : text;

/**
 * How the history shows records. Each subject declares this for its own: names of actions and fields, and how to look
 * up titles.
 */
import { sql } from 'kysely';
import type { HistoryAction, HistoryRecord } from '#server/history/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';

/**
 * How the history shows a value: as a time, yes or no, a score, the title of a record, or a list of titles. `rich`:
 * HTML. `options` and `parts`: of questions. `hidden`: not shown.
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

/** Name of a field and, if its values are not shown as they are, how to show them. */
export type FieldWord = string | readonly [name: string, shown: FieldKind | Readonly<Record<string, string>>];

export interface RecordHistory {
  actions: readonly HistoryAction[];
  /** Names of actions where the general names do not fit. */
  said?: Partial<Record<HistoryAction, string>>;
  fields: Readonly<Record<string, FieldWord>>;
  /** Looks up titles of records that still exist. Without it, the history row itself contains the title. */
  titled?: (db: Database, ids: readonly number[], zone: string) => Promise<RecordTitle[]>;
}

export interface RecordTitle {
  id: number;
  title: string;
  /** Null: the record belongs to every school. */
  school_id: number | null;
  /** Scoring mode of homework and its reports. */
  mode?: 1 | 2;
  /** Stored full score of all questions together; needed for reports of rated homework. */
  full?: number;
  /** Record to link to in place of this one, such as the course of a period; null: no link. */
  leads?: { record: HistoryRecord; id: number } | null;
}

/** Creates a function that reads the titles from a column of the record's table. */
export function titlesFromColumn<Table extends keyof Tables & string>(
  table: Table,
  title: keyof Tables[Table] & string,
  school?: keyof Tables[Table] & string,
): NonNullable<RecordHistory['titled']> {
  return async (db, ids) => {
    const schoolId = school ? sql.ref(school) : sql`null`;
    const { rows } = await sql<RecordTitle>`
      select id, ${sql.ref(title)} as title, ${schoolId} as school_id
      from ${sql.table(table)} where id in (${sql.join(ids)})
    `.execute(db);
    return rows;
  };
}

/** Builds the title of a record about a student: student and subject matter, with a link to the student. */
export const studentRecordTitle = ({
  id,
  student_id,
  nickname,
  name,
  school_id,
  mode,
  full,
}: Pick<RecordTitle, 'id' | 'mode' | 'full'> & {
  student_id: number;
  nickname: string;
  name: string;
  school_id: number;
}): RecordTitle => ({
  id,
  title: `${nickname}《${name}》`,
  school_id,
  leads: { record: 'student', id: student_id },
  ...(mode && { mode }),
  ...(full !== undefined && { full }),
});

/** Returns the first thirty characters of a text. */
export const textBeginning = (text: string): string =>
  [...text].length > 30 ? `${[...text].slice(0, 30).join('')}…` : text;

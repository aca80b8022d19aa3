/** Display of records in the audit history, declared by each subject: actions, fields, and how to look up titles. */
import { sql } from 'kysely';
import type { HistoryAction, HistoryRecord } from '#server/history/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';

/**
 * How a value is displayed: moment, yes or no, score, a record's title, a list of titles. `rich` is HTML; `options` and
 * `parts` belong to questions; `hidden` fields are not shown.
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

/** Label of a field, and how to display its values if not as they are. */
export type FieldWord = string | readonly [name: string, shown: FieldKind | Readonly<Record<string, string>>];

export interface RecordHistory {
  actions: readonly HistoryAction[];
  /** Labels of actions that differ from the general ones. */
  said?: Partial<Record<HistoryAction, string>>;
  fields: Readonly<Record<string, FieldWord>>;
  /** Looks up titles of existing records. Without it, the history row contains the title. */
  titled?: (db: Database, ids: readonly number[], zone: string) => Promise<RecordTitle[]>;
}

export interface RecordTitle {
  id: number;
  title: string;
  /** Null: belongs to every school. */
  school_id: number | null;
  /** Scoring mode, for homework and its reports. */
  mode?: 1 | 2;
  /** Full score as stored, the sum over all questions; for reports of rated homework. */
  full?: number;
  /** Record to link to instead, such as the course of a period; null: no link. */
  leads?: { record: HistoryRecord; id: number } | null;
}

/** Creates a lookup of titles in one column of the record's table. */
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

/** Builds a title from the student and the object, and links to the student. */
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

/** First thirty characters of a text. */
export const textBeginning = (text: string): string =>
  [...text].length > 30 ? `${[...text].slice(0, 30).join('')}…` : text;

/** Adds the product's tables to the types of queries. kysely-codegen generates tables.ts from a database. */
import type { Selectable } from 'kysely';
import type { DB } from './tables.ts';

declare module '#server/platform/db/schema.ts' {
  interface Tables extends DB {
    /** A table on PostgreSQL; on SQLite a full-text index (FTS) of the same name, which is queried differently. */
    question_search: {
      question_id: number;
      place: number;
      owner_id: number;
      is_public: number;
      ques_type: number;
      facility_value: number;
      point_id: number | null;
      stem: string;
      remark: string;
    };
  }
}

export type Homework = Selectable<DB['homework']>;
export type Exam = Selectable<DB['exam']>;

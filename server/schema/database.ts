/** Tells queries, those of the machinery too, which tables there are: kysely-codegen has read them into tables.ts. */
import type { Selectable } from 'kysely';
import type { DB } from './tables.ts';

declare module '#server/platform/db/schema.ts' {
  interface Tables extends DB {
    /** PostgreSQL's; SQLite's full-text index of that name is asked in its own words. */
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

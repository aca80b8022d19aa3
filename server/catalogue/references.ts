/** References to catalogue entries: counts them, and replaces them when entries are merged. */
import { sql } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import type { CatalogueKind } from './rules.ts';

/** The user in whose schools references are counted. */
export type Viewer = Pick<Actor, 'id' | 'everySchool'>;

type Reference = {
  [Table in keyof Tables]: {
    table: Table;
    column: keyof Tables[Table] & string;
    /** Chinese noun with its measure word, for counts. */
    counted: string;
    /** Column that leads to the school of a row. Without it the rows of all schools count. */
    school?: 'school_id' | 'class_id';
    /** Column that is unique together with `column`: a merge must not create duplicates. */
    unique?: keyof Tables[Table] & string;
  };
}[keyof Tables];

/** All columns that refer to the entries of each catalogue. */
export const references: Record<CatalogueKind, readonly Reference[]> = {
  grades: [
    { table: 'class', column: 'grade_id', counted: '个班级', school: 'school_id' },
    { table: 'course', column: 'grade_id', counted: '门课程', school: 'school_id' },
  ],
  categories: [
    { table: 'classify', column: 'parent_id', counted: '个下级' },
    { table: 'class', column: 'classify_id', counted: '个班级', school: 'school_id' },
    { table: 'course', column: 'classify_id', counted: '门课程', school: 'school_id' },
  ],
  subjects: [
    { table: 'course', column: 'subject_id', counted: '门课程', school: 'school_id' },
    { table: 'team_class', column: 'subject_id', counted: '个团课班级', school: 'class_id' },
    { table: 'knowledge_point', column: 'subject_id', counted: '个知识点' },
  ],
  // Rooms need no `school`: a user who may change a room sees its school, so that all its lessons and classes count.
  rooms: [
    { table: 'class_session', column: 'room_id', counted: '节课次' },
    { table: 'team_class', column: 'room_id', counted: '个团课班级' },
  ],
  terms: [
    { table: 'term', column: 'parent_id', counted: '个下级' },
    { table: 'class_term', column: 'term_id', counted: '个班级', school: 'class_id', unique: 'class_id' },
  ],
  'ware-categories': [
    { table: 'courseware', column: 'classify_id', counted: '份课件', school: 'school_id' },
    { table: 'class_ware', column: 'classify_id', counted: '份班级课件', school: 'class_id' },
  ],
  'exam-categories': [
    { table: 'exam_category', column: 'parent_id', counted: '个下级' },
    { table: 'exam', column: 'category_id', counted: '场考试', school: 'school_id' },
  ],
};

/** Makes all references to the entry `from` point to `into`. Child entries are moved by another function. */
export async function replaceReferences(
  db: Database,
  kind: CatalogueKind,
  { from, into }: { from: number; into: number },
): Promise<void> {
  for (const { table, column, unique } of references[kind].filter((one) => one.column !== 'parent_id')) {
    const [rows, name] = [sql.table(table), sql.ref(column)];
    if (unique)
      await sql`delete from ${rows} where ${name} = ${from}
        and ${sql.ref(unique)} in (select ${sql.ref(unique)} from ${rows} where ${name} = ${into})`.execute(db);
    await sql`update ${rows} set ${name} = ${into} where ${name} = ${from}`.execute(db);
  }
}

/** Counts the references to each entry, in the actor's schools. */
export const countReferences = (db: Database, actor: Viewer, kind: CatalogueKind, ids: readonly number[]) =>
  Promise.all(
    references[kind].map(async ({ table, column, counted, school }) => {
      const schools = schoolsOf(db, actor);
      const seen = {
        school_id: sql`and school_id in ${schools}`,
        class_id: sql`and class_id in (select id from class where school_id in ${schools})`,
        all: sql``,
      }[school ?? 'all'];
      const { rows } = await sql<{ entry: number; count: number }>`
        select ${sql.ref(column)} as entry, count(*) as count from ${sql.table(table)}
        where ${sql.ref(column)} in ${inIds(db, ids)} ${seen} group by ${sql.ref(column)}`.execute(db);
      return { counted, counts: new Map(rows.map(({ entry, count }) => [entry, count])) };
    }),
  );

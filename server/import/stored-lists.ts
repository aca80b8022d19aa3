/** Lists that an export needs again and again: ids from sources, and links between records. */
import { dutyOf } from '#server/classes/staff-importer.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { groupValues } from '#server/platform/db/grouping.ts';
import { isFirstSource } from './external-ids.ts';
import type { RecordKind } from './source-record.ts';

/** Wraps a query so that it runs at first use, and only once. */
export function loadOnce<T>(ask: (db: Database) => Promise<T>): (db: Database) => Promise<T> {
  let known: Promise<T> | undefined;
  return (db) => {
    known ??= ask(db);
    return known;
  };
}

/** Returns the ids that records of a kind have in exports: from their first source, or else kind and own id. */
export function sourcedIdsByRecord(db: Database) {
  const known = new Map<RecordKind, Promise<ReadonlyMap<string, string>>>();
  async function load(kind: RecordKind): Promise<ReadonlyMap<string, string>> {
    const rows = await db
      .selectFrom('external_id as given')
      .select(['given.record', 'given.sourced_id'])
      .where('given.kind', '=', kind)
      .where('given.state', '=', 'active')
      .where(isFirstSource(kind))
      .orderBy('given.source_id', 'desc')
      .orderBy('given.id', 'desc')
      .execute();
    // Ids from the product's own imports already have the form of kind and own id.
    const foreign = rows.filter(({ record, sourced_id }) => sourced_id !== `${kind}-${record}`);
    return new Map(foreign.map(({ record, sourced_id }) => [record, sourced_id]));
  }
  return async (kind: RecordKind, record: number | string, own = `${kind}-${record}`): Promise<string> => {
    const loading = known.get(kind) ?? load(kind);
    known.set(kind, loading);
    return (await loading).get(String(record)) ?? own;
  };
}

export async function schoolsOfStaff(db: Database): Promise<ReadonlyMap<number, number[]>> {
  const rows = await db.selectFrom('staff_school').selectAll().orderBy('school_id').execute();
  return groupValues(
    rows,
    ({ staff_id }) => staff_id,
    ({ school_id }) => school_id,
  );
}

export async function termsOfClasses(db: Database): Promise<ReadonlyMap<number, number[]>> {
  const rows = await db.selectFrom('class_term').selectAll().orderBy('term_id').execute();
  return groupValues(
    rows,
    ({ class_id }) => class_id,
    ({ term_id }) => term_id,
  );
}

export const courseLinks = (db: Database) =>
  db.selectFrom('class_course').selectAll().orderBy('class_id').orderBy('course_id').execute();

export async function staffLinks(db: Database) {
  const rows = await db
    .selectFrom('class_staff')
    .innerJoin('staff', 'staff.id', 'class_staff.staff_id')
    .select(['class_staff.class_id', 'class_staff.staff_id', 'class_staff.duty', 'staff.identity'])
    .orderBy('class_staff.class_id')
    .orderBy('class_staff.duty', 'desc')
    .orderBy('class_staff.staff_id')
    .execute();
  const isOf = (one: (typeof rows)[number]) => `${one.class_id}:${one.staff_id}`;
  const own = new Set(rows.filter(({ duty, identity }) => duty === dutyOf(identity)).map(isOf));
  return rows.filter((one) => one.duty === dutyOf(one.identity) || !own.has(isOf(one)));
}

export async function staffOfGroups(db: Database): Promise<ReadonlyMap<number, number[]>> {
  const rows = await db.selectFrom('class_group_staff').selectAll().orderBy('staff_id').execute();
  return groupValues(
    rows,
    ({ class_group_id }) => class_group_id,
    ({ staff_id }) => staff_id,
  );
}

export const membersOfGroups = (db: Database) =>
  db
    .selectFrom('class_group_student')
    .innerJoin('class_student', 'class_student.id', 'class_group_student.class_student_id')
    .select(['class_group_student.class_group_id as group_id', 'class_group_student.course_id'])
    .select(['class_student.class_id', 'class_student.student_id'])
    .where('class_student.left_at', 'is', null)
    .orderBy('class_group_student.class_group_id')
    .orderBy('class_student.student_id')
    .execute();

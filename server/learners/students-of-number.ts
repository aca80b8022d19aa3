/** Finds the students who have a typed student number or mobile number. */
import { type RawBuilder, sql } from 'kysely';
import type { Application } from '#server/platform/auth/service-token.ts';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { schoolsBoundTo } from './application-schools.ts';
import { foldLatin, plainMobile, plainNumber, sharersLimit } from './rules.ts';

export interface NumberRequest {
  application: Application;
  /** Student number or mobile number as typed. */
  number: string;
  /** Unix seconds. */
  now: number;
}

/** The student number without capitals. The indexes `student_of_folded_number` and `…_c` have the same expression. */
const foldedNumber = (db: Database): RawBuilder<string> =>
  isSqlite(db) ? sql<string>`lower(student.number)` : sql<string>`lower(student.number collate "C")`;

/**
 * Selects all students with this student number, those who left included; the number is compared as at sign-in. Mobile
 * numbers do not count.
 */
export const studentsWithNumber = (db: Database, number: string) =>
  db
    .selectFrom('student')
    .where(foldedNumber(db), 'in', foldedForms(number))
    .where('student.number', '<>', '')
    .where('student.deleted_at', 'is', null);

const foldedForms = (number: string): string[] => [foldLatin(number.trim()), foldLatin(plainNumber(number))];

/** Selects all students with this student number or mobile number, those who left included. */
export function studentsOfAnyNumber(db: Database, number: string) {
  // Runs two queries, because each number has an index of its own, which leaves out empty values.
  const byNumber = db
    .selectFrom('student')
    .select('id')
    .where(foldedNumber(db), 'in', foldedForms(number))
    .where('number', '<>', '');
  const byMobile = db
    .selectFrom('student')
    .select('id')
    .where('mobile', '=', plainMobile(number))
    .where('mobile', '<>', '');
  return db
    .selectFrom('student')
    .where('student.id', 'in', byNumber.union(byMobile))
    .where('student.deleted_at', 'is', null)
    .orderBy('student.id');
}

/** Selects the students with this number whom the application may access and who may sign in. */
export const studentsOfNumber = (db: Database, { application, number }: Omit<NumberRequest, 'now'>) =>
  studentsOfAnyNumber(db, number)
    .where('student.disabled_at', 'is', null)
    .$if(!application.everySchool, (query) => query.where('student.school_id', 'in', schoolsBoundTo(db, application)))
    .limit(sharersLimit);

/**
 * Counts the students of all schools who may sign in with a number. Returns a function of the number as stored.
 * Several schools may use the same student number, and siblings may share a mobile number.
 */
export async function countSharers(db: Database, numbers: readonly string[]): Promise<(number: string) => number> {
  const folded = [...new Set(numbers.filter((number) => number !== '').map(foldLatin))];
  if (folded.length === 0) return () => 0;
  const able = db.selectFrom('student').where('disabled_at', 'is', null).where('deleted_at', 'is', null);
  const byNumber = await able
    .select(({ fn }) => [foldedNumber(db).as('known'), fn.countAll<number>().as('students')])
    .where(foldedNumber(db), 'in', folded)
    .where('number', '<>', '')
    .groupBy(foldedNumber(db))
    .execute();
  const byMobile = await able
    .select(({ fn }) => ['mobile as known', fn.countAll<number>().as('students')])
    .where('mobile', 'in', folded)
    .where('mobile', '<>', '')
    .groupBy('mobile')
    .execute();
  const counts = new Map<string, number>();
  for (const { known, students } of [...byNumber, ...byMobile])
    counts.set(known, (counts.get(known) ?? 0) + Number(students));
  return (number) => counts.get(foldLatin(number)) ?? 0;
}

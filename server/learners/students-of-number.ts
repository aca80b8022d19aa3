/** Finds the students who have a typed student number or mobile number. */
import type { Application } from '#server/platform/auth/service-token.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolsBoundTo } from './application-schools.ts';
import { plainMobile, plainNumber } from './rules.ts';

export interface NumberAsked {
  application: Application;
  /** Student number or mobile number as typed. */
  number: string;
  /** Unix seconds. */
  now: number;
}

/**
 * Maximum students with one number. Several schools may use the same student number, and siblings may share a mobile
 * number.
 */
const maxMeant = 5;

/** Selects the students with this number whom the application may access and who may sign in. */
export function studentsOfNumber(db: Database, { application, number }: Omit<NumberAsked, 'now'>) {
  // Runs two queries, because each number has an index of its own, which leaves out empty values.
  const byNumber = db
    .selectFrom('student')
    .select('id')
    .where('number', 'in', [number.trim(), plainNumber(number)])
    .where('number', '<>', '');
  const byMobile = db
    .selectFrom('student')
    .select('id')
    .where('mobile', '=', plainMobile(number))
    .where('mobile', '<>', '');
  return db
    .selectFrom('student')
    .where('student.id', 'in', byNumber.union(byMobile))
    .where('student.disabled_at', 'is', null)
    .where('student.deleted_at', 'is', null)
    .$if(!application.everySchool, (query) => query.where('student.school_id', 'in', schoolsBoundTo(db, application)))
    .orderBy('student.id')
    .limit(maxMeant);
}

import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolsOf } from './admin-schools.ts';

/** Selects the students of an administrator's schools; others are 404. Callers add conditions and columns. */
export const adminStudents = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db
    .selectFrom('student')
    .where('student.school_id', 'in', schoolsOf(db, actor))
    .where('student.deleted_at', 'is', null);

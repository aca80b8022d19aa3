/** Which students an administrator sees: those of their schools. What is not seen is 404. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolsOf } from './admin-schools.ts';

/** To be joined and narrowed. */
export const administeredStudents = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db
    .selectFrom('student')
    .where('student.school_id', 'in', schoolsOf(db, actor))
    .where('student.deleted_at', 'is', null);

/** Students an administrator may see: those in their schools. Others are 404. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolsOf } from './admin-schools.ts';

/** Base query, to be joined and narrowed. */
export const administeredStudents = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db
    .selectFrom('student')
    .where('student.school_id', 'in', schoolsOf(db, actor))
    .where('student.deleted_at', 'is', null);

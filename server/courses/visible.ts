/** Selects the courses of the schools that the administrator manages; others are 404. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';

export const adminCourses = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db.selectFrom('course').where('course.school_id', 'in', schoolsOf(db, actor));

export const adminChapters = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db
    .selectFrom('course_chapter')
    .innerJoin('course', 'course.id', 'course_chapter.course_id')
    .where('course.school_id', 'in', schoolsOf(db, actor));

export const adminPeriods = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db
    .selectFrom('period')
    .innerJoin('course', 'course.id', 'period.course_id')
    .where('course.school_id', 'in', schoolsOf(db, actor));

/** Selects the lecturers that periods can be given to. */
export const adminLecturers = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db
    .selectFrom('staff')
    .where('staff.identity', '=', 'teacher')
    .where('staff.disabled_at', 'is', null)
    .where('staff.school_id', 'in', schoolsOf(db, actor));

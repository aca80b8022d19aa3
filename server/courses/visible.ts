/** Selects the courses of the schools that the administrator manages; others are 404. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';

export const administeredCourses = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db.selectFrom('course').where('course.school_id', 'in', schoolsOf(db, actor));

export const administeredChapters = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db
    .selectFrom('course_chapter')
    .innerJoin('course', 'course.id', 'course_chapter.course_id')
    .where('course.school_id', 'in', schoolsOf(db, actor));

export const administeredPeriods = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db
    .selectFrom('period')
    .innerJoin('course', 'course.id', 'period.course_id')
    .where('course.school_id', 'in', schoolsOf(db, actor));

/** Selects the lecturers that periods can be given to. */
export const administeredLecturers = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db
    .selectFrom('staff')
    .where('staff.identity', '=', 'teacher')
    .where('staff.disabled_at', 'is', null)
    .where('staff.school_id', 'in', schoolsOf(db, actor));

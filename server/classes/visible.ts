/**
 * Queries of the state-school classes that a user may see. Every read of a class or its parts starts here, so that
 * other classes are 404.
 *
 * Lecturers see the classes they head, and classes that take a course in which they teach a period; they may publish
 * homework to these. Assistants see the classes they assist. Group and one-to-one classes (`class_type` 3 and 1) are
 * excluded. A person who sees a class sees all its students, courses, periods and courseware; homework has another rule
 * (`visibleHomeworkIds`).
 */
import { sql } from 'kysely';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor, Person, Viewer } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { memoizePerPage } from '#server/platform/db/page-cache.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { classesAssistedBy, classesHeadedBy, classesOf, classesTaughtBy } from '#server/school/staff-duties.ts';
import { classTypes, missingClass } from './rules.ts';

export function visibleClasses(db: Database, actor: Viewer) {
  const classes = db.selectFrom('class').where('class.class_type', '=', classTypes.stateSchool);
  return actor.identity === 'assist'
    ? classes.where('class.id', 'in', classesAssistedBy(db, actor))
    : classes.where('class.id', 'in', classesHeadedBy(db, actor).union(classesOf(db, actor)));
}

/**
 * The same classes of a lecturer as `visibleClasses`, but tested one by one instead of by an `in` subquery. Faster for
 * a query that walks the classes in order and stops early.
 */
export function visibleClassesOneByOne(db: Database, actor: Viewer) {
  return db
    .selectFrom('class')
    .where('class.class_type', '=', classTypes.stateSchool)
    .where((eb) =>
      eb.or([
        eb.exists(classesHeadedBy(db, actor).where('class_staff.class_id', '=', eb.ref('class.id'))),
        eb.exists(classesTaughtBy(db, actor).where('class_course.class_id', '=', eb.ref('class.id'))),
      ]),
    );
}

/** Column that `inClassOrder` needs, for queries of the table `class`. */
export const gradePlace = sql<number | null>`(select grade.sort from grade where grade.id = class.grade_id)`.as(
  'grade_place',
);

/** Classes of every type in the administrator's schools. */
export const adminClasses = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db.selectFrom('class').where('class.school_id', 'in', schoolsOf(db, actor));

export const classNotFound = () => missing(missingClass);

/** 404 if the user does not see the class, or the id is missing; otherwise undefined. */
export async function refuseClass(
  db: Database,
  actor: Person,
  classId: number | undefined,
): Promise<Refusal | undefined> {
  if (classId === undefined) return classNotFound();
  const [seen] = await memoizePerPage(db, `class ${classId}`, () =>
    seenClass(db, { id: actor.id, classId }, actor.identity),
  );
  return seen ? undefined : classNotFound();
}

const seenClass = prepared((db, { id, classId }: Placeholders<{ id: number; classId: number }>, identity: Identity) =>
  visibleClasses(db, { id, identity }).select('class.id').where('class.id', '=', classId),
);

/** Returns the id of the class's circle; null until the first post. */
export async function circleOf(db: Database, classId: number): Promise<number | null> {
  const circle = await db.selectFrom('community_group').select('id').where('class_id', '=', classId).executeTakeFirst();
  return circle?.id ?? null;
}

/**
 * Who sees which state-school class. Every read of a class and of what belongs to it starts here; what is not seen is
 * 404.
 *
 * A lecturer sees the classes whose head teacher they are, and those that take a course in which they teach a period:
 * the classes that they may publish homework to. An assistant sees the classes that they assist. Group classes and
 * one-to-one lessons (class_type 3 and 1) are not among them. Whoever sees a class sees all of its students, courses,
 * lessons and courseware; its homework follows the rule of homework (`homeworkOf`).
 */
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor, Person, Viewer } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { memo } from '#server/platform/db/page-cache.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { classesAssistedBy, classesHeadedBy, classesOf, classesTaughtBy } from '#server/school/reach.ts';
import { classTypes, missingClass } from './rules.ts';

/** The classes that the actor sees, to be joined and narrowed. */
export function visibleClasses(db: Database, actor: Viewer) {
  const classes = db.selectFrom('class').where('class.class_type', '=', classTypes.stateSchool);
  return actor.identity === 'assist'
    ? classes.where('class.id', 'in', classesAssistedBy(db, actor))
    : classes.where('class.id', 'in', classesHeadedBy(db, actor).union(classesOf(db, actor)));
}

/**
 * Those that a lecturer sees, as `visibleClasses`, for who walks along the classes and stops soon: each is asked for who heads
 * and teaches it, so that not all of theirs are put together before.
 */
export function metClasses(db: Database, actor: Viewer) {
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

/** The classes of every type in the schools of an administrator, to be joined and narrowed. */
export const administeredClasses = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db.selectFrom('class').where('class.school_id', 'in', schoolsOf(db, actor));

export const noClass = () => missing(missingClass);

/** Undefined where the actor sees the class; 404 where not, or where none is named. */
export async function refuseClass(
  db: Database,
  actor: Person,
  classId: number | undefined,
): Promise<Refusal | undefined> {
  if (classId === undefined) return noClass();
  const [seen] = await memo(db, `class ${classId}`, () => seenClass(db, { id: actor.id, classId }, actor.identity));
  return seen ? undefined : noClass();
}

const seenClass = prepared((db, { id, classId }: Placeholders<{ id: number; classId: number }>, identity: Identity) =>
  visibleClasses(db, { id, identity }).select('class.id').where('class.id', '=', classId),
);

/** The id of the circle of a class; null until something was posted in it. */
export async function circleOf(db: Database, classId: number): Promise<number | null> {
  const circle = await db.selectFrom('community_group').select('id').where('class_id', '=', classId).executeTakeFirst();
  return circle?.id ?? null;
}

/** The circle of a class: who may see it, and its creation with the first post. */
import { missingClassCircle } from '#server/classes/rules.ts';
import { circleOf, classNotFound, visibleClasses } from '#server/classes/visible.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type CommunityContext, classesWithCircle } from './visible.ts';

/** 404: the user does not see the class, or the class hides its circle. Otherwise undefined. */
export async function refuseClassCircle(context: CommunityContext, classId: number): Promise<Refusal | undefined> {
  const shown = await classesWithCircle(context).where('class.id', '=', classId).executeTakeFirst();
  if (shown) return undefined;
  const theClass = await visibleClasses(context.db, context.actor)
    .select('class.id')
    .where('class.id', '=', classId)
    .executeTakeFirst();
  return theClass ? missing(missingClassCircle) : classNotFound();
}

/** Returns the id of a class's circle; creates the circle if the class has none yet. */
export async function openClassCircle(db: Database, classId: number, now: number): Promise<number> {
  const theClass = await db
    .selectFrom('class')
    .select(['name', 'school_id'])
    .where('id', '=', classId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('community_group')
    .values({ group_type: 1, class_id: classId, school_id: theClass.school_id, name: theClass.name, created_at: now })
    .onConflict((conflict) => conflict.column('class_id').doNothing())
    .execute();
  const circle = await circleOf(db, classId);
  if (circle === null) throw new Error('A circle that was just made is not there');
  return circle;
}

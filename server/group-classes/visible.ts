/** Selects the group classes that a user may see; all others are 404. */

import { classTypes } from '#server/classes/rules.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { memoizePerPage } from '#server/platform/db/page-cache.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { classesAssistedBy } from '#server/school/staff-duties.ts';

export function teamClassesOf(db: Database, actor: Viewer) {
  return db
    .selectFrom('class')
    .where('class.class_type', '=', classTypes.group)
    .where('class.id', 'in', classesAssistedBy(db, actor));
}

export async function isTeamClassOf(db: Database, actor: Actor, id: number): Promise<boolean> {
  const [found] = await memoizePerPage(db, `group class ${id}`, () =>
    teamClass(db, { id, actorId: actor.id }, actor.identity),
  );
  return found !== undefined;
}

const teamClass = prepared((db, { id, actorId }: Placeholders<{ id: number; actorId: number }>, identity: Identity) =>
  teamClassesOf(db, { id: actorId, identity }).select('class.id').where('class.id', '=', id),
);

/** True if the assistant looks after this group or one-to-one class. */
export async function isLessonClassOf(db: Database, actor: Actor, id: number): Promise<boolean> {
  const found = await db
    .selectFrom('class')
    .select('class.id')
    .where('class.id', '=', id)
    .where('class.class_type', 'in', [classTypes.oneToOne, classTypes.group])
    .where('class.id', 'in', classesAssistedBy(db, actor))
    .executeTakeFirst();
  return found !== undefined;
}

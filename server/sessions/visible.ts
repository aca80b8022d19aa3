/** Whose a scheduled lesson is. Every read of sessions starts here; what is not the actor's is 404. */

import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { classesAssistedBy } from '#server/school/reach.ts';

/** Ids of the sessions that the actor teaches (lecturer) or whose class they assist (assistant). */
export function sessionsOf(db: Database, actor: Actor) {
  const sessions = db.selectFrom('class_session').select('class_session.id');
  return actor.identity === 'teacher'
    ? sessions.where('class_session.lecturer_id', '=', actor.id)
    : sessions.where('class_session.class_id', 'in', classesAssistedBy(db, actor));
}

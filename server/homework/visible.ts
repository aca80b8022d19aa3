/** Who sees which homework. Every read of homework starts here; what is not seen is 404. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { classesAssistedBy, coursesTaughtBy, periodsTaughtBy, sessionsTaughtBy } from '#server/school/reach.ts';

/**
 * Ids of the homework that the actor sees.
 * - `own`: published by them, or in a period or a scheduled lesson that they teach (lecturer); of the classes they
 *   assist (assistant).
 * - `courses`: for lecturers also the rest of the homework of the courses they teach in.
 */
export function homeworkOf(db: Database, actor: Actor, reach: 'own' | 'courses' = 'courses') {
  if (actor.identity === 'assist') return homeworkOfAssisted(db, actor);
  const own = db
    .selectFrom('homework')
    .select('homework.id')
    .where('homework.creator_id', '=', actor.id)
    .union(periodsTaughtBy(db, actor).innerJoin('homework', 'homework.period_id', 'period.id').select('homework.id'))
    .union(
      sessionsTaughtBy(db, actor)
        .innerJoin('homework', 'homework.arrange_id', 'class_session.id')
        .select('homework.id'),
    );
  if (reach === 'own') return own;
  return own.union(
    db.selectFrom('homework').select('homework.id').where('homework.course_id', 'in', coursesTaughtBy(db, actor)),
  );
}

function homeworkOfAssisted(db: Database, actor: Actor) {
  return db
    .selectFrom('homework_class')
    .select('homework_class.homework_id as id')
    .where('homework_class.class_id', 'in', classesAssistedBy(db, actor))
    .where('homework_class.published_at', 'is not', null);
}

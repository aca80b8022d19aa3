/** Visibility of homework. Every read of homework starts here; homework that is not visible is 404. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Person, Viewer } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { memoizePerPage } from '#server/platform/db/page-cache.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import type { Homework } from '#server/schema/database.ts';
import { classesAssistedBy, coursesTaughtBy, periodsTaughtBy, sessionsTaughtBy } from '#server/school/staff-duties.ts';

/** A condition on the table `homework`, for any query that selects from or joins it. */
type HomeworkCondition = (eb: ExpressionBuilder<Tables, 'homework'>) => Expression<SqlBool>;

/**
 * Selects the ids of homework that the actor sees, for an `in` condition. May contain duplicates, which cost less than
 * removing them.
 * - `own`: for lecturers the homework that they published, and the homework of periods and lessons that they teach; for
 *   assistants the homework of the classes that they assist.
 * - `courses`: for lecturers also all other homework of the courses in which they teach.
 */
export function visibleHomeworkIds(db: Database, actor: Viewer, reach: 'own' | 'courses' = 'courses') {
  if (actor.identity === 'assist') return homeworkOfAssisted(db, actor);
  const own = db
    .selectFrom('homework')
    .select('homework.id')
    .where('homework.creator_id', '=', actor.id)
    .unionAll(periodsTaughtBy(db, actor).innerJoin('homework', 'homework.period_id', 'period.id').select('homework.id'))
    .unionAll(
      sessionsTaughtBy(db, actor)
        .innerJoin('homework', 'homework.arrange_id', 'class_session.id')
        .select('homework.id'),
    );
  if (reach === 'own') return own;
  return own.unionAll(
    db.selectFrom('homework').select('homework.id').where('homework.course_id', 'in', coursesTaughtBy(db, actor)),
  );
}

function homeworkOfAssisted(db: Database, actor: Viewer) {
  return db
    .selectFrom('homework_class')
    .select('homework_class.homework_id as id')
    .where('homework_class.class_id', 'in', classesAssistedBy(db, actor))
    .where('homework_class.published_at', 'is not', null);
}

/** Returns the homework, or undefined if the actor does not see it. Checks only this id, and is memoised per page. */
export const findVisibleHomework = (db: Database, actor: Person, id: number): Promise<Homework | undefined> =>
  memoizePerPage(db, `homework ${id}`, async () => {
    const [seen] = await homeworkSeen(db, { id, actorId: actor.id }, actor.identity);
    return seen;
  });

const homeworkSeen = prepared(
  (db, { id, actorId }: Placeholders<{ id: number; actorId: number }>, identity: Identity) =>
    db
      .selectFrom('homework')
      .selectAll()
      .where('homework.id', '=', id)
      .where(isVisibleHomework(db, { id: actorId, identity })),
);

/** Condition for a query that has joined the homework already; lists use `visibleHomeworkIds` instead. */
export function isVisibleHomework(db: Database, actor: Viewer): HomeworkCondition {
  const homeworkColumn = (column: 'id' | 'period_id' | 'arrange_id' | 'course_id') =>
    sql.ref<number>(`homework.${column}`);
  return (eb) =>
    actor.identity === 'assist'
      ? eb.exists(homeworkOfAssisted(db, actor).where('homework_class.homework_id', '=', homeworkColumn('id')))
      : eb.or([
          eb('homework.creator_id', '=', actor.id),
          eb.exists(
            periodsTaughtBy(db, actor).select('period.id').where('period.id', '=', homeworkColumn('period_id')),
          ),
          eb.exists(
            periodsTaughtBy(db, actor).select('period.id').where('period.course_id', '=', homeworkColumn('course_id')),
          ),
          eb.exists(
            sessionsTaughtBy(db, actor)
              .select('class_session.id')
              .where('class_session.id', '=', homeworkColumn('arrange_id')),
          ),
        ]);
}

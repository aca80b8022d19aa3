/** Homework that ends soon, with students who have not submitted it. */
import { sql } from 'kysely';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { classesAssistedBy } from '#server/school/staff-duties.ts';
import { firstReports } from './first-reports.ts';
import { visibleHomeworkIds } from './visible.ts';

/** Maximum students that are named per homework. */
const maxNames = 6;

/**
 * Lists homework that ends after `now` and until `until`, if a student has not submitted it; nearest deadline first. An
 * assistant's counts and names cover the classes that they assist. Times in unix seconds.
 */
export async function listDueHomework(
  db: Database,
  actor: Actor,
  { now, until, limit }: { now: number; until: number; limit: number },
) {
  const due = await homeworkEnding(db, { id: actor.id, now, until, limit }, actor.identity);
  if (due.length === 0) return [];
  const listed = JSON.stringify(due.map(({ id }) => id));
  const names = await missingFrom(db, { id: actor.id, listed }, actor.identity);
  return due.map((homework) => ({
    ...homework,
    missing: names.filter(({ homework_id }) => homework_id === homework.id).map(({ nickname }) => nickname),
  }));
}

type Bounds = Record<'id' | 'now' | 'until' | 'limit', number>;

const homeworkEnding = prepared((db, { id, now, until, limit }: Placeholders<Bounds>, identity: Identity) =>
  db
    .selectFrom('homework')
    .innerJoin('homework_class', 'homework_class.homework_id', 'homework.id')
    .where('homework.id', 'in', visibleHomeworkIds(db, { id, identity }, 'own'))
    .where('homework.status', '=', 1)
    .where('homework.ending_time', '>', now)
    .where('homework.ending_time', '<=', until)
    .where('homework_class.published_at', 'is not', null)
    .$if(identity === 'assist', (query) =>
      query.where('homework_class.class_id', 'in', classesAssistedBy(db, { id, identity })),
    )
    .groupBy(['homework.id', 'homework.name', 'homework.ending_time'])
    .select((eb) => [
      'homework.id',
      'homework.name',
      'homework.ending_time',
      eb.fn.sum<number>('homework_class.homework_count').as('students'),
      eb.fn.sum<number>('homework_class.submitted_homework_count').as('submitted'),
    ])
    .having((eb) =>
      eb(
        eb.fn.sum<number>('homework_class.homework_count'),
        '>',
        eb.fn.sum<number>('homework_class.submitted_homework_count'),
      ),
    )
    .orderBy('homework.ending_time')
    .orderBy('homework.id')
    .limit(limit),
);

/** Reads the first students without a submission for each homework. `listed`: homework ids as JSON. */
const missingFrom = prepared((db, { id, listed }: Placeholders<{ id: number; listed: string }>, identity: Identity) => {
  const first = db
    .selectFrom('report as missing')
    .select('missing.id')
    .where('missing.homework_id', '=', sql.ref<number>('given.id'))
    .where('missing.status', '=', 1)
    .$if(identity === 'assist', (query) =>
      query.where('missing.class_id', 'in', classesAssistedBy(db, { id, identity })),
    )
    .orderBy('missing.id')
    .limit(maxNames);
  return firstReports(db, listed, first)
    .innerJoin('student', 'student.id', 'report.student_id')
    .select(['report.homework_id', 'student.nickname'])
    .orderBy('report.id');
});

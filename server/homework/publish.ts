/** Hands a homework to classes: who is expected, and the counters that every list reads. */
import { sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';

/** Classes whose students are written at once: no statement grows with the school, so that each answers in time. */
const classesAtOnce = 20;

/**
 * Publishes a homework to classes of its scope that it was not published to. Every student who is in one of them
 * now is expected to hand in, once, even when in two classes: in the one with the lowest id.
 */
export async function publishToClasses(
  db: Database,
  { homeworkId, classIds, now }: { homeworkId: number; classIds: number[]; now: number },
): Promise<void> {
  const inOrder = [...classIds].sort((one, other) => one - other);
  for (let from = 0; from < inOrder.length; from += classesAtOnce) {
    await expectStudents(db, homeworkId, inOrder.slice(from, from + classesAtOnce));
  }
  await db
    .updateTable('homework_class')
    .set({ published_at: now })
    .where('homework_id', '=', homeworkId)
    .where('class_id', 'in', classIds)
    .execute();
  await recountHomework(db, homeworkId);
}

/** The students of these classes who are not expected yet. */
async function expectStudents(db: Database, homeworkId: number, classIds: number[]): Promise<void> {
  await db
    .insertInto('report')
    .columns(['homework_id', 'class_id', 'student_id'])
    .expression(
      db
        .selectFrom('class_student')
        .select((eb) => [
          sql<number>`${sql.lit(homeworkId)}`.as('homework_id'),
          eb.fn.min('class_student.class_id').as('class_id'),
          'class_student.student_id',
        ])
        .where('class_student.class_id', 'in', classIds)
        .where('class_student.left_at', 'is', null)
        .where('class_student.student_id', 'not in', (eb) =>
          eb.selectFrom('report').select('report.student_id').where('report.homework_id', '=', homeworkId),
        )
        .groupBy('class_student.student_id'),
    )
    .execute();
}

/**
 * Sets the counters of a homework and of its classes from its reports: expected, submitted, waiting for review.
 * One homework has as many reports as it has students, so this costs the same whatever else the school holds.
 */
export async function recountHomework(db: Database, homeworkId: number): Promise<void> {
  const counted = (status: string) => sql<number>`(
    select count(*) from report
    where report.homework_id = homework_class.homework_id and report.class_id = homework_class.class_id and ${sql.raw(status)})`;
  await db
    .updateTable('homework_class')
    .set({
      homework_count: counted('report.status >= 1'),
      submitted_homework_count: counted('report.status >= 2'),
      not_revised_homework_count: counted('report.status = 2'),
    })
    .where('homework_id', '=', homeworkId)
    .execute();
  const sum = (column: string) => sql<number>`(
    select coalesce(sum(${sql.raw(column)}), 0) from homework_class where homework_class.homework_id = homework.id)`;
  await db
    .updateTable('homework')
    .set({
      class_count: sum('1'),
      published_class_count: sum('case when published_at is null then 0 else 1 end'),
      homework_count: sum('homework_class.homework_count'),
      submitted_homework_count: sum('homework_class.submitted_homework_count'),
      not_revised_homework_count: sum('homework_class.not_revised_homework_count'),
    })
    .where('id', '=', homeworkId)
    .execute();
}

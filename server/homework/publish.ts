/** Hands a homework to classes: who is expected, and the counters that every list reads. */
import { sql } from 'kysely';
import { eachOf, emitLearnerEvent } from '#server/learners/events.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { idsTable, inIds } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { newReportIds } from './report-years.ts';

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
  const given: number[] = [];
  for (let from = 0; from < inOrder.length; from += classesAtOnce) {
    const classes = inOrder.slice(from, from + classesAtOnce);
    given.push(...(await expectStudents(db, { homeworkId, classIds: classes, now })));
  }
  await db
    .updateTable('homework_class')
    .set({ published_at: now })
    .where('homework_id', '=', homeworkId)
    .where('class_id', 'in', classIds)
    .execute();
  await recountHomework(db, homeworkId);
  await tellPublished(db, homeworkId, given, now);
}

async function tellPublished(db: Database, id: number, studentIds: readonly number[], now: number): Promise<void> {
  const homework = await db
    .selectFrom('homework')
    .select(['name', 'ending_time'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { name, ending_time } = homework;
  const about = eachOf(studentIds, id);
  await emitLearnerEvent(db, { kind: 'homework.published', about, details: { name, ending_time } }, now);
}

/** The students of these classes who are not expected yet; answers who they are. */
async function expectStudents(
  db: Database,
  { homeworkId, classIds, now }: { homeworkId: number; classIds: number[]; now: number },
): Promise<number[]> {
  const expected = await db
    .insertInto('report')
    .columns(['id', 'homework_id', 'class_id', 'student_id', 'changed_at'])
    .expression(
      db
        .selectFrom('class_student')
        .select((eb) => [
          newReportIds(db, homeworkId).as('id'),
          sql<number>`${sql.lit(homeworkId)}`.as('homework_id'),
          eb.fn.min('class_student.class_id').as('class_id'),
          'class_student.student_id',
          sql<number>`${sql.lit(now)}`.as('changed_at'),
        ])
        .where('class_student.class_id', 'in', classIds)
        .where('class_student.left_at', 'is', null)
        .where('class_student.student_id', 'not in', (eb) =>
          eb.selectFrom('report').select('report.student_id').where('report.homework_id', '=', homeworkId),
        )
        .groupBy('class_student.student_id'),
    )
    .returning('student_id')
    .execute();
  return expected.map(({ student_id }) => student_id);
}

/**
 * The homework of a class that is still to be handed in, held until the end of the transaction: who joins the class may be
 * given it. It is held before the class is, for whoever publishes holds it and then writes who is in the class.
 */
export async function lockedOpenHomework(db: Database, classId: number, now: number): Promise<number[]> {
  const open = openHomework(db, classId, now).select('homework.id').orderBy('homework.id');
  const held = await forUpdate(db)(open, ['homework']).execute();
  return held.map(({ id }) => id);
}

/** The same of several classes. */
export async function lockedOpenHomeworkOf(
  db: Database,
  classIds: readonly number[],
  now: number,
): Promise<{ id: number; class_id: number }[]> {
  const open = db
    .selectFrom('homework')
    .innerJoin('homework_class', 'homework_class.homework_id', 'homework.id')
    .select(['homework.id', 'homework_class.class_id'])
    .where('homework_class.class_id', 'in', inIds(db, classIds))
    .where('homework_class.published_at', 'is not', null)
    .where('homework.status', '=', 1)
    .where('homework.ending_time', '>', now)
    .orderBy('homework.id');
  return forUpdate(db)(open, ['homework']).execute();
}

/**
 * A student who was given homework when they joined a class was never in it: nothing is expected of them any more.
 * Answers false, and takes nothing back, where they have handed some of it in or begun to write it.
 */
export async function takeHomeworkBack(
  db: Database,
  { studentId, homeworkIds }: { studentId: number; homeworkIds: readonly number[] },
): Promise<boolean> {
  if (homeworkIds.length === 0) return true;
  const reports = await db
    .selectFrom('report')
    .leftJoin('answer_draft', 'answer_draft.report_id', 'report.id')
    .select(['report.id', 'report.homework_id', 'report.status', 'answer_draft.saved_at'])
    .where('report.student_id', '=', studentId)
    .where('report.homework_id', 'in', inIds(db, homeworkIds))
    .execute();
  if (reports.some(({ status, saved_at }) => status !== 1 || saved_at !== null)) return false;
  await db
    .deleteFrom('report')
    .where(
      'id',
      'in',
      inIds(
        db,
        reports.map(({ id }) => id),
      ),
    )
    .execute();
  for (const { homework_id } of reports) await recountHomework(db, homework_id);
  return true;
}

export const openHomework = (db: Database, classId: number, now: number) =>
  db
    .selectFrom('homework')
    .innerJoin('homework_class', 'homework_class.homework_id', 'homework.id')
    .where('homework_class.class_id', '=', classId)
    .where('homework_class.published_at', 'is not', null)
    .where('homework.status', '=', 1)
    .where('homework.ending_time', '>', now);

/**
 * Gives homework that a class has to students who joined it since, and answers to whom: who is expected already, by
 * whatever class, stays so.
 */
export async function giveHomework(
  db: Database,
  {
    homeworkId,
    classId,
    studentIds,
    now,
  }: { homeworkId: number; classId: number; studentIds: readonly number[]; now: number },
): Promise<number[]> {
  if (studentIds.length === 0) return [];
  const given = await db
    .insertInto('report')
    .columns(['id', 'homework_id', 'class_id', 'student_id', 'changed_at'])
    .expression(
      db
        .selectFrom(idsTable(db, JSON.stringify(studentIds)))
        .select([
          newReportIds(db, homeworkId).as('id'),
          sql<number>`${sql.lit(homeworkId)}`.as('homework_id'),
          sql<number>`${sql.lit(classId)}`.as('class_id'),
          'given.id as student_id',
          sql<number>`${sql.lit(now)}`.as('changed_at'),
        ])
        .where(sql.lit(true)),
    )
    .onConflict((known) => known.columns(['homework_id', 'student_id']).doNothing())
    .returning('student_id')
    .execute();
  await recountHomework(db, homeworkId);
  const students = given.map(({ student_id }) => student_id);
  await tellPublished(db, homeworkId, students, now);
  return students;
}

/**
 * Sets the counters of a homework and of its classes from its reports: expected, submitted, waiting for review.
 * One homework has as many reports as it has students, so this costs the same whatever else the school holds.
 *
 * Whoever hands in holds their report, and these counters only when they move them. So they are held before the reports
 * are counted: what was counted by then is seen, and who waits for them counts on top of it.
 */
export async function recountHomework(db: Database, homeworkId: number): Promise<void> {
  await holdCounters(db, homeworkId);
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

/** Holds the counters of a homework and of its classes until the transaction ends; the homework first, as everywhere. */
async function holdCounters(db: Database, homeworkId: number): Promise<void> {
  await forUpdate(db)(db.selectFrom('homework').select('id').where('id', '=', homeworkId)).execute();
  await forUpdate(db)(
    db.selectFrom('homework_class').select('class_id').where('homework_id', '=', homeworkId).orderBy('class_id'),
  ).execute();
}

/** Assigns a homework to students: creates their reports, and keeps the counters that lists read. */
import { sql } from 'kysely';
import { aboutEach, emitLearnerEvent } from '#server/learners/events.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { idsTable, inIds } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { newReportIds } from './report-years.ts';

/** Maximum classes per statement, so that a statement does not grow with the school and run into the timeout. */
const classesPerStatement = 20;

/**
 * Publishes a homework to more classes of its scope. Creates one report for each current student. A student who is in
 * several of the classes gets it in the class with the lowest id.
 */
export async function publishToClasses(
  db: Database,
  { homeworkId, classIds, now }: { homeworkId: number; classIds: number[]; now: number },
): Promise<void> {
  const inOrder = [...classIds].sort((one, other) => one - other);
  const assigned: number[] = [];
  for (let from = 0; from < inOrder.length; from += classesPerStatement) {
    const classes = inOrder.slice(from, from + classesPerStatement);
    assigned.push(...(await createReports(db, { homeworkId, classIds: classes, now })));
  }
  await db
    .updateTable('homework_class')
    .set({ published_at: now })
    .where('homework_id', '=', homeworkId)
    .where('class_id', 'in', classIds)
    .execute();
  await recountHomework(db, homeworkId);
  await emitPublished(db, homeworkId, assigned, now);
}

async function emitPublished(db: Database, id: number, studentIds: readonly number[], now: number): Promise<void> {
  const homework = await db
    .selectFrom('homework')
    .select(['name', 'ending_time'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { name, ending_time } = homework;
  const about = aboutEach(studentIds, id);
  await emitLearnerEvent(db, { kind: 'homework.published', about, details: { name, ending_time } }, now);
}

/** Creates the missing reports of the students in these classes. Returns the ids of the students who got one. */
async function createReports(
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
 * Locks the homework of a class that can still be submitted until the transaction ends: students who join the class may
 * get it. Lock order: homework before class, because publishing locks the homework and then writes rows of the class.
 */
export async function lockOpenHomework(db: Database, classId: number, now: number): Promise<number[]> {
  const open = openHomeworkOfClass(db, classId, now).select('homework.id').orderBy('homework.id');
  const locked = await forUpdate(db)(open, ['homework']).execute();
  return locked.map(({ id }) => id);
}

/** Locks the open homework of several classes, as `lockOpenHomework` does for one. */
export async function lockOpenHomeworkOfClasses(
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
 * Deletes the reports that a student got on joining a class, because the joining is undone. Returns false and deletes
 * nothing if the student has submitted one of them or saved a draft.
 */
export async function withdrawHomework(
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

export const openHomeworkOfClass = (db: Database, classId: number, now: number) =>
  db
    .selectFrom('homework')
    .innerJoin('homework_class', 'homework_class.homework_id', 'homework.id')
    .where('homework_class.class_id', '=', classId)
    .where('homework_class.published_at', 'is not', null)
    .where('homework.status', '=', 1)
    .where('homework.ending_time', '>', now);

/**
 * Assigns the homework of a class to students who joined later. Skips students who have the homework already, through
 * any class. Returns the students who got it.
 */
export async function assignHomework(
  db: Database,
  {
    homeworkId,
    classId,
    studentIds,
    now,
  }: { homeworkId: number; classId: number; studentIds: readonly number[]; now: number },
): Promise<number[]> {
  if (studentIds.length === 0) return [];
  const assigned = await db
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
  const students = assigned.map(({ student_id }) => student_id);
  await emitPublished(db, homeworkId, students, now);
  return students;
}

/**
 * Recomputes the counters of a homework and of its classes from its reports: assigned, submitted, to grade. The cost
 * depends only on the number of students of this homework.
 *
 * Locks the counters before it counts the reports. A concurrent submission locks its report first and the counters
 * last. So it is either counted here, or it waits and adds itself afterwards.
 */
export async function recountHomework(db: Database, homeworkId: number): Promise<void> {
  await lockCounters(db, homeworkId);
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

/** Locks the counters until the transaction ends. Lock order everywhere: the homework, then its classes by id. */
async function lockCounters(db: Database, homeworkId: number): Promise<void> {
  await forUpdate(db)(db.selectFrom('homework').select('id').where('id', '=', homeworkId)).execute();
  await forUpdate(db)(
    db.selectFrom('homework_class').select('class_id').where('homework_id', '=', homeworkId).orderBy('class_id'),
  ).execute();
}

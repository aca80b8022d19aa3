/**
 * Finds and locks students' attempts at an exam. A student has one attempt at a time. Hundreds of students start, save
 * and submit in the same second, so the writes of one exam are batched (group commit).
 */
import { type Selectable, sql } from 'kysely';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import type { Exam } from '#server/schema/database.ts';
import { isGivenTo } from './visible.ts';

export interface Taker {
  examId: number;
  studentId: number;
  /** Unix seconds. */
  now: number;
}

/** Locks a published exam until the transaction ends, so that nobody withdraws it meanwhile. */
const lockedExams = prepared((db, { examId }: Placeholders<{ examId: number }>) => {
  const exams = db.selectFrom('exam').selectAll().where('id', '=', examId).where('status', '=', 1);
  return isSqlite(db) ? exams : exams.forKeyShare();
});

export async function lockExam(db: Database, examId: number): Promise<Exam | undefined> {
  return (await lockedExams(db, { examId }))[0];
}

/** Returns the ids of the students who see the exam. */
export async function visibleStudents(db: Database, exam: Exam, takers: readonly Taker[]): Promise<Set<number>> {
  const students = await visibleAmong(db, { exam: exam.id, school: exam.school_id, uids: studentIdsJson(takers) });
  return new Set(students.map(({ id }) => id));
}

const visibleAmong = prepared(
  (db, { exam, school, uids }: Placeholders<{ exam: number; school: number; uids: string }>) => {
    const shared = db.selectFrom('exam_school').select('school_id').where('exam_id', '=', exam);
    return db
      .selectFrom('student')
      .innerJoin('exam', (join) => join.on('exam.id', '=', exam))
      .select('student.id')
      .where('student.id', 'in', inJsonIds(db, uids))
      .where((eb) => eb.or([eb('student.school_id', '=', school), eb('student.school_id', 'in', shared)]))
      .where(isGivenTo(sql<number>`student.id`));
  },
);

export const attemptsOf = (db: Database, { examId, studentId }: Pick<Taker, 'examId' | 'studentId'>) =>
  db
    .selectFrom('exam_attempt')
    .where('exam_attempt.exam_id', '=', examId)
    .where('exam_attempt.student_id', '=', studentId);

export const latestTime = (takers: readonly Taker[]) => Math.max(...takers.map(({ now }) => now));

/** Ids of the students as JSON, because a prepared statement has one placeholder for all of them. */
export const studentIdsJson = (takers: readonly Taker[]) =>
  JSON.stringify([...new Set(takers.map(({ studentId }) => studentId))]);

/** Locks the students' current attempts; returns them by student id. */
export async function lockAttempts(db: Database, examId: number, takers: readonly Taker[]) {
  const held = await lockOpenAttempts(db, { examId, uids: studentIdsJson(takers) });
  return new Map(held.map((attempt) => [attempt.student_id, attempt]));
}

const lockOpenAttempts = prepared((db, { examId, uids }: Placeholders<{ examId: number; uids: string }>) =>
  forUpdate(db)(
    db
      .selectFrom('exam_attempt')
      .selectAll()
      .where('exam_id', '=', examId)
      .where('student_id', 'in', inJsonIds(db, uids))
      .where('handed_in_at', 'is', null)
      // Always locked in id order, so that concurrent batches, which lock several attempts each, do not deadlock.
      .orderBy('id'),
  ),
);

/** Maximum number of students of one exam per batch. */
export const batchSize = 50;

export const isEndReached = (end: number | null, now: number): end is number => end !== null && end <= now;

export type Attempt = Selectable<Tables['exam_attempt']>;

/**
 * Enrolments (“stays”): the times in which a student is in a class. Attendance, homework and rosters follow from them.
 * `changed_at` is when a stay was written, which may be long after the day it names; change feeds follow it.
 */
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistoryOfMany } from '#server/platform/db/history.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { insertRows, updateRows } from '#server/platform/db/rows.ts';

interface Stay {
  classId: number;
  studentId: number;
}

/** Ends a student's enrolment in a class; lessons from then on do not expect the student. */
export async function leaveClass(
  db: Database,
  { classId, studentId, leftAt, now, reason = '' }: Stay & { leftAt: number; now: number; reason?: string },
): Promise<void> {
  await db
    .updateTable('class_student')
    .set({ left_at: leftAt, left_reason: reason, changed_at: now })
    .where('class_id', '=', classId)
    .where('student_id', '=', studentId)
    .where('left_at', 'is', null)
    .execute();
}

/** Enrols a student who never was in the class; returns the id of the membership. */
export async function joinClass(
  db: Database,
  { classId, studentId, joinedAt, now }: Stay & { joinedAt: number; now: number },
): Promise<{ id: number }> {
  return db
    .insertInto('class_student')
    .values({ class_id: classId, student_id: studentId, joined_at: joinedAt, left_at: null, changed_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Enrols a former member again. The previous enrolment is kept, so that attendance of its lessons still counts. */
export async function returnToClass(
  db: Database,
  { classId, studentId, joinedAt, now }: Stay & { joinedAt: number; now: number },
): Promise<void> {
  const last = await db
    .selectFrom('class_student')
    .select(['id', 'joined_at', 'left_at', 'left_reason'])
    .where('class_id', '=', classId)
    .where('student_id', '=', studentId)
    .executeTakeFirst();
  if (last?.left_at == null) return;
  const { joined_at, left_at, left_reason } = last;
  await db
    .insertInto('class_earlier_stay')
    .values({ class_id: classId, student_id: studentId, joined_at, left_at, left_reason })
    .onConflict((known) => known.columns(['class_id', 'student_id', 'joined_at']).doUpdateSet({ left_at, left_reason }))
    .execute();
  await db
    .updateTable('class_student')
    .set({
      joined_at: joinedAt,
      left_at: null,
      left_reason: '',
      leaving_at: null,
      leaving_reason: '',
      changed_at: now,
    })
    .where('id', '=', last.id)
    .execute();
}

// ---- in bulk ------------------------------------------------------------------------------------------

/** Ends these memberships, many at once. */
export async function leaveClasses(
  db: Database,
  memberships: readonly number[],
  { leftAt, reason, now }: { leftAt: number; reason: string; now: number },
): Promise<void> {
  await db
    .updateTable('class_student')
    .set({ left_at: leftAt, left_reason: reason, changed_at: now })
    .where('id', 'in', inIds(db, memberships))
    .where('left_at', 'is', null)
    .execute();
}

/** Adds memberships for students who never were in the class. */
export const joinClasses = (
  db: Database,
  stays: readonly (Stay & { id: number; joinedAt: number })[],
  now: number,
): Promise<void> =>
  insertRows(
    db,
    'class_student',
    { id: 'integer', class_id: 'integer', student_id: 'integer', joined_at: 'integer', changed_at: 'integer' },
    stays.map(({ id, classId, studentId, joinedAt }) => ({
      id,
      class_id: classId,
      student_id: studentId,
      joined_at: joinedAt,
      changed_at: now,
    })),
  );

/** Undo of an import: deletes memberships as if they had never existed. */
export async function undoJoins(db: Database, memberships: readonly number[]): Promise<void> {
  await db.deleteFrom('class_student').where('id', 'in', inIds(db, memberships)).execute();
}

/** Stores the planned last day and reason; null: none is known. */
export const storePlannedLeaves = (
  db: Database,
  stays: readonly { id: number; leaving_at: number | null; leaving_reason: string }[],
): Promise<void> =>
  updateRows(db, 'class_student', { id: 'integer', leaving_at: 'integer', leaving_reason: 'text' }, stays);

/**
 * Ends up to `max` enrolments whose planned last day has come, each with a history row; returns their number. `follow`
 * runs in the same transaction.
 */
export async function applyPlannedLeaves(
  db: Database,
  {
    now,
    most,
    follow,
  }: {
    now: number;
    most: number;
    follow?: (db: Database, left: readonly { class_id: number; student_id: number }[], now: number) => Promise<unknown>;
  },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const due = await trx
      .selectFrom('class_student')
      .select(['id', 'class_id', 'student_id', 'leaving_at', 'leaving_reason'])
      .where('left_at', 'is', null)
      .where('leaving_at', '<=', now)
      .orderBy('leaving_at')
      .orderBy('id')
      .limit(most)
      .execute();
    if (due.length === 0) return 0;
    const left = await trx
      .updateTable('class_student')
      .set((eb) => ({ left_at: eb.ref('leaving_at'), left_reason: eb.ref('leaving_reason'), changed_at: now }))
      .where(
        'id',
        'in',
        inIds(
          trx,
          due.map(({ id }) => id),
        ),
      )
      // Checked again, because another process may have ended the enrolment meanwhile.
      .where('left_at', 'is', null)
      .where('leaving_at', '<=', now)
      .returning(['id', 'class_id', 'student_id', 'left_at', 'left_reason'])
      .execute();
    await recordHistoryOfMany(trx, {
      actor: null,
      now,
      record: 'class_student',
      action: 'leave',
      changes: left.map(({ id, class_id, student_id, left_at, left_reason }) => ({
        recordId: id,
        before: { class_id, student_id, left_at: null },
        after: { class_id, student_id, left_at, left_reason },
      })),
    });
    await follow?.(trx, left, now);
    return due.length;
  });
}

/** Undo of an import: restores memberships to their earlier values. */
export async function restoreStays(
  db: Database,
  stays: readonly {
    id: number;
    joined_at: number;
    left_at: number | null;
    left_reason: string;
    leaving_at?: number | null;
    leaving_reason?: string;
  }[],
  now: number,
): Promise<void> {
  const columns = {
    id: 'integer',
    joined_at: 'integer',
    left_at: 'integer',
    left_reason: 'text',
    leaving_at: 'integer',
    leaving_reason: 'text',
    changed_at: 'integer',
  } as const;
  const rows = stays.map((stay) => ({ leaving_at: null, leaving_reason: '', ...stay, changed_at: now }));
  await updateRows(db, 'class_student', columns, rows);
}

/**
 * Undo of an import: when a former member had come back, their previous enrolment was stored separately; this deletes
 * that copy.
 */
export async function deleteEarlierStay(
  db: Database,
  { classId, studentId, joinedAt }: Stay & { joinedAt: number },
): Promise<void> {
  await db
    .deleteFrom('class_earlier_stay')
    .where('class_id', '=', classId)
    .where('student_id', '=', studentId)
    .where('joined_at', '=', joinedAt)
    .execute();
}

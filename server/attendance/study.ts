/** What students watch, and when they are in a class: what attendance follows from. */
import { sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';

/**
 * Keeps how many seconds a student has watched of a period so far, live and from the playback. The most that was ever
 * said counts: the same report twice, or an older one that comes late, changes nothing.
 */
export async function recordStudy(
  db: Database,
  watched: { studentId: number; periodId: number; liveSeconds?: number; replaySeconds?: number },
): Promise<void> {
  const { studentId, periodId, liveSeconds = 0, replaySeconds = 0 } = watched;
  const most = (column: 'live_seconds' | 'replay_seconds', seconds: number) =>
    sql<number>`case when ${sql.ref(`study_record.${column}`)} > ${seconds} then ${sql.ref(`study_record.${column}`)} else ${seconds} end`;
  await db
    .insertInto('study_record')
    .values({
      student_id: studentId,
      period_id: periodId,
      live_seconds: liveSeconds,
      replay_seconds: replaySeconds,
    })
    .onConflict((known) =>
      known.columns(['student_id', 'period_id']).doUpdateSet({
        live_seconds: most('live_seconds', liveSeconds),
        replay_seconds: most('replay_seconds', replaySeconds),
      }),
    )
    .execute();
}

/** A student leaves a class; from then on they are expected in none of its lessons. */
export async function leaveClass(
  db: Database,
  { classId, studentId, now }: { classId: number; studentId: number; now: number },
): Promise<void> {
  await db
    .updateTable('class_student')
    .set({ left_at: now })
    .where('class_id', '=', classId)
    .where('student_id', '=', studentId)
    .where('left_at', 'is', null)
    .execute();
}

/** A student who left comes back: the stay that ended is kept, so that its lessons still count. */
export async function returnToClass(
  db: Database,
  { classId, studentId, now }: { classId: number; studentId: number; now: number },
): Promise<void> {
  const last = await db
    .selectFrom('class_student')
    .select(['id', 'joined_at', 'left_at'])
    .where('class_id', '=', classId)
    .where('student_id', '=', studentId)
    .executeTakeFirst();
  if (last?.left_at == null) return;
  await db
    .insertInto('class_earlier_stay')
    .values({ class_id: classId, student_id: studentId, joined_at: last.joined_at, left_at: last.left_at })
    .onConflict((known) =>
      known.columns(['class_id', 'student_id', 'joined_at']).doUpdateSet({ left_at: last.left_at as number }),
    )
    .execute();
  await db.updateTable('class_student').set({ joined_at: now, left_at: null }).where('id', '=', last.id).execute();
}

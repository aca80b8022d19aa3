/** What students watch: what attendance follows from. */
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

/** Records how long students watch periods. Watching live counts as attendance (`attendanceCategory` in rules.ts). */
import { sql } from 'kysely';
import { liveCourses } from '#server/classes/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { wasMember } from './facts.ts';

/**
 * Stores how many seconds a student has watched of a period, live and as playback. The highest number ever reported
 * counts, so a repeated or late report changes nothing.
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

/**
 * Records a live viewer as attended in each class that expected the student. An existing record stays.
 * `attendanceCategory` in rules.ts decides how records count.
 */
export async function recordPresence(
  db: Database,
  { uid, periodId, now }: { uid: number; periodId: number; now: number },
): Promise<void> {
  const classes = await db
    .selectFrom('period')
    .innerJoin('course', 'course.id', 'period.course_id')
    .innerJoin('class_course', 'class_course.course_id', 'period.course_id')
    .innerJoin('class_student as member', 'member.class_id', 'class_course.class_id')
    .select('member.class_id')
    .where('period.id', '=', periodId)
    .where('course.course_type', 'in', liveCourses)
    .where('member.student_id', '=', uid)
    .where(wasMember)
    .orderBy('member.class_id')
    .execute();
  for (const { class_id } of classes) {
    const noted = await db
      .insertInto('attendance')
      .values({
        class_id,
        student_id: uid,
        period_id: periodId,
        op_status: 0,
        requested_at: null,
        requested_by: null,
        decided_at: null,
        decided_by: null,
        changed_at: now,
      })
      .onConflict((known) => known.columns(['class_id', 'student_id', 'period_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!noted) continue;
    const entered = {
      record: 'attendance',
      recordId: noted.id,
      action: 'enter',
      before: null,
      after: { op_status: 0 },
    };
    await recordHistory(db, { actor: null, now, ...entered });
  }
}

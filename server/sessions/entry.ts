/** Attendance recorded by the learners' application: entering a lesson's live room, or watching it. */

import { liveGrace } from '#server/attendance/rules.ts';
import { conflict, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { isExpected, saveLessonAttendance } from './roster.ts';
import { entryFault, missingSession, roomFault, sessionStatus } from './rules.ts';

interface Learner {
  studentId: number;
  sessionId: number;
  /** Unix seconds. */
  now: number;
}

/**
 * Records that a student enters a live lesson, from shortly before its start until its end. The student becomes
 * present, whatever was recorded before.
 */
export async function enterLesson(db: Database, learner: Learner): Promise<null | Refusal> {
  const lesson = await lessonOf(db, learner);
  if (!lesson) return noLesson();
  const fault = entryFault(lesson, learner.now);
  if (fault) return conflict(fault);
  await recordPresent(db, learner);
  return null;
}

/**
 * Records how long a student watched a live lesson. The application may repeat a report, and may send it until shortly
 * after the end. If staff have cancelled the attendance after the start, it stays cancelled until the student enters
 * again or staff change it.
 */
export async function recordLiveViewing(
  db: Database,
  learner: Learner,
  { liveSeconds }: { liveSeconds: number },
): Promise<null | Refusal> {
  const lesson = await lessonOf(db, learner);
  if (!lesson) return noLesson();
  const fault = roomFault(lesson, learner.now);
  if (fault) return conflict(fault);
  // Watching only the playback does not count as attendance; nor does a report long after the end.
  if (liveSeconds === 0 || learner.now > lesson.end_time + liveGrace) return null;
  const cell = await cellOf(db, learner);
  const isCancelled = cell?.status === null && cell.set_by !== null && (cell.set_at ?? 0) >= lesson.start_time;
  if (!isCancelled) await recordPresent(db, learner);
  return null;
}

const noLesson = () => missing(missingSession);

/** Reads the lesson and locks it, so that nobody cancels it meanwhile. */
async function lessonOf(db: Database, { studentId, sessionId, now }: Learner) {
  const lesson = await forUpdate(db)(
    db
      .selectFrom('class_session')
      .select(['id', 'teaching_mode', 'start_time', 'end_time', 'cancelled_at'])
      .where('id', '=', sessionId),
  ).executeTakeFirst();
  if (!lesson || !(await isExpected(db, sessionId, studentId))) return undefined;
  return { ...lesson, status: sessionStatus(lesson, now) };
}

const cellOf = (db: Database, { studentId, sessionId }: Learner) =>
  db
    .selectFrom('session_student')
    .select(['id', 'status', 'set_by', 'set_at'])
    .where('session_id', '=', sessionId)
    .where('student_id', '=', studentId)
    .executeTakeFirst();

/** Records the student as present. A student who is recorded as present already stays unchanged. */
async function recordPresent(db: Database, learner: Learner): Promise<void> {
  const { now } = learner;
  const before = (await cellOf(db, learner))?.status ?? null;
  if (before === 1) return;
  const noted = { status: 1, attend_type: 1, remark: '', set_by: null, set_at: now } as const;
  const id = await saveLessonAttendance(db, learner, noted);
  await recordHistory(db, {
    actor: null,
    now,
    record: 'session_student',
    recordId: id,
    action: 'enter',
    before: { status: before },
    after: { status: 1 },
  });
}

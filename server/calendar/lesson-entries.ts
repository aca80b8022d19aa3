/** Calendar entries of scheduled lessons. */

import { offlineCourse } from '#server/classes/rules.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { CalendarCourse } from './contract.ts';
import { liveStatus } from './entry.ts';
import { emptyEntry, withEntryPoint } from './entry-fields.ts';
import {
  type CalendarOf,
  type EntrySelection,
  isBetween,
  type StatementValues,
  statementValues,
  tablesOf,
} from './entry-query.ts';

export async function lessonEntries(
  db: Database,
  of: CalendarOf,
  which: EntrySelection,
  now: number,
): Promise<CalendarCourse[]> {
  const rows = await lessonRows(db, statementValues(of, which), of.actor.identity);
  const { identity, id: actorId } = of.actor;
  return rows.map(({ lecturer_id, teaching_mode, chapter_title, cancelled_at, ...row }) => {
    const isInPerson = teaching_mode === 2;
    const is_cancelled = cancelled_at === null ? 0 : 1;
    return withEntryPoint(of.actor, identity === 'assist' || lecturer_id === actorId, {
      ...emptyEntry,
      ...row,
      kind: 'course',
      period_title: row.period_title ?? chapter_title,
      room_name: row.room_name ?? '',
      periods_type: isInPerson ? offlineCourse : 1,
      live_status: liveStatus(row.start_play, row.end_play, now),
      allow_enter: isInPerson || is_cancelled ? 1 : 0,
      is_cancelled,
    });
  });
}

const lessonRows = prepared((db, at: Placeholders<StatementValues>, identity: Identity) => {
  const [, lessons] = tablesOf(db, at, identity);
  const matching = lessons
    .innerJoin('class', 'class.id', 'class_session.class_id')
    .innerJoin('course', 'course.id', 'class_session.course_id')
    .innerJoin('staff', 'staff.id', 'class_session.lecturer_id')
    .leftJoin('period', 'period.id', 'class_session.period_id')
    .leftJoin('room', 'room.id', 'class_session.room_id')
    .select([
      'class_session.id',
      'class_session.lecturer_id',
      'class_session.teaching_mode',
      'class_session.chapter_title',
      'class_session.start_time as start_play',
      'class_session.end_time as end_play',
      'class_session.cancelled_at',
      'class.name as class_name',
      'class.class_type',
      'course.id as course_basis_id',
      'course.title as course_title',
      'course.course_type',
      'staff.real_name as nickname',
      'period.title as period_title',
      'room.name as room_name',
    ]);
  return matching.where((eb) =>
    at.id ? eb('class_session.id', '=', at.id) : isBetween('class_session.start_time', at),
  );
});

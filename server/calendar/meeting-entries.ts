/** Calendar entries of class meetings. */

import type { Identity } from '#server/platform/auth/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { classesStaffedBy } from '#server/school/staff-duties.ts';
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

export async function meetingEntries(
  db: Database,
  of: CalendarOf,
  which: EntrySelection,
  now: number,
): Promise<CalendarCourse[]> {
  const rows = await meetingRows(db, statementValues(of, which), of.actor.identity);
  return rows.map(({ staff_id, looksAfterClass, teacher_code, assistant_code, ...row }) => {
    const isTheirs = staff_id === of.actor.id || Boolean(looksAfterClass);
    return withEntryPoint(of.actor, isTheirs, {
      ...emptyEntry,
      ...row,
      ...(isTheirs ? { teacher_code, assistant_code } : {}),
      kind: 'meeting',
      live_status: liveStatus(row.start_play, row.end_play, now),
    });
  });
}

const meetingRows = prepared((db, at: Placeholders<StatementValues>, identity: Identity) => {
  const [, , meetings] = tablesOf(db, at, identity);
  const matching = meetings
    .innerJoin('class', 'class.id', 'class_meeting.class_id')
    .innerJoin('staff', 'staff.id', 'class_meeting.staff_id')
    .select([
      'class_meeting.id',
      'class_meeting.meeting_name',
      'class_meeting.staff_id',
      'class_meeting.start_time as start_play',
      'class_meeting.end_time as end_play',
      'class_meeting.teacher_code',
      'class_meeting.assistant_code',
      'class_meeting.student_code',
      'class.name as class_name',
      'staff.real_name as nickname',
    ])
    .select((eb) =>
      eb('class_meeting.class_id', 'in', classesStaffedBy(db, { id: at.actorId, identity })).as('looksAfterClass'),
    );
  return matching.where((eb) =>
    at.id ? eb('class_meeting.id', '=', at.id) : isBetween('class_meeting.start_time', at),
  );
});

import type { PersonalTable } from '#server/platform/db/privacy.ts';

/** Attendance of meetings is kept when a student is erased, as other attendance is. */
export const personalMeetings: readonly PersonalTable[] = [
  {
    table: 'class_meeting_attendance',
    becomes: 'kept',
    rows: (db, { id }) => db.selectFrom('class_meeting_attendance').where('student_id', '=', id),
  },
];

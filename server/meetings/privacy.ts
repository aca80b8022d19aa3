import type { PersonalTable } from '#server/platform/db/privacy.ts';

/** Meeting attendance is kept when a student is erased, like other attendance. */
export const personalMeetings: readonly PersonalTable[] = [
  {
    table: 'class_meeting_attendance',
    becomes: 'kept',
    rows: (db, { id }) => db.selectFrom('class_meeting_attendance').where('student_id', '=', id),
  },
];

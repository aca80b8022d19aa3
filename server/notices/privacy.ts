import type { PersonalTable } from '#server/platform/db/privacy.ts';

/** The record that a student has read a notice is kept when the student is erased, because it only counts readers. */
export const personalNotices: readonly PersonalTable[] = [
  {
    table: 'notice_read',
    becomes: 'kept',
    rows: (db, { id }) => db.selectFrom('notice_read').where('student_id', '=', id),
  },
];

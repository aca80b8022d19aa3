import type { PersonalTable } from '#server/platform/db/privacy.ts';

/** Kept when a student is erased: a read mark only counts the reader. */
export const personalNotices: readonly PersonalTable[] = [
  {
    table: 'notice_read',
    becomes: 'kept',
    rows: (db, { id }) => db.selectFrom('notice_read').where('student_id', '=', id),
  },
];

import type { PersonalTable } from '#server/platform/db/privacy.ts';

/** That a notice was read is a count beside it. */
export const personalNotices: readonly PersonalTable[] = [
  {
    table: 'notice_read',
    becomes: 'kept',
    rows: (db, { id }) => db.selectFrom('notice_read').where('student_id', '=', id),
  },
];

import type { PersonalTable } from '#server/platform/db/privacy.ts';

/** Of whom homework was asked for: a count beside a homework. The text message itself goes. */
export const personalReminders: readonly PersonalTable[] = [
  {
    table: 'homework_reminder',
    becomes: 'kept',
    rows: (db, { id }) => db.selectFrom('homework_reminder').where('student_id', '=', id),
  },
];

import type { PersonalTable } from '#server/platform/db/privacy.ts';

/** Personal data in reminders. The rows stay, as counts of a homework; the text messages themselves are erased. */
export const personalReminders: readonly PersonalTable[] = [
  {
    table: 'homework_reminder',
    becomes: 'kept',
    rows: (db, { id }) => db.selectFrom('homework_reminder').where('student_id', '=', id),
  },
];

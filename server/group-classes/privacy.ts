/** Contracts are kept when a student is erased: they are accounting records. */
import type { PersonalTable } from '#server/platform/db/privacy.ts';

export const personalContracts: readonly PersonalTable[] = [
  {
    table: 'class_contract',
    becomes: 'kept',
    rows: (db, { id }) =>
      db
        .selectFrom('class_contract')
        .where('class_student_id', 'in', db.selectFrom('class_student').select('id').where('student_id', '=', id)),
  },
];

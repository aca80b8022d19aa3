/** Personal data of learners: sign-ins, codes, passwords and events. */
import type { PersonalTable } from '#server/platform/db/privacy.ts';

export const personalLearning: readonly PersonalTable[] = [
  {
    table: 'learner_session',
    becomes: 'deleted',
    rows: (db, { id }) => db.selectFrom('learner_session').where('student_id', '=', id),
    async erase(db, { id }) {
      await db.deleteFrom('learner_session').where('student_id', '=', id).execute();
      return [];
    },
  },
  {
    table: 'learner_code',
    becomes: 'deleted',
    rows: (db, { id }) => db.selectFrom('learner_code').where('student_id', '=', id),
    async erase(db, { id }) {
      await db.deleteFrom('learner_code').where('student_id', '=', id).execute();
      return [];
    },
  },
  {
    table: 'learner_password',
    becomes: 'deleted',
    rows: (db, { id }) => db.selectFrom('learner_password').where('student_id', '=', id),
    async erase(db, { id }) {
      await db.deleteFrom('learner_password').where('student_id', '=', id).execute();
      return [];
    },
  },
  {
    table: 'learner_event',
    becomes: 'deleted',
    rows: (db, { id }) => db.selectFrom('learner_event').where('student_id', '=', id),
    async erase(db, { id }) {
      await db.deleteFrom('learner_event').where('student_id', '=', id).execute();
      return [];
    },
  },
];

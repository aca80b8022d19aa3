/** Links of learners to accounts of identity providers. Requests with a learner's number, which wait, count too. */
import type { Database } from '#server/platform/db/engine.ts';
import type { Person, PersonalTable } from '#server/platform/db/privacy.ts';

const rows = (db: Database, { id }: Person) =>
  db
    .selectFrom('learner_link')
    .where((eb) =>
      eb.or([
        eb('student_id', '=', id),
        eb.and([
          eb('student_id', 'is', null),
          eb(
            'number',
            'in',
            eb.selectFrom('student').select('student.number').where('student.id', '=', id).where('number', '<>', ''),
          ),
        ]),
      ]),
    );

const sessionsOf = (db: Database, { id }: Person) =>
  db.selectFrom('learner_session').select('id').where('student_id', '=', id);

export const personalLinks: readonly PersonalTable[] = [
  {
    table: 'learner_link_session',
    becomes: 'deleted',
    rows: (db, who) => db.selectFrom('learner_link_session').where('session_id', 'in', sessionsOf(db, who)),
    async erase(db, who) {
      await db.deleteFrom('learner_link_session').where('session_id', 'in', sessionsOf(db, who)).execute();
      return [];
    },
  },
  {
    table: 'learner_link',
    becomes: 'deleted',
    rows,
    async erase(db, who) {
      const ids = (await rows(db, who).select('id').execute()).map(({ id }) => id);
      if (ids.length > 0) await db.deleteFrom('learner_link').where('id', 'in', ids).execute();
      return [];
    },
  },
];

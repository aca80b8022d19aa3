/** When a student is erased, enrolments and their dates are kept; reasons for leaving are removed. */
import type { Database } from '#server/platform/db/engine.ts';
import type { Person, PersonalTable } from '#server/platform/db/privacy.ts';

const stays = (db: Database, { id }: Person) => db.selectFrom('class_student').where('student_id', '=', id);

export const personalClasses: readonly PersonalTable[] = [
  {
    table: 'class_student',
    becomes: 'emptied',
    rows: stays,
    async erase(db, { id }) {
      await db
        .updateTable('class_student')
        .set({ left_reason: '', leaving_reason: '' })
        .where('student_id', '=', id)
        .execute();
      return [];
    },
  },
  {
    table: 'class_earlier_stay',
    becomes: 'emptied',
    rows: (db, { id }) => db.selectFrom('class_earlier_stay').where('student_id', '=', id),
    async erase(db, { id }) {
      await db.updateTable('class_earlier_stay').set({ left_reason: '' }).where('student_id', '=', id).execute();
      return [];
    },
  },
  {
    table: 'class_group_student',
    becomes: 'kept',
    rows: (db, who) =>
      db.selectFrom('class_group_student').where('class_student_id', 'in', stays(db, who).select('class_student.id')),
  },
];

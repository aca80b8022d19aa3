/** Erases the personal data in a student's row. Id, number, school and creation day stay. */
import type { Database } from '#server/platform/db/engine.ts';
import { type Person, type PersonalTable, unsharedFileKeys } from '#server/platform/db/privacy.ts';
import { erasedName } from './rules.ts';

const row = (db: Database, { id }: Person) => db.selectFrom('student').where('id', '=', id);

export const personalStudents: readonly PersonalTable[] = [
  {
    table: 'student',
    becomes: 'emptied',
    rows: row,
    async erase(db, who) {
      const pictures = await row(db, who).select('avatar').execute();
      await db
        .updateTable('student')
        .set((eb) => ({
          nickname: erasedName,
          mobile: '',
          guardian_mobile: '',
          avatar: '',
          disabled_at: eb.fn.coalesce('disabled_at', eb.val(who.now)),
          erased_at: eb.fn.coalesce('erased_at', eb.val(who.now)),
        }))
        .where('id', '=', who.id)
        .execute();
      return unsharedFileKeys(pictures);
    },
  },
];

/**
 * Personal data in lessons. When a student is erased, attendance stays, and so does the fact that there was a talk; the
 * texts of notes and remarks are removed.
 */
import type { Database } from '#server/platform/db/engine.ts';
import { erasedText, type Person, type PersonalTable, unsharedFileKeys } from '#server/platform/db/privacy.ts';

const talks = (db: Database, { id }: Person) => db.selectFrom('communication_record').where('student_id', '=', id);

export const personalSessions: readonly PersonalTable[] = [
  {
    table: 'session_student',
    becomes: 'emptied',
    rows: (db, { id }) => db.selectFrom('session_student').where('student_id', '=', id),
    async erase(db, { id }) {
      await db
        .updateTable('session_student')
        .set({ remark: '', teacher_remark: '', student_remark: '' })
        .where('student_id', '=', id)
        .execute();
      return [];
    },
  },
  {
    table: 'communication_record',
    becomes: 'emptied',
    rows: talks,
    async erase(db, who) {
      const rows = await talks(db, who).select('content').execute();
      await db
        .updateTable('communication_record')
        .set({ content: erasedText })
        .where('student_id', '=', who.id)
        .execute();
      return unsharedFileKeys(rows);
    },
  },
];

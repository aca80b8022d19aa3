/**
 * Personal data in attendance. Erasing a student keeps attendance, deletes causes of leave, and withdraws pending
 * requests.
 */
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { Person, PersonalTable } from '#server/platform/db/privacy.ts';
import { writeAttendance } from './mark.ts';

const attended = (db: Database, { id }: Person) => db.selectFrom('attendance').where('student_id', '=', id);

function marks(db: Database, who: Person) {
  const calls = (of: 'period_id' | 'session_id') =>
    db.selectFrom('roll_call').select('roll_call.id').where(of, 'is not', null);
  const lessons = db.selectFrom('session_student').select('session_student.id').where('student_id', '=', who.id);
  return db
    .selectFrom('roll_call_mark')
    .where((eb) =>
      eb.or([
        eb.and([
          eb('record_id', 'in', attended(db, who).select('attendance.id')),
          eb('roll_call_id', 'in', calls('period_id')),
        ]),
        eb.and([eb('record_id', 'in', lessons), eb('roll_call_id', 'in', calls('session_id'))]),
      ]),
    );
}

export const personalAttendance: readonly PersonalTable[] = [
  {
    table: 'attendance',
    becomes: 'emptied',
    rows: attended,
    async erase(db, { id, now }) {
      const waiting = await forUpdate(db)(
        db
          .selectFrom('attendance')
          .select(['class_id', 'period_id', 'op_status'])
          .where('student_id', '=', id)
          .where('op_status', '=', 1)
          .orderBy('id'),
      ).execute();
      for (const { class_id, period_id, op_status } of waiting) {
        const cell = { uid: id, class_id, course_periods_id: period_id };
        await writeAttendance(db, null, cell, { action: 'cancelLeave', status: op_status, now });
      }
      await db
        .updateTable('attendance')
        .set({ leave_cause: '' })
        .where('student_id', '=', id)
        .where('leave_cause', '!=', '')
        .execute();
      return [];
    },
  },
  {
    table: 'study_record',
    becomes: 'kept',
    rows: (db, { id }) => db.selectFrom('study_record').where('student_id', '=', id),
  },
  {
    table: 'leave_batch_record',
    becomes: 'kept',
    rows: (db, who) =>
      db.selectFrom('leave_batch_record').where('attendance_id', 'in', attended(db, who).select('attendance.id')),
    isOthers: 1,
  },
  {
    // Data for undoing a roll call. It repeats the causes of leave.
    table: 'roll_call_mark',
    becomes: 'deleted',
    rows: marks,
    isOthers: 1,
    async erase(db, who) {
      for (const { roll_call_id, record_id } of await marks(db, who).select(['roll_call_id', 'record_id']).execute()) {
        await db
          .deleteFrom('roll_call_mark')
          .where('roll_call_id', '=', roll_call_id)
          .where('record_id', '=', record_id)
          .execute();
      }
      return [];
    },
  },
];

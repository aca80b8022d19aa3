import { type RecordHistory, studentRecordTitle } from '#server/school/history-record.ts';
import { opStatusNames } from './rules.ts';

export const attendanceHistory = {
  attendance: {
    actions: ['request', 'approve', 'reject', 'cancelLeave', 'attend', 'cancelAttendance', 'undo', 'enter'],
    said: { approve: '同意请假', reject: '拒绝请假' },
    fields: { op_status: ['考勤', opStatusNames], leave_cause: '请假原因' },
    titled: async (db, ids) =>
      (
        await db
          .selectFrom('attendance')
          .innerJoin('student', 'student.id', 'attendance.student_id')
          .innerJoin('period', 'period.id', 'attendance.period_id')
          .select(['attendance.id', 'attendance.student_id', 'student.nickname', 'student.school_id'])
          .select('period.title as name')
          .where('attendance.id', 'in', ids)
          .execute()
      ).map(studentRecordTitle),
  },
} as const satisfies Record<string, RecordHistory>;

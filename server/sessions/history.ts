import { dayOf } from '#server/school/calendar.ts';
import { type RecordHistory, studentRecordTitle } from '#server/school/history-record.ts';
import { attendanceNames, sessionStatusNames } from './rules.ts';

const teachingModes = { 1: '直播', 2: '线下' };

const handoutWords = { 1: '审核通过', 3: '待审核', 4: '已驳回' };

export const sessionsHistory = {
  class_session: {
    actions: [
      'add',
      'edit',
      'cancel',
      'restore',
      'delete',
      'leave',
      'handout',
      'handout-approve',
      'handout-reject',
      'handout-undo',
      'communicate',
      'add-ware',
      'remove-ware',
    ],
    said: { restore: '恢复' },
    fields: {
      student_id: ['学员', 'student'],
      ware_name: '课件',
      class_id: ['班级', 'class'],
      course_id: ['课程', 'course'],
      period_id: ['课时', 'period'],
      lecturer_id: ['讲师', 'staff'],
      room_id: ['教室', 'room'],
      teaching_mode: ['授课方式', teachingModes],
      chapter_title: '课题',
      start_time: ['开始时间', 'moment'],
      end_time: ['结束时间', 'moment'],
      day: '日期',
      start: '开始时间',
      end: '结束时间',
      cancelled_at: ['取消时间', 'moment'],
      cancel_reason: '取消原因',
      // Status of a lesson, or of a handout.
      status: ['状态', sessionStatusNames],
      handout_status: ['讲义状态', handoutWords],
      file_id: ['讲义文件', 'hidden'],
      file_name: '讲义',
      file_remark: '驳回原因',
    },
    titled: async (db, ids, zone) =>
      (
        await db
          .selectFrom('class_session')
          .innerJoin('class', 'class.id', 'class_session.class_id')
          .select(['class_session.id', 'class.name', 'class.school_id', 'class_session.start_time'])
          .where('class_session.id', 'in', ids)
          .execute()
      ).map(({ id, name, school_id, start_time }) => ({ id, title: `${name} ${dayOf(start_time, zone)}`, school_id })),
  },
  session_student: {
    actions: ['attendance', 'enter', 'evaluate', 'undo'],
    fields: { status: ['考勤', attendanceNames], remark: '备注' },
    titled: async (db, ids) =>
      (
        await db
          .selectFrom('session_student')
          .innerJoin('student', 'student.id', 'session_student.student_id')
          .innerJoin('class_session', 'class_session.id', 'session_student.session_id')
          .innerJoin('class', 'class.id', 'class_session.class_id')
          .select(['session_student.id', 'session_student.student_id', 'student.nickname', 'student.school_id'])
          .select('class.name')
          .where('session_student.id', 'in', ids)
          .execute()
      ).map(studentRecordTitle),
  },
} as const satisfies Record<string, RecordHistory>;

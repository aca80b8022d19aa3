import { signTypeNames } from '#server/group-classes/rules.ts';
import { passwordStateNames } from '#server/learners/rules.ts';
import { type RecordHistory, studentRecordTitle, titlesFromColumn } from '#server/school/history-record.ts';

export const studentsHistory = {
  student: {
    actions: ['add', 'edit', 'disable', 'enable', 'delete', 'viewed', 'export', 'erase', 'password'],
    fields: {
      nickname: '姓名',
      mobile: '手机号',
      guardian_mobile: '家长手机号',
      number: '学号',
      school_id: ['学校', 'school'],
      is_disabled: ['已停用', 'flag'],
      class_ids: ['班级', 'class'],
      part: '查看的内容',
      login_password: ['登录密码', passwordStateNames],
    },
    titled: titlesFromColumn('student', 'nickname', 'school_id'),
  },
  class_student: {
    said: { join: '加入班级', return: '回班', leave: '离班', contract: '修改合同' },
    actions: ['join', 'return', 'leave', 'edit', 'contract', 'undo'],
    fields: {
      contracts_number: '合同编号',
      sign_type: ['计费方式', signTypeNames],
      remaining_lessons: '剩余课次',
      periods_price: '课次单价（元）',
      lesson_minutes: '课次时长（分钟）',
      class_id: ['班级', 'class'],
      student_id: ['学员', 'student'],
      joined_at: ['加入时间', 'moment'],
      left_at: ['离开时间', 'moment'],
      left_reason: '离开原因',
    },
    titled: async (db, ids) =>
      (
        await db
          .selectFrom('class_student')
          .innerJoin('student', 'student.id', 'class_student.student_id')
          .innerJoin('class', 'class.id', 'class_student.class_id')
          .select([
            'class_student.id',
            'class_student.student_id',
            'student.nickname',
            'student.school_id',
            'class.name',
          ])
          .where('class_student.id', 'in', ids)
          .execute()
      ).map(studentRecordTitle),
  },
} as const satisfies Record<string, RecordHistory>;

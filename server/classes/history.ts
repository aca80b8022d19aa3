import { signTypeNames } from '#server/group-classes/rules.ts';
import { type RecordHistory, titlesFromColumn } from '#server/school/history-record.ts';
import { classTypeNames } from './rules.ts';

const teachingModes = { 1: '直播', 2: '线下' };

export const classesHistory = {
  class: {
    actions: ['add', 'edit', 'staff', 'courses', 'end', 'reopen', 'remove'],
    said: { staff: '修改班主任与助教', remove: '删除' },
    fields: {
      class_type: ['类型', classTypeNames],
      name: '名称',
      school_id: ['学校', 'school'],
      grade_id: ['年级', 'grade'],
      classify_id: ['分类', 'classify'],
      large_class_id: ['大班', 'large_class'],
      large_class_name: '大班',
      term_ids: ['学期', 'term'],
      valid_type: ['有效期', { 1: '长期', 2: '到指定日期' }],
      valid_day: '有效期至',
      valid_time: ['有效期至', 'moment'],
      is_circle_hidden: ['隐藏班级圈子', 'flag'],
      head_ids: ['班主任', 'staff'],
      assistant_ids: ['助教', 'staff'],
      course_ids: ['课程', 'course'],
      lecturer_id: ['讲师', 'staff'],
      subject_id: ['科目', 'subject'],
      room_id: ['教室', 'room'],
      teaching_mode: ['授课方式', teachingModes],
      sign_type: ['计费方式', signTypeNames],
      schedule: '上课时间',
      remarks: '备注',
      start_day: '开班日期',
      ended_at: ['结束时间', 'moment'],
    },
    titled: titlesFromColumn('class', 'name', 'school_id'),
  },
  class_group: {
    actions: ['add', 'edit', 'remove', 'join', 'leave'],
    said: { join: '加入分组', leave: '移出分组' },
    fields: {
      class_id: ['班级', 'class'],
      course_id: ['课程', 'course'],
      group_name: '名称',
      staff_ids: ['助教', 'staff'],
      student_ids: ['学员', 'student'],
      group_id: ['分组', 'class_group'],
    },
    titled: async (db, ids) =>
      (
        await db
          .selectFrom('class_group')
          .innerJoin('class', 'class.id', 'class_group.class_id')
          .select([
            'class_group.id',
            'class_group.group_name',
            'class_group.class_id',
            'class.name as class_name',
            'class.school_id',
          ])
          .where('class_group.id', 'in', ids)
          .execute()
      ).map(({ id, group_name, class_id, class_name, school_id }) => ({
        id,
        title: `${class_name}《${group_name}》`,
        school_id,
        leads: { record: 'class', id: class_id },
      })),
  },
  large_class: {
    actions: ['add', 'edit', 'remove', 'schedule'],
    fields: {
      name: '名称',
      school_id: ['学校', 'school'],
      class_ids: ['班级', 'class'],
      schedule_image: ['课表', 'picture'],
    },
    titled: titlesFromColumn('large_class', 'name', 'school_id'),
  },
} as const satisfies Record<string, RecordHistory>;

import { type RecordHistory, titlesFromColumn } from '#server/school/history-record.ts';
import { termTypeNames } from './rules.ts';

const shelved = ['add', 'edit', 'move', 'put-away', 'restore', 'merge', 'delete'] as const;

const shelf = {
  name: '名称',
  sort: '位置',
  after_id: ['位置', 'hidden'],
  parent_id: ['上级', 'hidden'],
  school_id: ['学校', 'school'],
  is_put_away: ['已归档', 'flag'],
  seats: '座位',
  records: '相关记录',
  merged: '并入的',
  merged_into: '合并到',
} as const;

export const catalogueHistory = {
  school: {
    actions: shelved,
    fields: { ...shelf, org_name: '名称' },
    titled: titlesFromColumn('school', 'org_name', 'id'),
  },
  grade: { actions: shelved, fields: shelf, titled: titlesFromColumn('grade', 'name') },
  classify: { actions: shelved, fields: shelf, titled: titlesFromColumn('classify', 'name') },
  subject: { actions: shelved, fields: shelf, titled: titlesFromColumn('subject', 'name') },
  term: {
    actions: shelved,
    fields: {
      ...shelf,
      type: ['类别', termTypeNames],
      first_day: '开始日期',
      last_day: '结束日期',
      parent_id: ['上级', 'term'],
      is_put_away: ['已停用', 'flag'],
    },
    titled: titlesFromColumn('term', 'name'),
  },
  room: { actions: shelved, fields: shelf, titled: titlesFromColumn('room', 'name', 'school_id') },
  ware_classify: { actions: shelved, fields: shelf, titled: titlesFromColumn('ware_classify', 'name') },
  exam_category: { actions: shelved, fields: shelf, titled: titlesFromColumn('exam_category', 'name') },
} as const satisfies Record<string, RecordHistory>;

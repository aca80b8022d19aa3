import { type RecordHistory, titlesFromColumn } from '#server/school/history-record.ts';

export const coursewareHistory = {
  class_ware: {
    actions: ['add', 'edit', 'remove'],
    fields: {
      class_id: ['班级', 'class'],
      file_id: ['文件', 'hidden'],
      ware_name: '课件名称',
      ware_desc: '说明',
      ware_type: ['类型', 'hidden'],
      classify_id: ['分类', 'hidden'],
    },
    titled: (db, ids) =>
      db
        .selectFrom('class_ware')
        .innerJoin('class', 'class.id', 'class_ware.class_id')
        .select(['class_ware.id', 'class_ware.ware_name as title', 'class.school_id'])
        .where('class_ware.id', 'in', ids)
        .execute(),
  },
  courseware: {
    actions: ['add', 'edit', 'delete'],
    fields: {
      file_id: ['文件', 'hidden'],
      ware_name: '课件名称',
      ware_desc: '说明',
      classify_id: ['分类', 'hidden'],
    },
    titled: titlesFromColumn('courseware', 'ware_name', 'school_id'),
  },
} as const satisfies Record<string, RecordHistory>;

import type { RecordHistory } from '#server/school/history-record.ts';

export const noticesHistory = {
  class_notice: {
    actions: ['publish', 'edit', 'delete'],
    fields: { class_id: ['班级', 'class'], title: '标题', content: ['内容', 'rich'] },
    titled: (db, ids) =>
      db
        .selectFrom('class_notice')
        .innerJoin('class', 'class.id', 'class_notice.class_id')
        .select(['class_notice.id', 'class_notice.title', 'class.school_id'])
        .where('class_notice.id', 'in', ids)
        .execute(),
  },
} as const satisfies Record<string, RecordHistory>;

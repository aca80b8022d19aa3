import type { RecordHistory } from '#server/school/history-record.ts';

export const meetingsHistory = {
  class_meeting: {
    actions: ['add', 'edit', 'delete'],
    fields: {
      class_id: ['班级', 'class'],
      meeting_name: '名称',
      start_time: ['开始时间', 'moment'],
      end_time: ['结束时间', 'moment'],
    },
    titled: (db, ids) =>
      db
        .selectFrom('class_meeting')
        .innerJoin('class', 'class.id', 'class_meeting.class_id')
        .select(['class_meeting.id', 'class_meeting.meeting_name as title', 'class.school_id'])
        .where('class_meeting.id', 'in', ids)
        .execute(),
  },
} as const satisfies Record<string, RecordHistory>;

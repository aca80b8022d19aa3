import type { RecordHistory } from '#server/school/history-record.ts';

export const onerosterHistory = {
  roster_client: {
    actions: ['add', 'end'],
    said: { end: '停用' },
    fields: {
      name: '名称',
      every_school: ['全部学校', 'flag'],
      school_ids: ['学校', 'school'],
      reads: '可读取的内容',
      is_ended: ['已停用', 'flag'],
    },
  },
} as const satisfies Record<string, RecordHistory>;

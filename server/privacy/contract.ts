/** Data subject requests: export or erase all data of one student. */
import * as v from 'valibot';
import { TypedText } from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';

/** Exports all data of a student. Adds two rows to the history: one for the export, one for viewing the student. */
export const exportStudent = adminCall({
  method: 'GET',
  path: 'students/:id/export',
  title: '导出学员数据',
  description: 'zip：学员数据.json 与学员上传的文件。',
  needs: 'people',
  answer: v.null(),
  file: true,
});

/**
 * Preview of an erasure. `fault`: why it is impossible now, `leaving`: effects on the student's classes; both are '' if
 * there are none. `confirmation`: text that the user must type.
 */
export const ErasurePreview = v.object({
  nickname: v.string(),
  confirmation: v.string(),
  fault: v.string(),
  leaving: v.string(),
  counts: v.array(
    v.object({
      table: v.string(),
      name: v.string(),
      becomes: v.picklist(['kept', 'emptied', 'deleted']),
      count: v.number(),
    }),
  ),
});
export type ErasurePreview = v.InferOutput<typeof ErasurePreview>;

export const showErasurePreview = adminCall({
  method: 'GET',
  path: 'students/:id/erasure',
  looks: true,
  title: '预览注销学员',
  needs: 'people',
  answer: ErasurePreview,
});

export const eraseStudent = adminCall({
  method: 'POST',
  path: 'students/:id/erase',
  title: '注销学员个人信息',
  description: 'confirmation 为学员的学号，没有学号时为编号。不能恢复。',
  needs: 'people',
  body: v.object({ confirmation: TypedText }),
  answer: v.null(),
  message: '注销成功',
});

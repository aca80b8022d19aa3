/** Background jobs as administrators see them. */
import { expect } from 'vitest';
import { noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

it('a failed job is explained in words, while details stay in the log', async ({ school, admin }) => {
  const { db } = school.database;
  await db
    .insertInto('background_job')
    .values({
      kind: 'keeping',
      due_at: noon + 60,
      started_at: noon,
      done_at: null,
      tries: 4,
      last_error: "ENOENT: no such file or directory, scandir '/uploads'",
    })
    .execute();
  await db
    .insertInto('sms_outbox')
    .values({
      message_id: 'one',
      mobile: '13800000001',
      content: '明天上课',
      created_at: noon,
      next_try_at: noon + 60,
      tries: 3,
      last_error: 'fetch failed',
    })
    .execute();
  const page = await admin.get('/admin/jobs');
  expect(page.text).toContain('已失败4次：出现意外错误，详情见服务器日志');
  expect(page.text).toContain('已失败3次：对方没有应答');
  expect(page.html).not.toMatch(/ENOENT|fetch failed/);
});

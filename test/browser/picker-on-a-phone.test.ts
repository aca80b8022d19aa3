/** The question picker on a phone: the tag in place of a checkbox covers nothing. */
import { expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { openTestSchool } from '../support/school.ts';
import { serveSchool } from '../support/school-server.ts';

it('the question picker shows 已添加 beside the stem on a phone, not over it', async ({ browser }) => {
  const school = await openTestSchool('SQLite');
  const server = await serveSchool(school);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const admin = school.as('admin');
    const written = { ques_type: 5, ques_stem: '简述光合作用的意义和过程', right_answer: '略', facility_value: 3 };
    await school.as('teacher').post('ques/add', written);
    await school.database.db.updateTable('question').set({ is_public: 1 }).execute();
    const { id: question } = await school.database.db.selectFrom('question').select('id').executeTakeFirstOrThrow();
    const fields = { introduce: '', pass_score: '3', limit_minutes: '60', attempts: '2', start_at: null, end_at: null };
    const { school_id } = await school.database.db.selectFrom('staff').select('school_id').executeTakeFirstOrThrow();
    const exam = (await admin.post('exams', { ...fields, name: '期中', school_ids: [school_id] })).body.data.id;
    const section = (await admin.post(`exams/${exam}/sections`, { name: '一', introduce: '' })).body.data.id;
    await admin.post(`exams/${exam}/questions`, { ids: [question], section_id: section });
    await server.signIn(context, 'admin');
    const page = await context.newPage();
    await page.goto(`${server.base}/admin/exams/paper/questions?id=${exam}&section=${section}`);
    const tag = page.getByText('已添加', { exact: true });
    await tag.waitFor({ timeout: 5_000 });
    const stem = page.locator('dialog td', { hasText: '简述光合作用' }).first();
    const [one, other] = [await tag.boundingBox(), await stem.boundingBox()];
    if (!one || !other) throw new Error('nothing is shown');
    const isApart =
      one.x + one.width <= other.x ||
      other.x + other.width <= one.x ||
      one.y + one.height <= other.y ||
      other.y + other.height <= one.y;
    expect(isApart).toBe(true);
  } finally {
    await context.close();
    await server.close();
    await school.close();
  }
});

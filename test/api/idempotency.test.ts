import { expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';

onBothEngines('idempotency key', (school) => {
  const send = (body: object, key: string, more: Record<string, string> = {}) =>
    school().ask('/api/lector/ques/add', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${school().people.teacher.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
        ...more,
      },
      body: JSON.stringify(body),
    });
  const question = (text: string) => ({
    ques_type: 5,
    ques_stem: text,
    right_answer: '把光能变为化学能',
    facility_value: 3,
  });
  const questions = async () => (await school().database.db.selectFrom('question').select('id').execute()).length;

  it('replays the first answer for a repeated request', async () => {
    const before = await questions();
    const first = await send(question('<p>一</p>'), 'again');
    expect(first.status).toBe(200);
    const second = await send(question('<p>一</p>'), 'again');
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(await questions()).toBe(before + 1);
  });

  it('refuses changed content under the same key, and accepts it under a new one', async () => {
    const before = await questions();
    expect((await send(question('<p>二</p>'), 'changed')).status).toBe(200);
    const changed = await send(question('<p>二，改过</p>'), 'changed');
    expect([changed.status, changed.body.msg]).toEqual([409, '内容已变化，请重新提交']);
    expect(await questions()).toBe(before + 1);
    expect((await send(question('<p>二，改过</p>'), 'another')).status).toBe(200);
    expect(await questions()).toBe(before + 2);
  });

  it('treats requests as equal if the sender says so, though the body differs', async () => {
    const before = await questions();
    const content = { 'idempotency-content': 'the same picture' };
    expect((await send(question('<p>图1</p>'), 'picture', content)).status).toBe(200);
    expect((await send(question('<p>图2</p>'), 'picture', content)).status).toBe(200);
    expect(await questions()).toBe(before + 1);
  });
});

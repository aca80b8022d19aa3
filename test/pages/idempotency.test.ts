import { expect } from 'vitest';
import { formOf, signInAs } from '../support/app.ts';
import { day, noon } from '../support/school.ts';
import { it } from '../support/school-fixtures.ts';

it('a form changed after a lost answer returns with its text, and is accepted when sent again', async ({
  school,
  app,
}) => {
  const visitor = await signInAs(school, app, 'teacher');
  const hw = await school.addHomework({ creator: 'teacher', classes: [school.classes.k1], ending: noon + day });
  const address = `/homework/${hw}/deadline?tab=main`;
  const lost = await visitor.post(address, { ending_time: '2097-01-02T03:04', idempotency_key: 'one' });
  expect(lost.status).toBe(302);
  const again = await visitor.post(address, { ending_time: '2097-01-02T03:04', idempotency_key: 'one' });
  expect(again.status).toBe(302);

  const changed = await visitor.post(address, { ending_time: '2098-05-06T07:08', idempotency_key: 'one' });
  expect([changed.status, changed.document.querySelector('dialog [role=alert]')?.textContent]).toEqual([
    409,
    '内容已变化，请重新提交',
  ]);
  const form = formOf(changed, '确定');
  const fields = Object.fromEntries(form.fields);
  expect(fields.ending_time).toBe('2098-05-06T07:08');
  expect(fields.idempotency_key).not.toBe('one');
  const taken = await visitor.follow(await visitor.post(address, form.fields));
  expect(taken.text).toContain('2098-05-06 07:08');
});

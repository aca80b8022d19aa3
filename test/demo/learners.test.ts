/** What the learners' page has in a demo school that it has nowhere else: a token of its own, and whom to sign in as. */
import { expect, it } from 'vitest';
import { applicationOfDemo, learnersOfDemo } from '#server/demo/accounts.ts';
import { applicationOf, revokeServiceToken } from '#server/platform/auth/service-token.ts';
import { openDemoSchool } from '../support/demo-school.ts';
import { openTestSchool } from '../support/school.ts';

it('is a token that stays the same until it is ended, and students who have something to do', async () => {
  const demo = await openDemoSchool('SQLite');
  const { db } = demo.database;
  const asked = { secret: 'a-secret-of-the-tests-of-32-signs', now: demo.now };
  const token = await applicationOfDemo(db, asked);
  expect(await applicationOfDemo(db, asked)).toBe(token);
  expect(await applicationOfDemo(db, { ...asked, secret: `another-${asked.secret}` })).not.toBe(token);
  const application = await applicationOf(db, `Bearer ${token}`, demo.now);
  expect(application?.name).toBe('学员端（演示）');
  const learners = await learnersOfDemo(db);
  expect(learners.length).toBeGreaterThan(0);
  for (const { number } of learners) expect(number).toMatch(/^1\d{10}$/);
  await revokeServiceToken(db, application?.id ?? 0, demo.now);
  expect(await applicationOfDemo(db, asked)).toBeUndefined();
  await demo.close();
});

it('is nothing in a school that works', async () => {
  const school = await openTestSchool('SQLite');
  const { db } = school.database;
  expect(await applicationOfDemo(db, { secret: 'a-secret-of-the-tests-of-32-signs', now: 0 })).toBeUndefined();
  expect(await learnersOfDemo(db)).toEqual([]);
  await school.close();
});

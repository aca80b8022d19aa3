/** Demo students that the sign-in page of the learners offers. */
import { expect, it } from 'vitest';
import { learnersOfDemo } from '#server/demo/accounts.ts';
import { schoolSettings } from '#server/school/settings.ts';
import { openDemoSchool } from '../support/demo-school.ts';
import { openTestSchool } from '../support/school.ts';

it("demo school has the learners' page on, and students with work", async () => {
  const demo = await openDemoSchool('SQLite');
  const { db } = demo.database;
  expect((await schoolSettings(db, demo.now)).learn_page).toBe(true);
  const learners = await learnersOfDemo(db);
  expect(learners.length).toBeGreaterThan(0);
  for (const { number } of learners) expect(number).toMatch(/^1\d{10}$/);
  await demo.close();
});

it('demo school names no real school', async () => {
  const school = await openTestSchool('SQLite');
  expect(await learnersOfDemo(school.database.db)).toEqual([]);
  await school.close();
});

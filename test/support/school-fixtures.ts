/** Vitest fixtures for tests of the screens without client JS. */
import { test } from 'vitest';
import { openApp, signInAs, type Visitor } from './app.ts';
import { openTestSchool, type TestSchool } from './school.ts';

interface Fixtures {
  /** The test school on SQLite (one per file), the product that serves it, and a signed-in visitor per person. */
  $file: { school: TestSchool; app: Awaited<ReturnType<typeof openApp>> } & Record<keyof TestSchool['people'], Visitor>;
}

export const it = test.extend<Fixtures>({
  school: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which other fixtures are asked for.
    async ({}, use) => {
      const school = await openTestSchool('SQLite');
      await use(school);
      await school.close();
    },
    { scope: 'file' },
  ],
  app: [async ({ school }, use) => use(await openApp(school)), { scope: 'file' }],
  teacher: [async ({ school, app }, use) => use(await signInAs(school, app, 'teacher')), { scope: 'file' }],
  otherTeacher: [async ({ school, app }, use) => use(await signInAs(school, app, 'otherTeacher')), { scope: 'file' }],
  plainTeacher: [async ({ school, app }, use) => use(await signInAs(school, app, 'plainTeacher')), { scope: 'file' }],
  assist: [async ({ school, app }, use) => use(await signInAs(school, app, 'assist')), { scope: 'file' }],
  admin: [async ({ school, app }, use) => use(await signInAs(school, app, 'admin')), { scope: 'file' }],
  otherAssist: [async ({ school, app }, use) => use(await signInAs(school, app, 'otherAssist')), { scope: 'file' }],
});

/** @module-tag thorough */
/** Tests that the setup address of an empty school stops working once a first person exists, however created. */

import { afterEach, expect, it } from 'vitest';
import { readStaffCommand } from '#server/account/staff-arguments.ts';
import { runStaffCommand } from '#server/account/staff-command.ts';
import { fillDemoSchool } from '#server/demo/school.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { migrate } from '#server/schema/migrate.ts';
import { setupCode } from '#server/school/setup-address.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon, type TestSchool } from '../support/school.ts';
import { createDatabase } from '../support/test-database.ts';

const fields = {
  school_name: '外人学校',
  timezone: 'America/New_York',
  username: 'stranger',
  real_name: '外人',
  password: 'Stranger2026',
  password_confirmation: 'Stranger2026',
};

onBothEngines('setup address', (opened, engine) => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** An empty school, and its code. */
  async function empty(): Promise<{ school: TestSchool; database: OpenDatabase; code: string }> {
    const school = opened();
    const { database: before } = school.services;
    const made = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    const database = openDatabase(made?.url ?? ':memory:');
    await migrate(database);
    school.replace({ database });
    ends.push(async () => {
      school.replace({ database: before });
      await database.destroy();
      await made?.drop();
    });
    return { school, database, code: (await setupCode(database.db, noon)) as string };
  }
  const askSetup = async (school: TestSchool, code: string) => {
    const path = `/api/setup/${code}`;
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) };
    return [(await school.ask(path)).status, (await school.ask(path, init)).status];
  };
  const settingsOf = ({ db }: OpenDatabase) => db.selectFrom('setting').selectAll().orderBy('name').execute();
  const people = async ({ db }: OpenDatabase) =>
    (await db.selectFrom('staff').select('username').execute()).map(({ username }) => username);

  it('is mentioned on the sign-in page until somebody can sign in', async () => {
    const { school, database } = await empty();
    const awaits = async () => (await school.ask('/api/school/face')).body.data.awaits_setup;
    expect(await awaits()).toBe(1);
    const command = readStaffCommand(['add', 'admin', 'boss', '校长', '--school', '一中', '--password', 'Secret2026']);
    if (!('name' in command) || command.name === 'help') throw new Error('not understood');
    await runStaffCommand(database.db, command, { now: noon, readLine: async () => '' });
    expect(await awaits()).toBe(0);
  });

  it('ends after the staff command adds a person', async () => {
    const { school, database, code } = await empty();
    const command = readStaffCommand(['add', 'admin', 'boss', '校长', '--school', '一中', '--password', 'Secret2026']);
    if (!('name' in command) || command.name === 'help') throw new Error('not understood');
    await runStaffCommand(database.db, command, { now: noon, readLine: async () => '' });
    const before = await settingsOf(database);
    expect(await askSetup(school, code)).toEqual([404, 404]);
    expect(await people(database)).toEqual(['boss']);
    expect(await settingsOf(database)).toEqual(before);
  });

  it('ends after the demo school is filled', async () => {
    const { school, database, code } = await empty();
    await fillDemoSchool(database, { size: 'small', now: noon });
    expect(await askSetup(school, code)).toEqual([404, 404]);
    expect(await people(database)).not.toContain('stranger');
  });

  it('works for one of two simultaneous users, and then for nobody', async () => {
    const { school, database, code } = await empty();
    const post = () =>
      school.ask(`/api/setup/${code}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      });
    const statuses = (await Promise.all([post(), post()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 404]);
    expect(await people(database)).toEqual(['stranger']);
    expect((await post()).status).toBe(404);
  });
});

/** @module-tag thorough */
/** A second machine with its own storage refuses to start. */
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { wallClock } from '#server/school/calendar.ts';
import { registerProcess } from '#server/system/processes.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import { openTestSchool } from '../support/school.ts';
import { createDatabase } from '../support/test-database.ts';

it('a second machine with other files exits with a message; one with the same files serves', async ({ skip }) => {
  const database = await createDatabase();
  skip(!database, 'no PostgreSQL on this machine');
  if (!database) return;
  const school = await openTestSchool('PostgreSQL', database.url, wallClock());
  const { services } = school;
  const other = await registerProcess({ ...services, now: wallClock }, { host: 'machine-a', every: 1 });
  other.start();
  let shared: RunningServer | undefined;
  try {
    const environment = { DATABASE_URL: database.url, DEMO: '0', SESSION_SECRET: 'a-secret-of-the-tests-of-32-signs' };
    await expect(startServer(environment)).rejects.toThrow(
      /ended with 78: [\s\S]*by machine-a as well[\s\S]*Set S3_BUCKET, or a VAR_DIR that all machines share/,
    );
    // The refused process leaves no entry that would block others.
    expect(await other.stranger()).toBeUndefined();
    const marks = () => school.database.db.selectFrom('serving_process').select('host').orderBy('host').execute();
    const refused = { host: hostname() };
    const { processes } = (await school.as('admin').get('system')).body.data;
    expect(processes).toContainEqual(expect.objectContaining({ ...refused, files: 'refused' }));
    await other.leave();
    expect(await marks()).toEqual([refused]);
    shared = await startServer({ ...environment, WEB_CONCURRENCY: '2' });
    await expect.poll(marks).toEqual([refused, refused]);
    expect(JSON.stringify((await school.as('admin').get('system')).body.data.processes)).not.toContain('"refused"');
  } finally {
    await other.leave();
    await shared?.stop();
    await school.close();
    await database.drop();
  }
});

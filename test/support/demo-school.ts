/**
 * Opens a small demo school. It is filled once per engine and test run, and then copied. It is never older than the
 * run, so its dates and tables are current.
 */
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { fillDemoSchool } from '#server/demo/school.ts';
import { withLock } from '#server/platform/commands/lock.mjs';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { createStorage, type Storage } from '#server/platform/files/storage.ts';
import { migrate } from '#server/schema/migrate.ts';
import { wallClock } from '#server/school/calendar.ts';
import type { EngineName } from './school.ts';
import { createDatabase } from './test-database.ts';

export interface DemoSchool {
  database: OpenDatabase;
  storage: Storage;
  /** Time at which the school was filled, in unix seconds. */
  now: number;
  close(): Promise<void>;
}

/** Opens a demo school of its own for a test file. */
export async function openDemoSchool(engine: EngineName): Promise<DemoSchool> {
  const folder = await mkdtemp(path.join(tmpdir(), 'demo-'));
  const filledAt = path.join(inject('templates'), engine);
  const postgres =
    engine === 'PostgreSQL'
      ? await createDatabase({ name: 'demo', fill: (url) => fillInto(filledAt, url) })
      : undefined;
  if (engine === 'PostgreSQL' && !postgres) throw new Error('there is no PostgreSQL to test on');
  if (engine === 'SQLite') await copyDemoFolder(folder);
  else await cp(filledAt, folder, { recursive: true });
  const database = openDatabase(postgres?.url ?? path.join(folder, 'school.db'));
  return {
    database,
    storage: await createStorage({ directory: path.join(folder, 'files') }),
    now: Number(await readFile(path.join(folder, 'filled-at'), 'utf8')),
    async close() {
      await database.destroy();
      await postgres?.drop();
      // Background work may still write to this folder after the database is closed.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Copies a demo school into an empty data folder, as a server on SQLite would have filled it. */
export async function copyDemoFolder(folder: string): Promise<void> {
  const filled = path.join(inject('templates'), 'SQLite');
  await withLock(
    `${filled}.lock`,
    () => fillInto(filled),
    () => undefined,
  );
  await cp(filled, folder, { recursive: true });
}

/** Fills the folder with a demo school unless that was done. `location` is a database outside the folder. */
async function fillInto(folder: string, location?: string): Promise<void> {
  const done = await readFile(path.join(folder, 'filled-at')).catch(() => undefined);
  if (done) return;
  const draft = `${folder}-draft`;
  await mkdir(draft, { recursive: true });
  const now = wallClock();
  const database = openDatabase(location ?? path.join(draft, 'school.db'));
  await migrate(database);
  const storage = await createStorage({ directory: path.join(draft, 'files') });
  await fillDemoSchool(database, { size: 'small', now, storage });
  await database.destroy();
  await writeFile(path.join(draft, 'filled-at'), String(now));
  await rename(draft, folder);
}

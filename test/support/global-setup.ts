import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { describeChromium } from './chromium.ts';
import { placeInMemory, removeLeftRuns, runFolderPrefix } from './place-for-files.ts';
import { findPostgres } from './postgres.ts';
import { dropDatabases } from './test-database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** PostgreSQL server for the tests. The names of this run's databases begin with `prefix`. */
    postgres: { url: string; prefix: string } | undefined;
    /** Folder of this test run for data that is filled once and then copied. */
    templates: string;
  }
}

/** Runs once before all tests. Finds the browser and the databases, and prints them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  console.log(`Browser: ${await describeChromium()}`);
  const memory = isMeasured(project) ? undefined : placeInMemory();
  if (memory) removeLeftRuns(memory);
  console.log(`Files: ${memory ? `in memory, ${memory}` : 'on the disk'}`);
  const folder = await mkdtemp(path.join(memory ?? tmpdir(), runFolderPrefix));
  // Processes that run as another user also store files in this folder.
  await chmod(folder, 0o711);
  process.env.TMPDIR = folder;
  const found = await findPostgres(memory);
  const server = 'missing' in found ? undefined : found;
  console.log(
    'missing' in found ? `PostgreSQL: none, its tests are skipped: ${found.missing}` : `PostgreSQL: ${found.about}`,
  );
  const prefix = `lectern_test_${randomUUID().slice(0, 8)}_`;
  project.provide('postgres', server && { url: server.url, prefix });
  const templates = path.join(folder, 'templates');
  await mkdir(templates);
  project.provide('templates', templates);
  // Shares compiled code between the processes and threads of this run, which saves half of the time of a start.
  process.env.NODE_COMPILE_CACHE = path.join(templates, 'compiled');
  return async () => {
    if (server) {
      await dropDatabases(server.url, prefix);
      await server.stop();
    }
    // The last process may still be writing its compile cache.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}

/** True for measurements: their results must include the cost of a real disk. */
const isMeasured = ({ vitest }: TestProject): boolean =>
  process.env.OPERATION !== undefined || vitest.projects.some(({ name }) => name === 'goals');

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
    /** The PostgreSQL to test on; prefix begins the name of every database that this run makes there. */
    postgres: { url: string; prefix: string } | undefined;
    /** A folder of this run for what test files make once and copy from then on. */
    templates: string;
  }
}

/** Runs once, before all tests: finds what the tests need and says what it found. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  console.log(`Browser: ${await describeChromium()}`);
  const memory = isMeasured(project) ? undefined : placeInMemory();
  if (memory) removeLeftRuns(memory);
  console.log(`Files: ${memory ? `in memory, ${memory}` : 'on the disk'}`);
  const folder = await mkdtemp(path.join(memory ?? tmpdir(), runFolderPrefix));
  // What is started as another user has files there too.
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
  // What a process or a thread of this run has compiled the next ones take over: it is half of what a start costs.
  process.env.NODE_COMPILE_CACHE = path.join(templates, 'compiled');
  return async () => {
    if (server) {
      await dropDatabases(server.url, prefix);
      await server.stop();
    }
    // The last process to end may still write what it has compiled.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}

/** A measure counts what a disk costs. */
const isMeasured = ({ vitest }: TestProject): boolean =>
  process.env.OPERATION !== undefined || vitest.projects.some(({ name }) => name === 'goals');

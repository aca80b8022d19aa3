import { afterAll, beforeAll, describe, inject } from 'vitest';
import { expectHistoryToHaveWords } from './history-words.ts';
import { type EngineName, engineNames, openTestSchool, type TestSchool } from './school.ts';
import { expectSchoolsOfRecords } from './schools-of-records.ts';

type TestsOfSchool = (school: () => TestSchool, engine: EngineName) => void;

/**
 * Declares the same tests for SQLite and PostgreSQL. PostgreSQL runs only in `npm run test:all`. If there is no
 * PostgreSQL server the tests are skipped, and the title says so.
 */
export function describeEngines(name: string, tests: (engine: EngineName) => void): void {
  describeOn('SQLite', name, tests);
  describeOn('PostgreSQL', name, tests, ['thorough']);
}

/** Same as `describeEngines`, with a test school per engine. */
export function onBothEngines(name: string, tests: TestsOfSchool): void {
  describeEngines(name, (engine) => withSchool(engine, tests));
}

/**
 * Same as `onBothEngines`, but PostgreSQL runs in `npm test` too. For tests of locks, engine-specific SQL and
 * partitions.
 */
export function onBothEnginesAlways(name: string, tests: TestsOfSchool): void {
  for (const engine of engineNames) describeOn(engine, name, () => withSchool(engine, tests));
}

function describeOn(engine: EngineName, name: string, tests: (engine: EngineName) => void, tags: string[] = []): void {
  if (engine === 'SQLite' || inject('postgres')) describe(`${name} on ${engine}`, { tags }, () => tests(engine));
  else describe.skip(`${name} on ${engine} (skipped: no PostgreSQL, see the top of the run)`, () => tests(engine));
}

function withSchool(engine: EngineName, tests: TestsOfSchool): void {
  let school: TestSchool | undefined;
  beforeAll(async () => {
    school = await openTestSchool(engine);
  });
  afterAll(async () => {
    if (school) {
      await expectHistoryToHaveWords(school.database.db);
      await expectSchoolsOfRecords(school.database.db);
    }
    await school?.close();
  });
  tests(() => {
    if (!school) throw new Error('asked for a school before it was opened');
    return school;
  }, engine);
}

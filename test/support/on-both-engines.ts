import { afterAll, beforeAll, describe, inject } from 'vitest';
import { expectHistoryToHaveWords } from './history-words.ts';
import { type EngineName, engineNames, openTestSchool, type TestSchool } from './school.ts';
import { expectSchoolsOfRecords } from './schools-of-records.ts';

type TestsOfSchool = (school: () => TestSchool, engine: EngineName) => void;

/**
 * Declares the same tests for SQLite and PostgreSQL, those on PostgreSQL for `npm run test:all` only. Without a PostgreSQL
 * they are skipped, and their names say so.
 */
export function describeEngines(name: string, tests: (engine: EngineName) => void): void {
  describeOn('SQLite', name, tests);
  describeOn('PostgreSQL', name, tests, ['thorough']);
}

/** Like `describeEngines`, with a school of its own for each engine. */
export function onBothEngines(name: string, tests: TestsOfSchool): void {
  describeEngines(name, (engine) => withSchool(engine, tests));
}

/** `npm test` runs these on PostgreSQL too: locks, SQL of one engine or partitions, where the engines differ. */
export function onBothEnginesAlways(name: string, tests: TestsOfSchool): void {
  for (const engine of engineNames) describeOn(engine, name, () => withSchool(engine, tests));
}

function describeOn(engine: EngineName, name: string, tests: (engine: EngineName) => void, tags: string[] = []): void {
  if (engine === 'SQLite' || inject('postgres')) describe(`${name} on ${engine}`, { tags }, () => tests(engine));
  else describe.skip(`${name} on ${engine}: none here, the top of the run says why`, () => tests(engine));
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

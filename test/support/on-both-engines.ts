import { afterAll, beforeAll, describe, inject } from 'vitest';
import { expectHistoryToHaveWords } from './history-words.ts';
import { type EngineName, engineNames, openTestSchool, type TestSchool } from './school.ts';
import { expectSchoolsOfRecords } from './schools-of-records.ts';

/** Declares the same tests for SQLite and PostgreSQL. Where there is no PostgreSQL, its own are skipped and say so. */
export function describeEngines(name: string, tests: (engine: EngineName) => void): void {
  for (const engine of engineNames) {
    if (engine === 'SQLite' || inject('postgres')) describe(`${name} on ${engine}`, () => tests(engine));
    else describe.skip(`${name} on ${engine}: none here, the top of the run says why`, () => tests(engine));
  }
}

/** The same with a school of its own for each. */
export function onBothEngines(name: string, tests: (school: () => TestSchool, engine: EngineName) => void): void {
  describeEngines(name, (engine) => {
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
  });
}

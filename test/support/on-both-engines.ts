import { afterAll, beforeAll, describe, it } from 'vitest';
import { type EngineName, engineNames, openTestSchool, type TestSchool } from './school.ts';

/** Runs the same tests over SQLite and PostgreSQL, each with a school of its own. */
export function onBothEngines(name: string, tests: (school: () => TestSchool, engine: EngineName) => void): void {
  describe.each(engineNames)(`${name} on %s`, (engine) => {
    let school: TestSchool | undefined;
    beforeAll(async () => {
      school = await openTestSchool(engine);
    });
    afterAll(async () => school?.close());
    it(`opens a school`, ({ skip }) => {
      skip(school === undefined, 'no PostgreSQL on this machine; see the top of the run');
    });
    tests(() => {
      if (!school) throw new Error('no school');
      return school;
    }, engine);
  });
}

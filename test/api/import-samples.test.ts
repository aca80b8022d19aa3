/** Sample packages with known verdicts, imported by the command into an empty and a filled school. */
import { describe, expect, it } from 'vitest';
import { readSchoolCommand, runSchoolCommand, type SchoolCommand } from '#server/import/command.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { migrate } from '#server/schema/migrate.ts';
import { openDemoSchool } from '../support/demo-school.ts';
import { samples } from '../support/roster-samples.ts';
import { noon } from '../support/school.ts';

const schools: [string, () => Promise<{ database: OpenDatabase; close: () => Promise<void> }>][] = [
  [
    'an empty school',
    async () => {
      const database = openDatabase(':memory:');
      await migrate(database);
      return { database, close: () => database.destroy() };
    },
  ],
  [
    'the demo school',
    async () => {
      const school = await openDemoSchool('SQLite');
      // An equal school year name would need confirmation.
      await school.database.db.updateTable('term').set({ name: '往年' }).where('name', '=', '2026学年').execute();
      return school;
    },
  ],
];

describe.skipIf(samples.length === 0).each(schools)('import into %s', (_, opened) => {
  it('gives each sample package its verdict, strict and lenient', async () => {
    const { database, close } = await opened();
    try {
      for (const { name, path, strictly, tolerantly, diagnostics } of samples) {
        const check = (...more: string[]) => {
          const command = readSchoolCommand(['check', path, '--source', name, '--json', ...more]);
          return runSchoolCommand(command as SchoolCommand, database, noon);
        };
        const strict = await check('--strict');
        expect([name, strict.verdict, strict.faults.length]).toEqual([name, strictly, diagnostics.length]);
        const tolerant = await check();
        expect([name, tolerant.verdict]).toEqual([name, tolerantly]);
        expect([name, tolerant.faults.length > 0]).toEqual([name, tolerantly === 'err']);
        if (strictly === 'ok') expect([name, tolerant.state, tolerant.held]).toEqual([name, 'checked', []]);
      }
    } finally {
      await close();
    }
  });
});

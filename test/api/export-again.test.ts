/**
 * Exports a school, imports the file into an empty database and exports that. Both exports must have the same bytes.
 */
import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readSchoolCommand, runSchoolCommand, type SchoolCommand } from '#server/import/command.ts';
import { writeOneRoster } from '#server/import/formats/oneroster-write.ts';
import { readUploadedFile } from '#server/import/formats/read.ts';
import { summariseReading } from '#server/import/formats/reading-summary.ts';
import { workbookSheets } from '#server/import/formats/workbook-write.ts';
import { storedSchool } from '#server/import/stored-records.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { writeSpreadsheet } from '#server/platform/export/spreadsheet.ts';
import { migrate } from '#server/schema/migrate.ts';
import { lines, uploads } from '../support/import-files.ts';
import { smallUpload, teamUpload } from '../support/imports.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { plannedUpload } from '../support/planned-upload.ts';
import { noon } from '../support/school.ts';
import { createDatabase } from '../support/test-database.ts';

const timezone = 'Asia/Shanghai';
const keep = uploads();

describeEngines('export of a school', (engine) => {
  const recordsOf = ({ db }: OpenDatabase) =>
    storedSchool({ db, actor: { id: 0, everySchool: true }, now: noon, timezone, schoolId: undefined }).records;
  const workbook = async (database: OpenDatabase) => {
    const records = recordsOf(database);
    return buffer(writeSpreadsheet({ sheets: workbookSheets(records, { timeZone: timezone }), timeZone: timezone }));
  };
  const emptied = async () => {
    const created = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    const database = openDatabase(created?.url ?? ':memory:');
    await migrate(database);
    return {
      database,
      close: async () => {
        await database.destroy();
        await created?.drop();
      },
    };
  };
  const importFile = async (database: OpenDatabase, name: string, bytes: string | Uint8Array) => {
    const { path } = keep(name, '');
    await writeFile(path, bytes);
    const command = readSchoolCommand(['apply', path]) as SchoolCommand;
    return runSchoolCommand(command, database, noon);
  };

  it('restores the school in an empty database', async () => {
    const one = await emptied();
    const other = await emptied();
    try {
      const records = [...smallUpload({ tag: 8, classes: 2, students: 4 }), ...teamUpload(), ...plannedUpload()];
      const upload = JSON.stringify({ mode: 'bulk', records });
      expect(await importFile(one.database, 'one.json', upload)).toMatchObject({ verdict: 'ok', state: 'applied' });
      const first = await workbook(one.database);
      const outcome = await importFile(other.database, 'other.xlsx', first);
      expect([outcome.faults, outcome.forgiven, outcome.verdict]).toEqual([[], [], 'ok']);
      expect(outcome.changes).toMatchObject({
        term: { new: 2 },
        group_class: { new: 2 },
        group: { new: 2 },
        group_member: { new: 1 },
        membership: { new: 13 },
        period: { new: 2 },
        lesson: { new: 2 },
      });
      const packed = await buffer(await writeOneRoster({ records: recordsOf(one.database), timeZone: timezone }));
      const reading = await readUploadedFile(keep('one.zip', packed), { strict: true });
      expect(summariseReading(reading)).toEqual({ verdict: 'ok', faults: [], forgiven: [] });
      expect(lines(reading).filter((line) => line.startsWith('term '))).toEqual([
        'term Y1: name=2026学年 type=schoolYear first_day=2026-09-01 last_day=2027-07-15 parent_id=null',
        'term Y1a: name=上学期 type=term first_day=2026-09-01 last_day=2027-01-20 parent_id=term:Y1',
      ]);
      expect(Buffer.compare(await workbook(other.database), first)).toBe(0);
      // Imported into its own school, the file changes nothing.
      expect((await importFile(one.database, 'same.xlsx', first)).faults).toEqual([]);
    } finally {
      await one.close();
      await other.close();
    }
  });
});

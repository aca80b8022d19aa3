/** No table with students in it is forgotten where somebody is given all that there is of them, or is erased. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { personalNames } from '#server/privacy/rules.ts';
import { personalTables } from '#server/privacy/tables.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { scannedBy } from '../support/query-plans.ts';

const listed = new Set<string>(personalTables.map(({ table }) => table));

/** Tables that lead to students and hold nothing of them. */
const others: Readonly<Record<string, string>> = {
  staff: 'the mobile is of somebody who works here',
  community_collect: 'which posts a member of the staff has marked for themselves',
  erased_history: 'that a row of history was emptied, which stays for ever',
};

/** Tables that are read whole for one student: a row for each of those who were erased. */
const few: Readonly<Record<string, true>> = { erased_history: true, erased_source: true };

/** Columns that name a student without a reference to them. */
const naming =
  /^(?:student_id|uid|mobile|guardian_mobile|report_id|attempt_id|attendance_id|class_student_id|answer_id)$/;

onBothEngines('the tables of students', (school, engine) => {
  it('are all listed', async () => {
    const { db } = school().database;
    const tables = await db.introspection.getTables();
    const leading = new Map<string, string>();
    for (const { name, columns } of tables) {
      // The parts of a table by years.
      if (/_(?:\d{4}|rest)$/.test(name)) continue;
      const column = columns.find((one) => naming.test(one.name));
      if (column) leading.set(name, column.name);
    }
    expect(leading.size).toBeGreaterThan(25);
    const forgotten = [...leading].filter(([table]) => !listed.has(table) && !(table in others));
    expect(forgotten).toEqual([]);
  });

  it('and so is what refers to a row of theirs', async () => {
    if (engine !== 'SQLite') return;
    const { db } = school().database;
    const { rows } = await sql<{ table: string; refers: string }>`
      select m.name as "table", f."table" as refers
      from sqlite_master as m, pragma_foreign_key_list(m.name) as f where m.type = 'table'`.execute(db);
    // Rows that are one student's own; a circle, a notice or an import is many people's.
    const shared = ['import', 'history', 'sms_outbox', 'export_file'];
    const forgotten = rows.filter(
      ({ table, refers }) => listed.has(refers) && !shared.includes(refers) && !listed.has(table) && !(table in others),
    );
    expect(forgotten).toEqual([]);
  });

  // Read when all that there is of them is given or erased, and by the database itself for each who is taken away again.
  it('find the rows of one student by an index', async () => {
    const { database } = school();
    const scanned = await database.db.connection().execute(async (db) => {
      // In tables as small as these it would read everything; without, it reads so what it cannot read otherwise.
      if (engine === 'PostgreSQL') await sql`set enable_seqscan = off`.execute(db);
      const tables = (await database.db.introspection.getTables()).filter(
        ({ name, columns }) =>
          !/_(?:\d{4}|rest)$/.test(name) && !(name in few) && columns.some((column) => column.name === 'student_id'),
      );
      expect(tables.length).toBeGreaterThan(15);
      const found: string[] = [];
      for (const { name } of tables) {
        const query = sql`select * from ${sql.table(name)} where student_id = ${1}`.compile(db);
        found.push(...(await scannedBy({ ...database, db }, query, new Set([name]))));
      }
      return found;
    });
    expect(scanned).toEqual([]);
  });

  it('have a name, and say what becomes of them', () => {
    expect(personalTables.filter(({ table }) => !personalNames[table])).toEqual([]);
    expect(personalTables.length).toBe(listed.size);
    const silent = personalTables.filter(({ becomes, erase }) => becomes !== 'kept' && !erase);
    expect(silent).toEqual([]);
  });
});

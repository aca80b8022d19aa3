/** Data export and erasure cover every table with student data. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { personalTableNames } from '#server/privacy/rules.ts';
import { personalTables } from '#server/privacy/tables.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { scannedBy } from '../support/query-plans.ts';

const listed = new Set<string>(personalTables.map(({ table }) => table));

/** Tables that reference students but hold no personal data. */
const others: Readonly<Record<string, string>> = {
  staff: 'the mobile is of somebody who works here',
  community_collect: 'which posts a member of the staff has marked for themselves',
  erased_history: 'that a row of history was emptied, which stays for ever',
};

/** Full scans for one student: one row per erased student. */
const few: Readonly<Record<string, true>> = { erased_history: true, erased_source: true };

/** Columns with a student's id but no foreign key. */
const naming =
  /^(?:student_id|uid|mobile|guardian_mobile|report_id|attempt_id|attendance_id|class_student_id|answer_id)$/;

onBothEngines('tables with student data', (school, engine) => {
  it('are all listed', async () => {
    const { db } = school().database;
    const tables = await db.introspection.getTables();
    const leading = new Map<string, string>();
    for (const { name, columns } of tables) {
      // Partitions by year.
      if (/_(?:\d{4}|rest)$/.test(name)) continue;
      const column = columns.find((one) => naming.test(one.name));
      if (column) leading.set(name, column.name);
    }
    expect(leading.size).toBeGreaterThan(25);
    const forgotten = [...leading].filter(([table]) => !listed.has(table) && !(table in others));
    expect(forgotten).toEqual([]);
  });

  it('include every table that references their rows', async () => {
    if (engine !== 'SQLite') return;
    const { db } = school().database;
    const { rows } = await sql<{ table: string; refers: string }>`
      select m.name as "table", f."table" as refers
      from sqlite_master as m, pragma_foreign_key_list(m.name) as f where m.type = 'table'`.execute(db);
    // Rows of one student alone; circles, notices and imports have many people.
    const shared = ['import', 'history', 'sms_outbox', 'export_file'];
    const forgotten = rows.filter(
      ({ table, refers }) => listed.has(refers) && !shared.includes(refers) && !listed.has(table) && !(table in others),
    );
    expect(forgotten).toEqual([]);
  });

  // Reading by index matters for export, for erasure, and for cascades.
  it("find a student's rows by index", async () => {
    const { database } = school();
    const scanned = await database.db.connection().execute(async (db) => {
      // On small tables the planner prefers full scans; disabled, it uses them only without an index.
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

  it('have a label and an erasure rule', () => {
    expect(personalTables.filter(({ table }) => !personalTableNames[table])).toEqual([]);
    expect(personalTables.length).toBe(listed.size);
    const silent = personalTables.filter(({ becomes, erase }) => becomes !== 'kept' && !erase);
    expect(silent).toEqual([]);
  });
});

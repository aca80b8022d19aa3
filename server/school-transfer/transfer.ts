/**
 * Moves one school with its files to another database, in one transaction of the target. Each row is read back and
 * compared. All ids stay, except the history's. Rows of other schools that the school's rows refer to are copied too,
 * with this school's id. Afterwards the school can be removed from the source.
 */

import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type Database, isUniqueViolation, type OpenDatabase } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { contentType } from '#server/platform/files/accept.ts';
import { extensionOf } from '#server/platform/files/rules.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { administratorsHere, administratorsOfAll, makeAdministrators } from './administrators.ts';
import { isOwn, schoolRowConditions, schoolRowsCondition, wholeTables } from './school-rows.ts';
import {
  type Ids,
  idsOf,
  keyOf,
  MoveError,
  nameOfSchool,
  pagesOf,
  type Row,
  rawCondition,
  rowsPerStatement,
  type Shapes,
  shiftHistoryIds,
  storageKeysIn,
  storedRows,
} from './stored-rows.ts';
import { parentsFirst, type Shape, shapesOf, type Table } from './table-shapes.ts';

export interface MovedTable {
  table: Table;
  /** Number of rows that belong to the school. */
  rows: number;
  /** Number of rows of others that are copied, because the school's rows refer to them. */
  along: number;
  /** Fingerprint of the rows that belong to the school; equal in source and target. */
  fingerprint: string;
}

export interface MoveResult {
  name: string;
  /** User names of the school's administrators in the target. */
  administrators: string[];
  /** Tables with copied rows. */
  tables: MovedTable[];
  files: number;
  /** Storage keys that rows name, but whose file is missing. */
  missing: string[];
}

/**
 * Copies the school. Throws a MoveError if there is no such school, if the target has it already, or if one of its ids
 * is in use in the target.
 */
export async function moveSchool(
  schoolId: number,
  { from, to, files }: { from: OpenDatabase; to: OpenDatabase; files?: { from: Storage; to: Storage } | undefined },
): Promise<MoveResult> {
  const reading = from.db.transaction();
  return (from.engine === 'postgres' ? reading.setIsolationLevel('repeatable read') : reading).execute((here) =>
    to.db.transaction().execute(async (there) => {
      const name = await nameOfSchool(here, schoolId);
      if (name === undefined) throw new MoveError(`There is no school ${schoolId} here.`);
      const known = await nameOfSchool(there, schoolId);
      if (known !== undefined)
        throw new MoveError(
          known === name
            ? `${name} is there already: nothing was done. To take it away here, give --remove.`
            : `The id ${schoolId} is that of ${known} there: nothing was done.`,
        );
      const shapes = await shapesOf(here);
      const administrators = await administratorsOfAll(here, schoolId);
      const ofAll = await administratorsOfAll(here);
      const along = await collectReferencedIds(here, shapes, schoolId, administrators);
      const copying: CopyContext = {
        here,
        there,
        shapes,
        schoolId,
        historyShift: await lastHistoryId(there),
        along,
        administrators: new Set(administrators),
        isAdministered: (await administratorsOfAll(there)).some((id) => !ofAll.includes(id)),
        isSameEngine: from.engine === to.engine,
      };
      const keys = new Set<string>();
      const tables: MovedTable[] = [];
      for (const table of parentsFirst(shapes)) {
        const copied = await copyTable(copying, table, keys);
        if (copied.rows + copied.along > 0) tables.push(copied);
      }
      await makeAdministrators(there, schoolId, ofAll);
      await raiseSequences(to.engine, copying);
      const missing = files ? await copyFiles(keys, files) : [];
      return {
        name,
        administrators: await administratorsHere(there, schoolId),
        tables,
        files: files ? keys.size - missing.length : 0,
        missing,
      };
    }),
  );
}

interface CopyContext {
  here: Database;
  there: Database;
  shapes: Shapes;
  schoolId: number;
  /** Number that is added to the ids of history rows. */
  historyShift: number;
  along: Ids;
  /** Ids of the source's administrators of all schools who belong to another school. */
  administrators: ReadonlySet<number>;
  /** True if the target has an administrator of all schools of its own. */
  isAdministered: boolean;
  isSameEngine: boolean;
}

/**
 * Returns the highest history id of the target. The moved history gets ids after it: each database has a history of its
 * own, and no record refers to history. All other ids stay.
 */
async function lastHistoryId(there: Database): Promise<number> {
  const last = await there
    .selectFrom('history')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .executeTakeFirstOrThrow();
  return last.id ?? 0;
}

/** Collects the ids of rows of others that the school's rows refer to, directly or indirectly. */
async function collectReferencedIds(
  db: Database,
  shapes: Shapes,
  schoolId: number,
  administrators: readonly number[],
): Promise<Ids> {
  const named: Ids = new Map();
  const open: [Table, number[]][] = [];
  const add = (table: Table, ids: readonly number[]) => {
    const all = named.get(table) ?? new Set();
    const fresh = ids.filter((id) => !all.has(id));
    for (const id of fresh) all.add(id);
    named.set(table, all);
    if (fresh.length > 0) open.push([table, fresh]);
  };
  const foreign = (table: Table, column: string, to: Table, condition: RawBuilder<boolean>) =>
    sql<{ id: number }>`select distinct ${sql.ref(column)} as id from ${sql.table(table)}
      where ${condition} and ${sql.ref(column)} is not null
        and ${sql.ref(column)} not in (select id from ${sql.table(to)} where ${rawCondition(schoolRowsCondition(to, schoolId))})`;
  const isTaken = (to: Table) => to !== 'school' && (isOwn(to) || schoolRowConditions[to] === 'named');
  for (const [table, { references }] of shapes) {
    if (!isOwn(table)) continue;
    for (const { column, to } of references) {
      if (!isTaken(to)) continue;
      add(to, await idsOf(db, foreign(table, column, to, rawCondition(schoolRowsCondition(table, schoolId)))));
    }
  }
  add('staff', administrators);
  for (let next = open.shift(); next; next = open.shift()) {
    const [table, ids] = next;
    const these = sql<boolean>`id in ${inIds(db, ids)}`;
    for (const { column, to } of shapes.get(table)?.references ?? [])
      if (isTaken(to)) add(to, await idsOf(db, foreign(table, column, to, these)));
    for (const [part, column] of wholeTables[table] ?? [])
      add(
        part,
        await idsOf(
          db,
          sql`select id from ${sql.table(part)} where ${sql.ref(column)} in ${inIds(db, ids)} and not ${rawCondition(schoolRowsCondition(part, schoolId))}`,
        ),
      );
  }
  return named;
}

/**
 * Changes a row of another school that is copied. Its staff cannot sign in, since their school is elsewhere.
 * Administrators of all schools can, so that somebody administers the moved school.
 */
function toForeignRow(row: Row, table: Table, { schoolId, administrators, isAdministered }: CopyContext): Row {
  const changed = { ...row };
  if ('school_id' in changed) changed.school_id = schoolId;
  if (table === 'student') changed.number = '';
  if (table === 'staff' && administrators.has(row.id as number)) {
    if (isAdministered) changed.every_school = 0;
  } else if (table === 'staff') {
    for (const column of Object.keys(changed)) if (/^can_|^every_school$/.test(column)) changed[column] = 0;
    Object.assign(changed, {
      password_hash: 'none',
      totp_secret: '',
      recovery_codes: '[]',
      disabled_at: changed.disabled_at ?? 0,
    });
  }
  return changed;
}
/**
 * Changes a row of the moved school: its administrators lose access to all schools, if the target has an administrator
 * of all schools already.
 */
const toOwnRow = (row: Row, table: Table, { isAdministered }: CopyContext): Row =>
  table === 'staff' && isAdministered ? { ...row, every_school: 0 } : row;

const changedAlong =
  /^(?:school_id|number|can_\w+|every_school|password_hash|totp_\w+|recovery_codes|disabled_at|put_away_at|sort|pinyin)$/;

const isSame = (one: Row, other: Row) =>
  Object.keys(one).every((column) => changedAlong.test(column) || one[column] === other[column]);

async function copyTable(copying: CopyContext, table: Table, keys: Set<string>): Promise<MovedTable> {
  const { here, there, shapes, schoolId, along, isSameEngine } = copying;
  const shape = shapes.get(table) as Shape;
  const self = shape.references.find(({ to }) => to === table)?.column;
  const done = new Set<number>();
  const sum = new Fingerprint(isSameEngine ? [] : ['pinyin']);
  const read = new Fingerprint(isSameEngine ? [] : ['pinyin']);
  const counts = { rows: 0, along: 0 };
  const write = async (rows: Row[], isAlong: boolean): Promise<void> => {
    if (rows.length === 0) return;
    const known = await storedRows(there, table, shape.key, rows);
    const fresh = rows.filter((row) => {
      const other = known.get(keyOf(row, shape.key));
      if (other && !isSame(row, other))
        throw new MoveError(
          `${table} ${keyOf(row, shape.key)} is another one there: a school keeps its ids, and goes where they are free. Nothing was done.`,
        );
      return !other;
    });
    if (fresh.length > 0) {
      const columns = sql.join(shape.columns.map((column) => sql.ref(column)));
      const values = fresh.map((row) => sql`(${sql.join(shape.columns.map((column) => sql`${row[column]}`))})`);
      await sql`insert into ${sql.table(table)} (${columns}) values ${sql.join(values)}`
        .execute(there)
        .catch((error: unknown) => {
          if (!isUniqueViolation(error)) throw error;
          throw new MoveError(
            `${table} has a row there with a name or number that one of these has, and that may be there once only. Nothing was done.`,
          );
        });
    }
    // Overwrites a row that was copied earlier with another school: it now comes with its own school.
    if (!isAlong) {
      for (const row of rows.filter((one) => known.has(keyOf(one, shape.key)))) {
        const sets = shape.columns.map((column) => sql`${sql.ref(column)} = ${row[column]}`);
        await sql`update ${sql.table(table)} set ${sql.join(sets)} where id = ${row.id}`.execute(there);
      }
      const now = await storedRows(there, table, shape.key, rows);
      for (const row of rows) sum.add(row);
      for (const row of now.values()) read.add(row);
    }
    for (const row of rows) {
      if (self) done.add(row.id as number);
      for (const key of storageKeysIn(row)) keys.add(key);
    }
    counts[isAlong ? 'along' : 'rows'] += rows.length;
  };
  /** Rows that must wait until the row of the same table that they refer to is written. */
  let waiting: { row: Row; isAlong: boolean }[] = [];
  const writeReady = async (rows: Row[], isAlong: boolean) => {
    const parentOf = (row: Row) => (self ? (row[self] as number | null) : null);
    const inPage = new Set(rows.map(({ id }) => id));
    const isReady = (row: Row) => {
      const parent = parentOf(row);
      return parent === null || done.has(parent);
    };
    await write(rows.filter(isReady), isAlong);
    if (self && inPage.size > 0)
      waiting.push(...rows.filter((row) => !done.has(row.id as number)).map((row) => ({ row, isAlong })));
  };
  const others = [...(along.get(table) ?? [])];
  for (let from = 0; from < others.length; from += rowsPerStatement) {
    const condition = sql<boolean>`id in ${inIds(here, others.slice(from, from + rowsPerStatement))}`;
    for await (const rows of pagesOf(here, table, shape, condition))
      await writeReady(
        rows.map((row) => toForeignRow(row, table, copying)),
        true,
      );
  }
  if (isOwn(table))
    for await (const rows of pagesOf(here, table, shape, rawCondition(schoolRowsCondition(table, schoolId))))
      await writeReady(
        shiftHistoryIds(rows, table, copying.historyShift).map((row) => toOwnRow(row, table, copying)),
        false,
      );
  while (waiting.length > 0) {
    const before = waiting.length;
    const [now, later] = [waiting, [] as typeof waiting];
    waiting = later;
    for (const isAlong of [true, false])
      await writeReady(
        now.filter((one) => one.isAlong === isAlong).map(({ row }) => row),
        isAlong,
      );
    if (waiting.length >= before)
      throw new MoveError(`${table} has rows that refer to each other in a circle. Nothing was done.`);
  }
  if (sum.value !== read.value)
    throw new MoveError(`What was written of ${table} is not what was read. Nothing was done.`);
  return { table, ...counts, fingerprint: sum.value };
}

/** Fingerprint of rows; it does not depend on their order. */
class Fingerprint {
  private sum = 0n;
  private count = 0;
  private readonly without: readonly string[];

  constructor(without: readonly string[]) {
    this.without = without;
  }

  add(row: Row): void {
    const fields = Object.entries(row).filter(([column]) => !this.without.includes(column));
    const text = JSON.stringify(fields.sort(([one], [other]) => (one < other ? -1 : 1)));
    this.sum += BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 32)}`);
    this.count += 1;
  }

  get value(): string {
    return `${this.count}:${(this.sum % 2n ** 128n).toString(16)}`;
  }
}

/** Moves the id sequences behind the copied ids. SQLite does so by itself. */
async function raiseSequences(engine: OpenDatabase['engine'], { there, shapes }: CopyContext): Promise<void> {
  if (engine === 'sqlite') return;
  for (const [table, { columns }] of shapes) {
    if (!columns.includes('id') || !(isOwn(table) || schoolRowConditions[table] === 'named')) continue;
    // Report ids contain the school year, but the sequence counts across all years.
    const countOf = table === 'report' ? sql`count_of_report_id(id)` : sql`id`;
    await sql`select setval(sequence, greatest(coalesce(pg_sequence_last_value(sequence), 0), last))
      from (select cast(pg_get_serial_sequence(${table}, 'id') as regclass) as sequence, max(${countOf}) as last
        from ${sql.table(table)}) as known where last is not null`.execute(there);
  }
}

/**
 * Copies the files before the rows become visible, because a file that no row names is harmless. Returns the keys of
 * missing files.
 */
async function copyFiles(keys: ReadonlySet<string>, { from, to }: { from: Storage; to: Storage }): Promise<string[]> {
  const missing: string[] = [];
  for (const key of keys) {
    const file = await from.stat(key);
    const bytes = file && (await from.read(key));
    if (!file || !bytes) {
      missing.push(key);
      continue;
    }
    if ((await to.stat(key))?.size === file.size) {
      await bytes.cancel();
      continue;
    }
    const staged = await to.stage(bytes, { limit: file.size });
    if (!('ok' in staged)) throw new MoveError(`The file ${key} could not be read whole. Nothing was done.`);
    await to.putBack(staged.ok, { key, size: file.size, contentType: contentType(extensionOf(key)) });
  }
  return missing;
}

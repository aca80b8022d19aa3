/** Ids that stand in addresses are never given again, and the tables that were made anew for it lost nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '#server/platform/db/engine.ts';
import { openSqlite } from '#server/platform/db/sqlite.ts';
import { migrate } from '#server/school/migrate.ts';
import { copyDemoFolder } from '../support/demo-school.ts';

const server = path.resolve(import.meta.dirname, '../../server');

interface SchemaRow {
  type: string;
  name: string;
  tbl_name: string;
  sql: string;
}

async function schemaOf({ db }: OpenDatabase): Promise<SchemaRow[]> {
  const { rows } = await sql<SchemaRow>`
    select type, name, tbl_name, sql from main.sqlite_master where sql is not null order by type, name`.execute(db);
  return rows;
}

const isKept = ({ name, type }: SchemaRow) => type === 'table' && !/^(?:sqlite_|kysely_)/.test(name);

/** Whose rows some call or job deletes; what the demo school clears away while it is made is nobody's yet. */
const deletedFrom = new Set(
  readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('demo/'))
    .flatMap((file) => [...readFileSync(path.join(server, file), 'utf8').matchAll(/\bdeleteFrom\('(\w+)/g)])
    .map(([, table = '']) => table),
);

/**
 * They have ids that no address and no answer names; of sign-ins, comments and messages only those go that others came
 * after, or are named by their own person alone; of homework given to a student only what nobody has begun.
 */
const unnamed = [
  'calendar_feed',
  'class_student',
  'community_comment',
  'community_like',
  'community_member',
  'export_file',
  'report',
  'sign_in',
  'sms_outbox',
];

/** The next id is behind all that the history knows (`unusedId`); the tests of their calls try it. */
const behindHistory = [
  'class',
  'class_group',
  'class_session',
  'course',
  'course_chapter',
  'large_class',
  'period',
  'staff',
  'student',
  'term',
];

describe('on SQLite', () => {
  let folder: string;
  let old: OpenDatabase;

  /** A filled database as it was before the last tables were made anew. */
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ids-'));
    await copyDemoFolder(folder);
    old = openSqlite(path.join(folder, 'old.db'));
    await migrate(old, '0019-ids-once');
    await sql`pragma foreign_keys = off`.execute(old.db);
    await sql`attach ${path.join(folder, 'school.db')} as demo`.execute(old.db);
    const { db } = old;
    await sql`insert or ignore into demo.question_collect (staff_id, question_id, created_at)
      select 1, id, 0 from demo.question order by id limit 9`.execute(db);
    await sql`insert or ignore into demo.community_collect (staff_id, post_id, created_at)
      select 1, id, 0 from demo.community_post order by id limit 9`.execute(db);
    // There were none then, and nothing of theirs.
    for (const part of ['exam_question', 'exam_section', 'exam_school'])
      await sql`delete from ${sql.table(`demo.${part}`)} where exam_id in (
        select exam.id from demo.exam join demo.staff on staff.id = exam.creator_id where identity = 'admin')`.execute(
        db,
      );
    await sql`delete from demo.exam where creator_id in (select id from demo.staff where identity = 'admin')`.execute(
      db,
    );
    await sql`drop trigger demo.history_no_delete`.execute(db);
    await sql`delete from demo.history where staff_id in (select id from demo.staff where identity = 'admin')`.execute(
      db,
    );
    await sql`delete from demo.staff where identity = 'admin'`.execute(db);
    await sql`insert into demo.homework_draft (owner_id, form, saved_at) values (1, 'one', 1), (1, 'two', 2)`.execute(
      db,
    );
    for (const { name } of (await schemaOf(old)).filter(isKept)) {
      const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${name})`.execute(db);
      const columns = sql.join(rows.map((column) => sql.ref(column.name)));
      await sql`delete from ${sql.table(name)}`.execute(db);
      await sql`insert into ${sql.table(name)} (${columns}) select ${columns} from ${sql.table(`demo.${name}`)}`.execute(
        db,
      );
    }
    await sql`pragma foreign_keys = on`.execute(db);
  }, 900_000);
  afterAll(async () => {
    await old.destroy();
    await rm(folder, { recursive: true, force: true });
  });

  it('tables are made anew with their rows, their indexes and what refers to them', async () => {
    const before = await schemaOf(old);
    await migrate(old, '0020-more-ids-once');
    expect((await sql`pragma foreign_key_check`.execute(old.db)).rows).toEqual([]);
    const lost: string[] = [];
    for (const { name } of before.filter(isKept)) {
      // Columns that came later are not there yet.
      const { rows: known } = await sql<{ name: string }>`select name from pragma_table_info(${name}, 'main')`.execute(
        old.db,
      );
      const columns = sql.join(known.map((column) => sql.ref(column.name)));
      const count = async (which: string, other: string) =>
        (
          await sql<{
            n: number;
          }>`select count(*) as n from (select ${columns} from ${sql.table(which)} except select ${columns} from ${sql.table(other)})`.execute(
            old.db,
          )
        ).rows[0]?.n;
      const [gone, come] = [await count(`demo.${name}`, `main.${name}`), await count(`main.${name}`, `demo.${name}`)];
      if (gone !== 0 || come !== 0) lost.push(`${name}: ${gone} gone, ${come} come`);
    }
    expect(lost).toEqual([]);
    // Comments, spaces and quotation marks aside, only the word that keeps ids from being given again is new.
    const shape = (rows: SchemaRow[]) =>
      rows
        .filter(({ name }) => !name.startsWith('sqlite_'))
        .map(({ sql: text, tbl_name }) => `${tbl_name}: ${text.replaceAll(/ autoincrement|--.*|["\s]/g, '')}`);
    expect(shape(await schemaOf(old))).toEqual(shape(before));
  });

  it('and the questions that were there are found by the index that came later', async () => {
    await migrate(old);
    const { rows } = await sql<{ there: number; found: number; counted: number }>`select
      (select count(*) from question where parent_id is null and is_public = 1) as there,
      (select count(*) from question_search where question_search match 'facts : ss') as found,
      (select questions from question_bank where bank = 0) as counted`.execute(old.db);
    expect(rows[0]?.there).toBeGreaterThan(0);
    expect([rows[0]?.found, rows[0]?.counted]).toEqual([rows[0]?.there, rows[0]?.there]);
  });

  it('and exams keep their papers, what was handed in, and how their names sound', async () => {
    expect((await sql`pragma foreign_key_check`.execute(old.db)).rows).toEqual([]);
    for (const name of ['exam', 'exam_section', 'exam_question', 'exam_school', 'exam_report', 'exam_answer']) {
      const differing = await sql`
        select * from ${sql.table(`demo.${name}`)} except select * from ${sql.table(`main.${name}`)}`.execute(old.db);
      expect([name, differing.rows]).toEqual([name, []]);
    }
    const { id: _, ...exam } = await old.db.selectFrom('exam').selectAll().limit(1).executeTakeFirstOrThrow();
    const { id } = await old.db
      .insertInto('exam')
      .values({ ...exam, name: '期中', pinyin: '' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await old.db.updateTable('exam').set({ name: '期末' }).where('id', '=', id).execute();
    const { pinyin } = await old.db.selectFrom('exam').select('pinyin').where('id', '=', id).executeTakeFirstOrThrow();
    expect(pinyin).toContain('mo');
  });

  it('an id that was deleted is not given again', async () => {
    const tables = (await schemaOf(old)).filter(isKept);
    const reused = tables.filter(
      ({ name, sql: text }) => /\bid integer primary key(?! autoincrement)/i.test(text) && deletedFrom.has(name),
    );
    expect(reused.map(({ name }) => name).sort()).toEqual([...unnamed, ...behindHistory].sort());

    const { id, ...question } = await old.db
      .selectFrom('question')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    await old.db.deleteFrom('question').where('id', '=', id).execute();
    const next = await old.db.insertInto('question').values(question).returning('id').executeTakeFirstOrThrow();
    expect(next.id).toBeGreaterThan(id);
  });
});

/** Ids that stand in addresses are never given again. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openSqlite } from '#server/platform/db/sqlite.ts';
import { migrate } from '#server/schema/migrate.ts';

const server = path.resolve(import.meta.dirname, '../../server');

/** `simpleImporter` deletes what an undone import has added. */
const deletion = /\b(?:deleteFrom\(|deleteRows\(\s*\w+,\s*|simpleImporter\(\{\s*table: )'(\w+)/g;

/** Whose rows some call or job deletes; what the demo school clears away while it is made is nobody's yet. */
const deletedFrom = new Set(
  readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('demo/'))
    .flatMap((file) => [...readFileSync(path.join(server, file), 'utf8').matchAll(deletion)])
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

it('on SQLite gives no id again that stands in addresses and was deleted', async () => {
  const school = openSqlite(':memory:');
  await migrate(school);
  const { rows } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master where type = 'table'`.execute(school.db);
  await school.destroy();
  const reused = rows.filter(
    ({ name, sql: text }) => /\bid integer primary key(?! autoincrement)/i.test(text) && deletedFrom.has(name),
  );
  expect(reused.map(({ name }) => name).sort()).toEqual([...unnamed, ...behindHistory].sort());
});

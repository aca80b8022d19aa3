/** Ids in addresses are never reused. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openSqlite } from '#server/platform/db/sqlite.ts';
import { migrate } from '#server/schema/migrate.ts';

const server = path.resolve(import.meta.dirname, '../../server');

/** `simpleImporter` deletes rows that an undone import added. */
const deletion = /\b(?:deleteFrom\(|deleteRows\(\s*\w+,\s*|simpleImporter\(\{\s*table: )'(\w+)/g;

/** Tables whose rows a call or job deletes; demo cleanup does not count. */
const deletedFrom = new Set(
  readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('demo/'))
    .flatMap((file) => [...readFileSync(path.join(server, file), 'utf8').matchAll(deletion)])
    .map(([, table = '']) => table),
);

/** Their ids appear in no address or answer, or only the owner sees them. */
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

/** The next id is after all ids in the history (`newRecordId`); their calls' tests check it. */
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

it('deleted rows with ids in addresses never reuse an id on SQLite', async () => {
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

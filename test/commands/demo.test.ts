/** @module-tag thorough */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readDemoCommand, runDemoCommand } from '#server/demo/command.ts';
import { openDatabase } from '#server/platform/db/engine.ts';
import { createDatabase } from '../support/test-database.ts';

const now = 1_795_147_200;
const folder = mkdtempSync(join(tmpdir(), 'lectern-demo-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function fill(location: string, fresh = false): Promise<[code: number, output: string]> {
  const lines: string[] = [];
  const code = await runDemoCommand({ size: 'small', fresh }, { location, now, print: (line) => lines.push(line) });
  return [code, lines.join('\n')];
}

async function rename(location: string, username: string): Promise<void> {
  const { db, destroy } = openDatabase(location);
  await db.updateTable('staff').set({ username }).where('username', '=', 'teacher4').execute();
  await destroy();
}

test('demo command fills an empty file, and a filled one only afresh', async () => {
  const file = join(folder, 'new', 'school.db');
  const [code, output] = await fill(file);
  expect(code).toBe(0);
  expect(output).toMatch(/holds the small demo school/);
  expect(output).toMatch(/ teacher {2}Teach2026 {2}/);
  expect(await fill(file)).toEqual([1, `${file} is not empty, 10 people are there. --fresh starts again.`]);

  await rename(file, 'renamed');
  writeFileSync(`${file}-wal`, '');
  expect((await fill(file, true))[0]).toBe(0);
  expect(existsSync(`${file}-wal`)).toBe(false);
  const { db, destroy } = openDatabase(file);
  expect(await db.selectFrom('staff').select('id').where('username', '=', 'renamed').execute()).toEqual([]);
  await destroy();
});

test('demo command empties only demo schools on PostgreSQL', async ({ skip }) => {
  const database = await createDatabase();
  if (!database) return skip('no PostgreSQL on this machine; see the top of the run');
  try {
    expect((await fill(database.url, true))[0]).toBe(0);
    expect((await fill(database.url))[0]).toBe(1);
    expect((await fill(database.url, true))[0]).toBe(0);
    await rename(database.url, 'somebody.real');
    const [code, output] = await fill(database.url, true);
    expect([code, output]).toEqual([1, expect.stringMatching(/holds more than a demo school and is left as it is/)]);
    expect(output).not.toContain('postgres@');
  } finally {
    await database.drop();
  }
});

test('demo command parses its arguments', () => {
  expect(readDemoCommand([])).toEqual({ name: 'fill', size: 'small', fresh: false });
  expect(readDemoCommand(['--size', 'large', '--fresh'])).toEqual({ name: 'fill', size: 'large', fresh: true });
  expect(readDemoCommand(['--size', 'huge'])).toEqual({ wrong: 'The size is small or large.' });
  expect(readDemoCommand(['now'])).toHaveProperty('wrong');
  expect(readDemoCommand(['--help', '--size=large'])).toEqual({ name: 'help' });
});

/** @module-tag thorough */
/**
 * Follows the steps of the documents to the letter, in a copy of the tree, and checks that the product is right
 * afterwards.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeBlocks } from '../support/code-blocks.ts';

const root = path.resolve(import.meta.dirname, '../..');
let copy: string;

const run = async (...words: string[]) => {
  const env = { ...process.env, NODE_ENV: 'test' };
  const ran = promisify(execFile)(process.execPath, words, { cwd: copy, env, maxBuffer: 100_000_000 });
  return ran.then(
    () => 'well',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
};
const runTests = (...files: string[]) =>
  run('node_modules/vitest/vitest.mjs', 'run', '--root', '.', '--config', 'test/vitest.config.ts', ...files);

/**
 * Inserts a code block where its fence says. `into FILE` makes a new file or appends to one. `after TEXT`, `before
 * TEXT` and `instead of TEXT` refer to the one line that begins with this text. Imports go to the top of the file.
 */
async function putInto(place: string, code: string): Promise<void> {
  const [, file = '', how, text = ''] = /^into (\S+)(?: (after|before|instead of) (.+))?$/.exec(place) ?? [];
  const target = path.join(copy, file);
  const present = await readFile(target, 'utf8').catch(() => '');
  const isImport = (line: string) => /^import .* from '.+';$/.test(line);
  const lines = code.trimEnd().split('\n');
  const body = present === '' ? lines : lines.filter((line) => !isImport(line));
  const before = present.split('\n');
  if (how) {
    const found = before.flatMap((line, at) => (line.trim().startsWith(text) ? [at] : []));
    expect(found, `${file}: ${text}`).toHaveLength(1);
    const [at = 0] = found;
    before.splice(how === 'after' ? at + 1 : at, how === 'instead of' ? 1 : 0, ...body);
  } else {
    before.push(...body, '');
  }
  const head = present === '' ? [] : lines.filter(isImport);
  const firstImport = Math.max(
    0,
    before.findIndex((line) => line.startsWith('import ')),
  );
  before.splice(firstImport, 0, ...head);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, before.join('\n'));
}

beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'newcomer-'));
  for (const part of ['app', 'server', 'test', 'public', 'package.json', 'tsconfig.json', 'vite.config.ts'])
    await cp(path.join(root, part), path.join(copy, part), { recursive: true });
  for (const part of ['react-router.config.ts', '.biome.json', '.gitignore', 'README.md'])
    await cp(path.join(root, part), path.join(copy, part));
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  let count = 0;
  for (const document of ['server/docs/walkthrough.md', 'server/README.md', 'app/README.md']) {
    for (const { place, code } of codeBlocks(await readFile(path.join(root, document), 'utf8'))) {
      if (!place?.startsWith('into ')) continue;
      await putInto(place, code);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(12);
});
afterAll(() => rm(copy, { recursive: true, force: true }));

it('tutorial regenerates table types, calls and addresses', async () => {
  expect(
    await runTests('test/db/table-types.test.ts', 'test/lib/calls.test.ts', 'test/lib/addresses.test.ts', '-u'),
  ).toBe('well');
  expect(await readFile(path.join(copy, 'server/schema/tables.ts'), 'utf8')).toContain('pinned_at: Moment | null;');
});

it('tutorial code passes the type check', async () => {
  expect(await run('node_modules/@react-router/dev/bin.cjs', 'typegen')).toBe('well');
  expect(await run('node_modules/typescript/bin/tsc', '--noEmit')).toBe('well');
});

it('tutorial tests pass, with those over all calls, tables and words', async () => {
  expect(
    await runTests(
      'test/api/notices-meetings.test.ts',
      'test/api/changes-of-all-calls.test.ts',
      'test/lib/history-words.test.ts',
      'test/lib/tables.test.ts',
      'test/lib/migrations.test.ts',
      'test/lib/import-layers.test.ts',
    ),
  ).toBe('well');
});

it('the tests of the new screen pass, once it is built', async () => {
  expect(await run('node_modules/@react-router/dev/bin.cjs', 'build')).toBe('well');
  expect(await runTests('test/pages/community.test.ts')).toBe('well');
});

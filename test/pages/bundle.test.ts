import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const client = path.join(root, 'build/client');
const files = readdirSync(client, { recursive: true, encoding: 'utf8' });
const scripts = files
  .filter((file) => file.endsWith('.js'))
  .map((file) => readFileSync(path.join(client, file), 'utf8'));

/** Sentences, column references and other words that are told apart from ordinary names. */
function wordsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  return [...text.matchAll(/'([^'\n]{12,})'/g)]
    .map((found) => found[1] as string)
    .filter((word) => /[\u4e00-\u9fff\s.]/.test(word) && !/^[#.]|^Asia\/Shanghai$/.test(word));
}

function serverFiles(folder = path.join(root, 'server')): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(^|\/)contract\.ts$/.test(file))
    .map((file) => path.join(folder, file));
}

describe('what reaches the browser', () => {
  it('is nothing of server/ beyond the contracts', () => {
    // The rules of the question form are run by the form as well.
    const shared = ['http/call.ts', 'http/fields.ts', 'questions/draft.ts'].map((file) =>
      path.join(root, 'server', file),
    );
    const contractWords = new Set(
      readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
        .filter((file) => /(^|\/)contract\.ts$/.test(file))
        .flatMap((file) => wordsOf(path.join(root, 'server', file))),
    );
    const all = scripts.join('\n');
    const leaks = serverFiles()
      .filter((file) => !shared.includes(file))
      .flatMap((file) =>
        wordsOf(file)
          .filter((word) => !contractWords.has(word) && all.includes(word))
          .map((word) => `${path.relative(root, file)}: ${word}`),
      );
    expect(leaks).toEqual([]);
    for (const sign of [
      'node:sqlite',
      'node:crypto',
      'kysely',
      'argon2',
      'select "',
      'DATABASE_URL',
      'SESSION_SECRET',
    ]) {
      expect(all.includes(sign), sign).toBe(false);
    }
  });

  it('has one stylesheet of at most 25 KB (gzip) for every screen', () => {
    const sheets = files.filter((file) => file.endsWith('.css'));
    expect(sheets).toHaveLength(1);
    expect(gzipSync(readFileSync(path.join(client, sheets[0] as string))).length).toBeLessThan(25 * 1024);
  });

  it('uses no CSS that Chrome 109 does not know', () => {
    const sheet = readFileSync(path.join(client, files.find((file) => file.endsWith('.css')) as string), 'utf8');
    for (const unknown of ['light-dark(', 'color-mix(', ':popover-open', 'subgrid', '&:', '& .'])
      expect(sheet.includes(unknown), unknown).toBe(false);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { reachesBrowser } from '../../vite.config.ts';

const root = path.resolve(import.meta.dirname, '../..');
const client = path.join(root, 'build/client');
const files = readdirSync(client, { recursive: true, encoding: 'utf8' });
const scripts = files
  .filter((file) => file.endsWith('.js'))
  .map((file) => readFileSync(path.join(client, file), 'utf8'));

/** Sentences and column references that stand in a server file. */
function wordsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const words = [...text.matchAll(/'([^'\n]{6,})'/g)].map((found) => found[1] as string);
  return words.filter((word) => /[\u4e00-\u9fff]|^[a-z_]+\.[a-z_]+$/.test(word));
}

function sources(folder: 'app' | 'server'): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.join(root, folder, file));
}

describe('what reaches the browser', () => {
  it('is nothing of server/ beyond the contracts', () => {
    // Words that the screens or the contracts say themselves prove nothing.
    const said = new Set(
      sources('app')
        .concat(sources('server').filter((file) => reachesBrowser.test(file)))
        .flatMap(wordsOf),
    );
    const all = scripts.join('\n');
    const leaks = sources('server')
      .filter((file) => !reachesBrowser.test(file))
      .flatMap((file) =>
        wordsOf(file)
          .filter((word) => !said.has(word) && all.includes(word))
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

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { reachesBrowser } from '#app/import-layers.ts';
import { builtFiles } from '#server/platform/commands/setup.mjs';
import { builtRoutes } from '../support/built-routes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const client = path.join(root, 'build/client');
/** Assets of the previous build stay for running servers. */
const files = (builtFiles(root) ?? []).flatMap((file) => (file.startsWith('client/') ? file.slice(7) : []));
const scripts = files
  .filter((file) => file.endsWith('.js'))
  .map((file) => readFileSync(path.join(client, file), 'utf8'));

/** Sentences and column references in server files. */
function wordsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const words = [...text.matchAll(/'([^'\n]{6,})'/g)].map((found) => found[1] as string);
  return [...new Set(words)].filter((word) => /[\u4e00-\u9fff]|^[a-z_]+\.[a-z_]+$/.test(word));
}

function sources(folder: 'app' | 'server'): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.join(root, folder, file));
}

const isShared = (file: string) => reachesBrowser(path.relative(root, file));

/** Template literals of limits (`最多${limit}个字`) are whole in the build, split in source. */
const ofContract = '最多100个字';

describe('browser bundle', () => {
  it('contains nothing of server/ except contracts', () => {
    // Sentences that screens or contracts contain too are no sign of a leak.
    const said = [...sources('app'), ...sources('server').filter((file) => isShared(file))]
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const all = scripts.join('\n');
    const leaks = sources('server')
      .filter((file) => !isShared(file))
      .flatMap((file) =>
        wordsOf(file)
          .filter((word) => word !== ofContract && all.includes(word) && !said.includes(word))
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

  it('has one shared stylesheet of at most 20 KB gzip, and others of at most 13', () => {
    const sheets = files.filter((file) => file.endsWith('.css'));
    const sizes = sheets.map((file) => gzipSync(readFileSync(path.join(client, file))).length);
    const common = sheets.filter((file) => /\/styles-/.test(file));
    expect(common).toHaveLength(1);
    expect(sizes[sheets.indexOf(common[0] ?? '')]).toBeLessThan(20 * 1024);
    for (const size of sizes.filter((_, index) => sheets[index] !== common[0])) expect(size).toBeLessThan(13 * 1024);
  });

  it('has the shared stylesheet and a small one for the sign-in page', async () => {
    const { build } = await builtRoutes();
    const { routes } = build.assets;
    const sheetsOf = (id: string): string[] => {
      const route = routes[id];
      const above = route?.parentId ? sheetsOf(route.parentId) : [];
      return [...above, ...(route?.css ?? [])];
    };
    for (const id of ['Login', 'LearnerSignIn']) {
      const names = sheetsOf(id).map((sheet) => sheet.replace(/^.*\/([a-z]+)-.*$/, '$1'));
      expect([id, [...new Set(names)].sort()]).toEqual([id, ['learn', 'styles']]);
    }
    const small = files.filter((file) => /\/learn-.*\.css$/.test(file));
    expect(small).toHaveLength(1);
    expect(gzipSync(readFileSync(path.join(client, small[0] ?? ''))).length).toBeLessThan(2 * 1024);
  });

  it('loads the styles of grading, publishing, questions and papers on their screens alone', async () => {
    const { build } = await builtRoutes();
    const having = Object.values(build.assets.routes).flatMap((route) =>
      route?.css?.some((sheet) => /\/work-/.test(sheet)) ? [route.id] : [],
    );
    expect(having).toContain('HomeworkApprove');
    const theirs =
      /^(?:Homework(?:Publish|Approve|Student|\w*Ques)|homework\/publish|ExamPaper|Admin(?:Exam(?:Paper|Question|Import)|Correction(?:Detail|Edit)|QuestionDetail))/;
    expect(having.filter((id) => !theirs.test(id))).toEqual(['PostNotice']);
  });

  it.each([
    ['form-draft', 5.5],
    ['meeting-fields', 3],
    ['post-fields', 3],
  ])('is at most %i KB gzip for the form with only %s, until the page is used', (name, most) => {
    const island = files.find((file) => file.includes(`/${name}.island-`)) ?? '';
    const reached = new Set([island]);
    for (const file of reached) {
      const text = readFileSync(path.join(client, file), 'utf8');
      for (const [, next] of text.matchAll(/(?:from|import)\s*["`]\.\/([^"`]+)["`]/g)) reached.add(`assets/${next}`);
    }
    const sizes = [...reached].map((file) => [file, gzipSync(readFileSync(path.join(client, file))).length] as const);
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    expect(total, JSON.stringify(sizes)).toBeLessThan(most * 1024);
  });

  it('has a text editor of at most 137 KB gzip', () => {
    const editor = files.find((file) => file.includes('/rich-editor-') && file.endsWith('.js')) ?? '';
    expect(gzipSync(readFileSync(path.join(client, editor))).length).toBeLessThan(137 * 1024);
  });

  it('uses only CSS that Chrome 109 supports', () => {
    for (const file of files.filter((name) => name.endsWith('.css'))) {
      // Harmless if unsupported: shadows and hover colours of the grid and chart libraries.
      const decoration = /(?:box-shadow|background-color):[^;}]*color-mix\([^}]*/g;
      const sheet = readFileSync(path.join(client, file), 'utf8').replace(decoration, '');
      for (const unknown of ['light-dark(', 'color-mix(', ':popover-open', 'subgrid', '&:', '& .'])
        expect(sheet.includes(unknown), `${file}: ${unknown}`).toBe(false);
    }
  });
});

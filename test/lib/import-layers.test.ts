/** Imports point one way, as app/import-layers.ts declares. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { layerOf } from '#app/import-layers.ts';

const root = path.resolve(import.meta.dirname, '../..');
const code = ['app', 'server', 'test'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name))
    .map((name) => `${folder}/${name}`),
);
const textOf = new Map(code.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));

interface Import {
  from: string;
  to: string;
}

/** By project path; without packages and generated files. */
function importsOf(file: string): Import[] {
  const text = textOf.get(file) ?? '';
  const named = text.matchAll(/\b(?:from|import)[\s(]+'((?:\.\.?|#server|#app)\/[^'?]+)/g);
  // Programs and worker modules are named by path.
  const started = text.matchAll(/'(#?(?:server|app)\/[\w./-]+\.\w+)'/g);
  return [...named, ...started]
    .map(([, name = '']) => (name.startsWith('#') ? name.slice(1) : path.join(path.dirname(file), name)))
    .filter((to) => !to.includes('+types/'))
    .map((to) => ({ from: file, to }));
}

const imports = code.filter((file) => !file.startsWith('test/')).flatMap(importsOf);

/** `server/homework`, `server/platform/files`, `app/ui`; a file outside is its own part. */
const folderOf = (file: string) => /^(?:server\/platform|server|app)\/[\w-]+(?=\/)/.exec(file)?.[0] ?? file;

/** Files loaded at run time, itself first; type imports do not count. */
function reachOf(start: string): Set<string> {
  const seen = new Set([start]);
  for (const file of seen) {
    const text = (textOf.get(file) ?? '').replace(/^import type [^;]+;$/gm, '');
    for (const [, name = ''] of text.matchAll(/\b(?:from|import)[\s(]+'((?:\.\.?|#server|#app)\/[^'?]+)/g))
      seen.add(name.startsWith('#') ? name.slice(1) : path.join(path.dirname(file), name));
  }
  return seen;
}

it('no island or app/ui/client module imports the router', () => {
  const inBrowser = code.filter((file) => /\.island\.tsx$|^app\/ui\/client\//.test(file));
  expect(inBrowser.length).toBeGreaterThan(30);
  const wrong = inBrowser.flatMap((file) =>
    [...reachOf(file)]
      .filter((reached) => /from '(?:react-router|@react-router)[/']/.test(textOf.get(reached) ?? ''))
      .map((reached) => `${file} reaches the router in ${reached}`),
  );
  expect(wrong).toEqual([]);
});

it('every file belongs to a part', () => {
  expect(code.filter((file) => !file.startsWith('test/') && !layerOf(file))).toEqual([]);
});

it('nothing imports a higher part', () => {
  const wrong = imports.flatMap(({ from, to }) => {
    const [part, target] = [layerOf(from), layerOf(to)];
    if (!part || part.name === target?.name || folderOf(from) === folderOf(to)) return [];
    if (target && part.imports.includes(target.name)) return [];
    const allowed = part.imports.length > 0 ? part.imports.join(', ') : 'nothing else';
    return [`${from} imports ${to} (${target?.name ?? 'tests'}); ${part.name} may import ${allowed}`];
  });
  expect(wrong).toEqual([]);
});

it('browser and shared modules import nothing else of their folder', () => {
  const isShared = (file: string) => /^(?:shared|platform rules)/.test(layerOf(file)?.name ?? '');
  const isNamed = (file: string) => ['addresses', 'terms'].includes(layerOf(file)?.name ?? '');
  const wrong = imports.filter(
    ({ from, to }) =>
      (isShared(from) && !isShared(to)) || (isNamed(from) && !isNamed(to) && folderOf(from) === folderOf(to)),
  );
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

/** Addresses, words and rules: importable by any subject. */
const isWords = (file: string) =>
  ['addresses', 'terms', 'platform rules', 'shared rules'].includes(layerOf(file)?.name ?? '');

/** Targets of each folder with the import. */
function waysBetween(folders: string): Map<string, Map<string, Import>> {
  const ways = new Map<string, Map<string, Import>>();
  for (const one of imports) {
    const [from, to] = [folderOf(one.from), folderOf(one.to)];
    if (!from.startsWith(folders) || !to.startsWith(folders) || from === to) continue;
    if ([one.from, one.to].some((file) => isWords(file))) continue;
    ways.set(from, (ways.get(from) ?? new Map<string, Import>()).set(to, one));
  }
  return ways;
}

/** Shortest import cycle of a folder. */
function circleFrom(start: string, ways: Map<string, Map<string, Import>>): Import[] | undefined {
  const reached = new Map<string, Import[]>([[start, []]]);
  for (const [folder, way] of reached) {
    for (const [next, step] of ways.get(folder) ?? []) {
      if (next === start) return [...way, step];
      if (!reached.has(next)) reached.set(next, [...way, step]);
    }
  }
  return undefined;
}

it.each(['server/', 'app/'])('folders of %s have no cycles', (folders) => {
  const ways = waysBetween(folders);
  const circles = [...ways.keys()].flatMap((folder) => circleFrom(folder, ways) ?? []);
  expect([...new Set(circles.map(({ from, to }) => `${from} imports ${to}`))]).toEqual([]);
});

it('lists and objects are literals, not spreads', () => {
  const spread = /\.\.\.(?:\{|\(?\[\s*['"`][^\]]*\](?! as const\)\.|\.))/;
  const found = [...textOf].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, at) => (spread.test(line) ? [`${file}:${at + 1}`] : [])),
  );
  expect(found.filter((place) => !place.startsWith('test/lib/import-layers.test.ts'))).toEqual([]);
});

it('comments cite existing documents only', () => {
  const cited = /\b(?:document \d|(?:design|decisions|spec(?:ification)?),? section|spec\/\d)/i;
  // Lower case means a standard's section, after its name.
  const section = /\bSection \d/;
  const found = [...textOf].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, at) => (cited.test(line) || section.test(line) ? [`${file}:${at + 1}`] : [])),
  );
  expect(found.filter((place) => !place.startsWith('test/lib/import-layers.test.ts'))).toEqual([]);
});

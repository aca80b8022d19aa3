/** Imports run in one direction, as app/arrows.ts declares it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { partOf } from '#app/arrows.ts';

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

/** By their paths within the project; without packages, and without what the router and the build write. */
function importsOf(file: string): Import[] {
  const text = textOf.get(file) ?? '';
  const named = text.matchAll(/\b(?:from|import)[\s(]+'((?:\.\.?|#server|#app)\/[^'?]+)/g);
  // A program or a module for a thread is named by its path.
  const started = text.matchAll(/'(#?(?:server|app)\/[\w./-]+\.\w+)'/g);
  return [...named, ...started]
    .map(([, name = '']) => (name.startsWith('#') ? name.slice(1) : path.join(path.dirname(file), name)))
    .filter((to) => !to.includes('+types/'))
    .map((to) => ({ from: file, to }));
}

const imports = code.filter((file) => !file.startsWith('test/')).flatMap(importsOf);

/** `server/homework`, `server/platform/files`, `app/ui`; a file that lies in none of them is its own. */
const folderOf = (file: string) => /^(?:server\/platform|server|app)\/[\w-]+(?=\/)/.exec(file)?.[0] ?? file;

/** What a file loads, itself first: without what it takes the types of. */
function reachOf(start: string): Set<string> {
  const seen = new Set([start]);
  for (const file of seen) {
    const text = (textOf.get(file) ?? '').replace(/^import type [^;]+;$/gm, '');
    for (const [, name = ''] of text.matchAll(/\b(?:from|import)[\s(]+'((?:\.\.?|#server|#app)\/[^'?]+)/g))
      seen.add(name.startsWith('#') ? name.slice(1) : path.join(path.dirname(file), name));
  }
  return seen;
}

it('no island, nor anything in app/ui/client, reaches the router', () => {
  const inBrowser = code.filter((file) => /\.island\.tsx$|^app\/ui\/client\//.test(file));
  expect(inBrowser.length).toBeGreaterThan(30);
  const wrong = inBrowser.flatMap((file) =>
    [...reachOf(file)]
      .filter((reached) => /from '(?:react-router|@react-router)[/']/.test(textOf.get(reached) ?? ''))
      .map((reached) => `${file} reaches the router in ${reached}`),
  );
  expect(wrong).toEqual([]);
});

it('every file is part of something', () => {
  expect(code.filter((file) => !file.startsWith('test/') && !partOf(file))).toEqual([]);
});

it('nothing imports what stands above it', () => {
  const wrong = imports.flatMap(({ from, to }) => {
    const [part, target] = [partOf(from), partOf(to)];
    if (!part || part.name === target?.name || folderOf(from) === folderOf(to)) return [];
    if (target && part.imports.includes(target.name)) return [];
    const allowed = part.imports.length > 0 ? part.imports.join(', ') : 'nothing else';
    return [`${from} imports ${to} (${target?.name ?? 'tests'}); ${part.name} may import ${allowed}`];
  });
  expect(wrong).toEqual([]);
});

it('what reaches the browser, and what other folders may name, imports nothing else of its folder', () => {
  const isShared = (file: string) => /^(?:shared|platform rules)/.test(partOf(file)?.name ?? '');
  const isNamed = (file: string) => ['addresses', 'terms'].includes(partOf(file)?.name ?? '');
  const wrong = imports.filter(
    ({ from, to }) =>
      (isShared(from) && !isShared(to)) || (isNamed(from) && !isNamed(to) && folderOf(from) === folderOf(to)),
  );
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

/** Addresses, words, and rules, which are sentences and limits: what any subject may name of another. */
const isWords = (file: string) =>
  ['addresses', 'terms', 'platform rules', 'shared rules'].includes(partOf(file)?.name ?? '');

/** Where each folder leads, and by which import. */
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

/** The shortest way from a folder back to itself, import by import. */
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

it.each(['server/', 'app/'])('no folder of %s leads back to itself', (folders) => {
  const ways = waysBetween(folders);
  const circles = [...ways.keys()].flatMap((folder) => circleFrom(folder, ways) ?? []);
  expect([...new Set(circles.map(({ from, to }) => `${from} imports ${to}`))]).toEqual([]);
});

it('a list or an object is written as it stands, not spread to be shorter', () => {
  const spread = /\.\.\.(?:\{|\(?\[\s*['"`][^\]]*\](?! as const\)\.|\.))/;
  const found = [...textOf].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, at) => (spread.test(line) ? [`${file}:${at + 1}`] : [])),
  );
  expect(found.filter((place) => !place.startsWith('test/lib/arrows.test.ts'))).toEqual([]);
});

it('no comment cites a document that is not here', () => {
  const cited = /\b(?:document \d|(?:design|decisions|spec(?:ification)?),? section|spec\/\d)/i;
  // With a small letter it is that of a standard, whose name stands before it.
  const section = /\bSection \d/;
  const found = [...textOf].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, at) => (cited.test(line) || section.test(line) ? [`${file}:${at + 1}`] : [])),
  );
  expect(found.filter((place) => !place.startsWith('test/lib/arrows.test.ts'))).toEqual([]);
});

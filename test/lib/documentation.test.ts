/** Checks the documents against the repository. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingNames as declaredNames } from '#server/platform/configuration/settings.mjs';
import { settingNames } from '#server/school/settings.ts';
import { codeBlocks } from '../support/code-blocks.ts';

const root = path.resolve(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

const files = ['.', 'app', 'server', 'test', 'public'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: folder !== '.', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
);
const isThere = (named: string) =>
  files.some((file) => file === named || file.startsWith(`${named.replace(/\/$/, '')}/`));

/** Documents without their example code. */
const documents = files
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({
    file,
    folder: path.dirname(file),
    prose: textOf(file).replace(/^ *```\w+.*$[\s\S]*?^ *```$/gm, ''),
    blocks: codeBlocks(textOf(file)),
  }));
const said = documents.map(({ prose }) => prose).join('\n');
const settings = textOf('server/docs/settings.md');

const matches = (content: string, pattern: RegExp): string[] =>
  [...content.matchAll(pattern)].map(([, found = '']) => found);

describe('files named in documents', () => {
  it('exist for every link', () => {
    const lost = documents.flatMap(({ file, folder, prose }) =>
      matches(prose, /\]\(([^)\s#]+)[^)]*\)/g)
        .filter((link) => !/^\w+:/.test(link) && !isThere(path.join(folder, link)))
        .map((link) => `${file}: ${link}`),
    );
    expect(lost).toEqual([]);
  });

  it('exist for every path in the text', () => {
    const isFile = /^[\w.<>-]+(?:\/[\w.<>-]+)*\.(?:tsx?|mjs|md|css|json|typ|txt|svg|png)$/;
    const isFolder = /^(?:app|server|test|public)\/(?:[\w.<>-]+\/)*$/;
    /**
     * True if a path exists from the root or beside the document. A name without a folder may be any file's, and
     * `<subject>` any subject.
     */
    const isKnown = (name: string, folder: string) =>
      [name, path.join(folder, name), ...(name.includes('/') ? [] : [`**/${name}`])].some((place) => {
        const pattern = place.replace(/<\w+>/g, '*');
        return isThere(place) || files.some((file) => path.matchesGlob(file, pattern));
      });
    const lost = documents.flatMap(({ file, folder, prose }) =>
      matches(prose, /`([^`\n]+)`/g)
        .filter((name) => (isFile.test(name) || isFolder.test(name)) && !isKnown(name, folder))
        .map((name) => `${file}: ${name}`),
    );
    expect(lost).toEqual([]);
  });
});

describe('functions and types in documents', () => {
  const words = new Set(
    files.filter((file) => /\.(?:tsx?|mjs)$/.test(file)).flatMap((file) => textOf(file).match(/[\w$]+/g) ?? []),
  );
  /** Excludes additions of the tutorial. */
  const added = new Set(
    documents.flatMap(({ blocks }) =>
      blocks.filter(({ place }) => place?.startsWith('into ')).flatMap(({ code }) => code.match(/[\w$]+/g) ?? []),
    ),
  );
  // `pointsOf`, `RuleContext`: identifiers only.
  const isName = /(?<![\w/.#-])(?:[a-z]+(?:[A-Z][a-z\d]*)+|[A-Z][a-z\d]+(?:[A-Z][a-z\d]*)+)(?![\w/-]*[./])/g;
  const findLost = (texts: (document: (typeof documents)[number]) => string[]) =>
    documents.flatMap((document) =>
      texts(document)
        .flatMap((text) => text.match(isName) ?? [])
        .filter((name) => !words.has(name) && !added.has(name))
        .map((name) => `${document.file}: ${name}`),
    );

  it('exist when named in text', () => {
    expect(findLost(({ prose }) => matches(prose, /`([^`\n]+)`/g))).toEqual([]);
  });

  it('exist when used in example code', () => {
    expect(
      findLost(({ blocks }) => blocks.filter(({ language }) => language.startsWith('ts')).map(({ code }) => code)),
    ).toEqual([]);
  });
});

it('quoted code equals its file', () => {
  const quoted = documents.flatMap(({ file, blocks }) =>
    blocks.flatMap(({ place, code }) => (place?.startsWith('of ') ? [{ file, of: place.slice(3), code }] : [])),
  );
  expect(quoted.length).toBeGreaterThan(2);
  const missing = quoted.flatMap(({ file, of, code }) => {
    const lines = textOf(of)
      .split('\n')
      .map((line) => line.trim());
    let at = 0;
    return code
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => {
        const found = lines.indexOf(line, at);
        if (found >= 0) at = found + 1;
        return line !== '' && line !== '…' && found < 0;
      })
      .map((line) => `${file}: ${of} has no ${line}`);
  });
  expect(missing).toEqual([]);
});

it('every file at the root of server/ is documented', () => {
  const root = files.filter((file) => /^server\/[\w-]+\.ts$/.test(file)).map((file) => path.basename(file));
  expect(matches(textOf('server/README.md'), /^\| `([\w-]+\.ts)` \|/gm).sort()).toEqual(root.sort());
});

describe('documented settings', () => {
  it('of the environment are all read', () => {
    const code = files.filter((file) => /^(?:app|server)\/.*\.(?:tsx?|mjs)$/.test(file)).map(textOf);
    const read = code.flatMap((text) => [
      ...matches(text, /\b(?:setting|isSettingSet)\('([A-Z\d_]+)'\)/g),
      ...matches(text, /\benvironment\.([A-Z][A-Z\d_]*)\b/g),
    ]);
    expect([...new Set(read)].sort()).toEqual([...declaredNames].sort());
  });

  it('cover the data folder', () => {
    const held = files
      .filter((file) => /^server\/.*\.ts$/.test(file))
      .flatMap((file) => matches(textOf(file), /\bjoin\((?:varFolder\(\)|setting\('VAR_DIR'\)), '([\w.-]+)'\)/g));
    const [, row = ''] = /^\| `VAR_DIR` \| `var` \|(.*)$/m.exec(settings) ?? [];
    expect(matches(row, /\(`([\w.-]+)`\)/g).sort()).toEqual([...new Set(held)].sort());
  });

  it("equal the school's settings", () => {
    const [, school = ''] = /^## The school's own settings$([\s\S]*?)(?=^## )/m.exec(settings) ?? [];
    expect(matches(school, /^\| `(\w+)` \|/gm)).toEqual(settingNames);
  });
});

it('every npm script is documented, and no other', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const commands = matches(settings, /^\| `npm (?:run )?([\w:-]+)/gm);
  expect(commands.sort()).toEqual(Object.keys(scripts).sort());
  expect(matches(said, /\bnpm run ([\w:-]+)/g).filter((name) => !(name in scripts))).toEqual([]);
});

it('every decision is in the index once, by title', () => {
  const title = (file: string) => /^# (.+)$/m.exec(textOf(`server/docs/decisions/${file}`))?.[1];
  const decisions = readdirSync(path.join(root, 'server/docs/decisions')).filter((file) => file !== 'README.md');
  const lines = decisions.sort().map((file) => `- [${file.slice(0, 3)} ${title(file)}](${file})`);
  expect(matches(textOf('server/docs/decisions/README.md'), /^(- \[.+)$/gm)).toEqual(lines);
});

it('at most fifty decisions exist, of forty lines in the same four parts', () => {
  const decisions = files.filter((file) => /^server\/docs\/decisions\/\d{3}-/.test(file));
  expect(decisions.length).toBeLessThanOrEqual(50);
  const parts =
    /^# .+\n\nStatus: (?:accepted|replaced by)[\s\S]+\n## Context\n[\s\S]+\n## Decision\n[\s\S]+\n## Consequences\n/;
  const wrong = decisions.filter((file) => textOf(file).split('\n').length > 41 || !parts.test(textOf(file)));
  expect(wrong).toEqual([]);
});

it.each(['app', 'server', 'test'])('document of %s/ has at most 150 lines', (folder) => {
  expect(textOf(`${folder}/README.md`).trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

it('first document fits two screens', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(120);
});

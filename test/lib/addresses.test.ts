/** Snapshot of every declared screen address. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { describe, expect, it } from 'vitest';
import routes from '#app/routes.ts';
import { type Declared, declarations } from '../support/declared-screens.ts';

const app = path.resolve(import.meta.dirname, '../../app');
const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).sort();

interface Mounted {
  id: string;
  path: string;
}
/** Routes with a path, each complete. */
const mounted = (entries: readonly RouteConfigEntry[], above = ''): Mounted[] =>
  entries.flatMap(({ id, index, path: own, children = [] }) => {
    const whole = own === undefined ? above : own.startsWith('/') || own === '*' ? own : `${above}/${own}`;
    return [...(own !== undefined || index ? [{ id: id ?? '', path: whole || '/' }] : []), ...mounted(children, whole)];
  });

describe('addresses', () => {
  it('equal the snapshot', async () => {
    const params = new Map<string, string[]>();
    for (const { places, search } of await declarations()) {
      for (const { id } of places) params.set(id, [...new Set([...(params.get(id) ?? []), ...Object.keys(search)])]);
    }
    const lines = mounted(routes).map(({ id, path: whole }) => {
      const search = params.get(id)?.join('&');
      return `${id}: ${whole}${search ? `?${search}` : ''}\n`;
    });
    await expect(lines.join('')).toMatchFileSnapshot('addresses.txt');
  });

  it('are all mounted where declared', async () => {
    const declared = (await declarations()).flatMap(({ places }) =>
      places.map(({ id, pattern }) => `${id} ${pattern}`),
    );
    const routed = mounted(routes).map(({ id, path: whole }) => `${id} ${whole}`);
    expect([...new Set(declared)].sort()).toEqual(routed.sort());
  });

  it('of dialogs keep the list behind', async () => {
    const all = await declarations();
    const disturbed = all.flatMap((over) =>
      over.places.flatMap(({ under, pattern }) => {
        if (under === undefined) return [];
        const behind = all.filter(({ places }) => places.some(({ id }) => id === under));
        return behind.flatMap((list) => (isDisturbed(list, over, pattern) ? [`${over.name} over ${list.name}`] : []));
      }),
    );
    expect([...new Set(disturbed)].sort()).toEqual([]);
  });
});

/** True if a list reads a dialog's parameter of the same name. */
function isDisturbed(list: Declared, over: Declared, pattern: string): boolean {
  const common = Object.keys(over.search).filter((name) => name in list.search);
  const isOtherList = list.fixed && over.over?.fixed && list.fixed.tab !== over.over.fixed.tab;
  if (common.length === 0 || isOtherList) return false;
  const url = new URL(pattern.replace(/:\w+/g, '3'), 'http://school.test');
  for (const [name, { fallback }] of Object.entries(list.search))
    if (fallback === undefined) url.searchParams.set(name, '3');
  for (const name of common) {
    url.searchParams.set(name, '7');
    url.searchParams.set(`behind-${name}`, '5');
  }
  const behind = new URL(over.behind?.(url) ?? '', url);
  return JSON.stringify(list.at(url)) !== JSON.stringify(list.at(behind));
}

describe('source code', () => {
  const sources = files
    .filter(
      (file) =>
        /\.tsx?$/.test(file) && !file.endsWith('screens.ts') && !file.startsWith('lib/') && file !== 'import-layers.ts',
    )
    .flatMap((file) =>
      readFileSync(path.join(app, file), 'utf8')
        .split('\n')
        .map((line) => ({ file, line: line.trim() })),
    );
  const linesWith = (pattern: RegExp, except: (file: string) => boolean = () => false) =>
    sources.filter(({ file, line }) => pattern.test(line) && !except(file)).map(({ file, line }) => `${file}: ${line}`);
  const first = new Set(mounted(routes).flatMap(({ path: whole }) => /^\/([a-z]+)/.exec(whole)?.[1] ?? []));
  const words = [...first].join('|');

  it('spells no address or pattern', () => {
    expect(linesWith(new RegExp(`['"\`]/(?:${words})(?:[/?#][^'"\`]*)?['"\`]`))).toEqual([]);
    expect(linesWith(new RegExp(`\\\\/(?:${words})\\\\/`))).toEqual([]);
    expect(linesWith(/\.pattern\b/, (file) => ['routes.ts', 'shell/posted-form.server.ts'].includes(file))).toEqual([]);
  });

  it("parses no ids by pattern, and none from the router's params", () => {
    // One to three digits are a row's position or hours.
    expect(linesWith(/\\d\{1,(?:[4-9]|\d\d)\}|\[1-9\]\\d/)).toEqual([]);
    expect(linesWith(/\bparams\b.*Route\.\w+Args|(?<![\w.])params\.\w/)).toEqual([]);
  });
});

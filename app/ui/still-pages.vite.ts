/**
 * The browser's build holds the pages that the router takes over there, and what they stand in. It goes nowhere from them:
 * each link and each form is the browser's own. So of every other page it has the sheets alone, none of its addresses,
 * words and contracts; and the router's list of routes, which comes to every page with a script, says nothing of them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { type Plugin, parseSync } from 'vite';

const client = 'build/client';
const start = 'window.__reactRouterManifest=';
/** What the router adds to the file of a route where it is an entry of the browser's build. */
const entry = '?__react-router-build-client-route';

type Route = Record<string, unknown>;

const saysNothing = (value: unknown): boolean => value === false || (Array.isArray(value) && value.length === 0);

/** Of a route only what it has: nothing is fetched ahead, and what is not said is not there. */
const slim = (route: Route): Route =>
  Object.fromEntries(Object.entries(route).filter(([name, value]) => name !== 'imports' && !saysNothing(value)));

/** Of each page that hydrates the id and the file, with those of the routes around it. */
async function takenOver(): Promise<{ ids: Set<string>; files: Set<string> }> {
  const app = path.resolve('app');
  const { default: declared }: { default: RouteConfigEntry[] } = await import(pathToFileURL(`${app}/routes.ts`).href);
  const ids = new Set(['root']);
  const files = new Set([path.join(app, 'root.tsx')]);
  const look = (entries: RouteConfigEntry[], around: RouteConfigEntry[]): void => {
    for (const one of entries) {
      const branch = [...around, one];
      if (/\bhydrate: true\b/.test(readFileSync(path.join(app, one.file), 'utf8'))) {
        for (const { id, file } of branch) {
          ids.add(id ?? file.replace(/\.tsx?$/, ''));
          files.add(path.join(app, file));
        }
      }
      look(one.children ?? [], branch);
    }
  };
  look(declared, []);
  if (ids.size < 10) throw new Error('no page that hydrates was found: the browser would have none');
  return { ids, files };
}

/** The sheets of what a file imports and of the file itself, in the order in which they apply. */
function sheetsOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  if (file.endsWith('.css')) return [file];
  if (!/(?<!\.server)\.tsx?$/.test(file)) return [];
  const { module } = parseSync(file, readFileSync(file, 'utf8'));
  return module.staticImports.flatMap(({ moduleRequest: { value }, entries }) => {
    const isTyped = entries.length > 0 && entries.every(({ isType }) => isType);
    return value.startsWith('.') && !isTyped ? sheetsOf(path.join(path.dirname(file), value), seen) : [];
  });
}

/** Of a page that never hydrates the browser's build has the sheets. */
export function stillPages(): Plugin {
  let live = new Set<string>();
  return {
    name: 'still-pages',
    apply: 'build',
    // After the router, which writes the entry of a route anew, and after what makes scripts of sheets.
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    async buildStart() {
      live = (await takenOver()).files;
    },
    transform(code, id) {
      // A sheet is kept also where no script reads its names; those are left out by who makes the chunks small.
      if (id.endsWith('.module.css')) return { code, map: null, moduleSideEffects: 'no-treeshake' };
      if (!id.endsWith(entry)) return undefined;
      const file = id.slice(0, -entry.length);
      if (live.has(file)) return undefined;
      const sheets = sheetsOf(file).map((sheet) => `import ${JSON.stringify(sheet)};\n`);
      return { code: sheets.join(''), map: { mappings: '' } };
    },
  };
}

export const slimManifest = (): Plugin => ({
  name: 'slim-manifest',
  apply: 'build',
  // The router writes it while the server is built.
  async closeBundle() {
    if (this.environment.name !== 'ssr') return;
    const { ids } = await takenOver();
    const folder = path.join(client, 'assets');
    for (const name of readdirSync(folder).filter((file) => /^manifest-.*\.js$/.test(file))) {
      const file = path.join(folder, name);
      const text = readFileSync(file, 'utf8');
      const manifest: { routes: Record<string, Route> } = JSON.parse(text.slice(start.length).replace(/;\s*$/, ''));
      const routes = Object.fromEntries(
        Object.entries(manifest.routes).flatMap(([id, route]) => (ids.has(id) ? [[id, slim(route)]] : [])),
      );
      writeFileSync(file, `${start}${JSON.stringify({ ...manifest, routes })};`);
    }
  },
});

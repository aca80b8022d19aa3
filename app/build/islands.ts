/**
 * Vite plugin for islands: parts of a page that client JS hydrates, while the page itself runs none
 * (app/ui/island.tsx). Each `*.island.tsx` is an entry of the browser build. The server reads the names of its built
 * files from the manifest.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const requestedId = 'virtual:islands';
const resolved = `\0${requestedId}`;
const manifestFile = 'build/client/.vite/manifest.json';

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

export function islands(): Plugin {
  const entries = globSync('app/**/*.island.tsx').map((file) => file.replaceAll(path.sep, '/'));
  let command: 'build' | 'serve' = 'build';
  let base = '/';
  return {
    name: 'islands',
    configResolved(config) {
      command = config.command;
      base = config.base;
    },
    buildStart() {
      if (command === 'serve' || this.environment.name !== 'client') return;
      for (const file of entries) this.emitFile({ type: 'chunk', id: path.resolve(file), name: nameOf(file) });
    },
    resolveId: (id) => (id === requestedId ? resolved : undefined),
    load(id) {
      if (id !== resolved) return undefined;
      const files =
        this.environment.name === 'client'
          ? {}
          : command === 'serve'
            ? sourceIslands(entries)
            : builtIslands(entries, base);
      return `export const islandFiles = ${JSON.stringify(files)};`;
    },
  };
}

const nameOf = (file: string) => path.basename(file, '.tsx');

/** Vite's hot reload. In development the router's own entry would load it first. */
const hotReload = '/@id/__x00__virtual:react-router/inject-hmr-runtime';

/** In development each island is served as its source file. */
const sourceIslands = (entries: string[]) =>
  Object.fromEntries(
    entries.map((file) => [nameOf(file), { scripts: [hotReload, `/${file}`], modules: [], styles: [] }]),
  );

/** Lists the built files of each island. Needs the manifest of the browser build. */
function builtIslands(entries: string[], base: string) {
  if (!existsSync(manifestFile)) throw new Error(`no ${manifestFile}: the browser's build comes first`);
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, Chunk>;
  return Object.fromEntries(
    entries.map((file) => {
      const chunks = importedChunks(manifest, file);
      const styles = new Set(chunks.flatMap(({ css = [] }) => css));
      return [
        nameOf(file),
        {
          scripts: [`${base}${manifest[file]?.file}`],
          modules: chunks.slice(1).map((chunk) => `${base}${chunk.file}`),
          // Leaves out style sheets that the page has anyway: the common one, and its screen's.
          styles: [...styles]
            .filter((sheet) => !/\/(?:styles|work|posts|analysis)-/.test(sheet))
            .map((sheet) => `${base}${sheet}`),
        },
      ];
    }),
  );
}

/** Returns a chunk and all its direct and indirect imports, itself first. */
function importedChunks(manifest: Record<string, Chunk>, start: string): Chunk[] {
  const seen = new Set([start]);
  for (const key of seen) for (const next of manifest[key]?.imports ?? []) seen.add(next);
  return [...seen].flatMap((key) => manifest[key] ?? []);
}

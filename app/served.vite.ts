/**
 * What serves a school, in one piece: the server's build, and what the process loads before it, with all of `server/` that
 * they import. Tests open the build itself, which shares the modules of `server/` with them; threads and commands run from
 * their sources.
 */
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { keptChecks } from './build/kept-checks.ts';
import { compact } from './compact.vite.ts';

/** Made once the server's build is written, into `build/served`. */
export function served(): Plugin {
  return {
    name: 'served',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'ssr',
    closeBundle: {
      order: 'post',
      async handler() {
        await build({
          configFile: false,
          publicDir: false,
          logLevel: 'warn',
          plugins: [ownPlaces(), keptChecks(), compact()],
          // Of what the server stands on, what is many small files; the other packages stay where they are.
          ssr: { noExternal: ['kysely', 'valibot', '@valibot/to-json-schema', 'hono', '@hono/node-server'] },
          build: {
            ssr: true,
            target: 'node24',
            outDir: 'build/served',
            emptyOutDir: false,
            minify: false,
            rolldownOptions: {
              input: { index: 'build/server/index.js', serving: 'server/serving.ts' },
              output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
            },
          },
        });
      },
    },
  };
}

/** A file of `server/` that asks where it lies is told where its source lies: what it reads and starts is beside that. */
function ownPlaces(): Plugin {
  const server = `${path.resolve('server')}/`;
  return {
    name: 'own-places',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(server) || !code.includes('import.meta.url')) return;
      const name = JSON.stringify(`#server/${id.slice(server.length)}`);
      return { code: code.replaceAll('import.meta.url', `import.meta.resolve(${name})`), map: null };
    },
  };
}

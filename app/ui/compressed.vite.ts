/**
 * Scripts and stylesheets lie there once more, compressed further than there is time for while a browser waits: an eighth
 * less of all that a first visit loads, for browsers that ask for it (they do over HTTPS). `server/platform/calls/front.ts` sends
 * them.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const folder = 'build/client/assets';
const small = promisify(brotliCompress);

export function compressed(): Plugin {
  let began = Date.now();
  return {
    name: 'compressed',
    apply: 'build',
    // After all others: the list of routes is written while the server is built.
    enforce: 'post',
    buildStart() {
      if (this.environment.name === 'client') began = Date.now();
    },
    async closeBundle() {
      if (this.environment.name !== 'ssr') return;
      // Those of the build before lie there too (keepFormer in server/platform/commands/setup.mjs).
      const files = readdirSync(folder)
        .filter((name) => /\.(?:js|css)$/.test(name))
        .map((name) => path.join(folder, name))
        .filter((file) => statSync(file).mtimeMs > began - 1000);
      // One step below the utmost: half the time, and a hundredth more.
      const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
      await Promise.all(
        files.map(async (file) => writeFileSync(`${file}.br`, await small(readFileSync(file), { params }))),
      );
    },
  };
}

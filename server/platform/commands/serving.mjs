// How the serving process is run, by `npm start` and by the bench: small memory before the last bit of speed, for the
// small machines of schools. 193 MB after 2,000 homework lists and 197 MB after 4,000; without these flags it was 405 MB.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Flags of Node. A page needs little young memory, and a large one only grows the process; so does the room for the old. */
export const servingFlags = [
  '--max-semi-space-size=8',
  '--max-old-space-size=512',
  `--import=${new URL('../../serving.ts', import.meta.url)}`,
];

/** What serves the screens and the API, and what keeps several of it, by the project's root. */
export const servedProgram = ['node_modules/@react-router/serve/bin.cjs', 'build/server/index.js'];
const several = [
  '--max-semi-space-size=1',
  '--max-old-space-size=64',
  `--import=${new URL('../configuration/load.mjs', import.meta.url)}`,
  'server/platform/commands/several.ts',
];

/**
 * What Node is given to serve a school with so many processes.
 *
 * @param {number} processes
 * @returns {string[]}
 */
export const servingCommand = (processes) => (processes > 1 ? several : [...servingFlags, ...servedProgram]);

/**
 * glibc keeps freed memory per thread and arena; two arenas are enough for one busy thread and its workers. And it keeps
 * ever larger blocks, up to 32 MB, once it has seen one of that size: with a limit they go back to the system.
 */
export const servingEnvironment = {
  NODE_ENV: 'production',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/**
 * What an earlier start has kept (server/serving.ts) serves this one from its first file on: that it strips no types of
 * its own sources is a fifth of its time, and the 18 MB of what strips them are never loaded. A release brings what was
 * kept when it was made.
 *
 * @param {string} root of the product
 * @param {string} varDir
 * @returns {NodeJS.ProcessEnv}
 */
export function compiledBefore(root, varDir) {
  const released = join(root, releasedCompiled);
  if (existsSync(released)) return { NODE_COMPILE_CACHE: released, NODE_COMPILE_CACHE_PORTABLE: '1' };
  const compiled = join(varDir, 'compiled');
  return existsSync(compiled) ? { NODE_COMPILE_CACHE: compiled } : {};
}

export const releasedCompiled = 'build/compiled';

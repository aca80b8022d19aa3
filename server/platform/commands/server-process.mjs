// How the serving process is run, by `npm start` and by the bench: little memory before the last bit of speed, for the
// small machines of schools.

/** Flags of Node. A page needs little young memory, and a large one only grows the process; so does the room for the old. */
export const servingFlags = [
  '--max-semi-space-size=8',
  '--max-old-space-size=512',
  `--import=${new URL('../../process-setup.ts', import.meta.url)}`,
];

/** What serves the screens and the API, and what keeps several of it, by the project's root. */
export const servedProgram = ['node_modules/@react-router/serve/bin.cjs', 'server/screens.mjs'];
const several = [
  '--max-semi-space-size=1',
  '--max-old-space-size=64',
  `--import=${new URL('../configuration/load.mjs', import.meta.url)}`,
  'server/platform/commands/cluster.ts',
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

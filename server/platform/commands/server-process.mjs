// Flags and environment with which `npm start` and the benchmarks run the server. They favour little memory, for small
// servers.

/** Node flags. Requests need little young generation; larger limits only grow the process. */
export const servingFlags = [
  '--max-semi-space-size=8',
  '--max-old-space-size=512',
  `--import=${new URL('../../process-setup.ts', import.meta.url)}`,
];

/** Program that serves screens and API, and the flags of the cluster's primary process; paths from the project root. */
export const servedProgram = ['node_modules/@react-router/serve/bin.cjs', 'server/screens.mjs'];
const several = [
  '--max-semi-space-size=1',
  '--max-old-space-size=64',
  `--import=${new URL('../configuration/load.mjs', import.meta.url)}`,
  'server/platform/commands/cluster.ts',
];

/**
 * Node arguments to serve a school with this many processes.
 *
 * @param {number} processes
 * @returns {string[]}
 */
export const servingCommand = (processes) => (processes > 1 ? several : [...servingFlags, ...servedProgram]);

/**
 * glibc keeps freed memory per arena; two arenas suffice for one busy thread and its workers. The mmap threshold is
 * fixed, because glibc raises it to up to 32 MB and then keeps large blocks instead of returning them to the system.
 */
export const servingEnvironment = {
  NODE_ENV: 'production',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

// How the serving process is run, by `npm start` and by the bench: small memory before the last bit of speed, for the
// small machines of schools. 193 MB after 2,000 homework lists and 197 MB after 4,000; without these flags it was 405 MB.

/** Flags of Node. A page needs little young memory, and a large one only grows the process; so does the room for the old. */
export const servingFlags = [
  '--max-semi-space-size=8',
  '--max-old-space-size=512',
  `--import=${new URL('../../serving.ts', import.meta.url)}`,
];

/** glibc keeps freed memory per thread and arena; two arenas are enough for one busy thread and its workers. */
export const servingEnvironment = { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2' };

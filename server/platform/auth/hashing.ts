/**
 * Hashing a password takes 19 MB and a core for as long as it lasts, on purpose, on the threads that files and name
 * look-ups need as well. So a few are computed at a time, the next ones wait, and beyond that is refused.
 */
import { availableParallelism } from 'node:os';

/** At the same time, and waiting: about two seconds' worth. */
export const hashesAtOnce = Math.min(4, availableParallelism());
export const hashesWaiting = 100;

/** So many are waiting that one more had better come again. */
export class TooManyHashes extends Error {}

let running = 0;
const waiting: (() => void)[] = [];

export async function inTurn<T>(hash: () => Promise<T>): Promise<T> {
  if (running < hashesAtOnce) running += 1;
  else if (waiting.length >= hashesWaiting) throw new TooManyHashes('too many passwords to hash');
  // Whoever ends hands its place on.
  else await new Promise<void>((turn) => waiting.push(turn));
  try {
    return await hash();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

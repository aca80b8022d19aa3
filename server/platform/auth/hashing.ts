/**
 * Queue for password hashing. One hash takes 19 MB and a core on Node's shared thread pool, which also serves files and
 * DNS. So a few run at a time, some wait in the queue, and any further hash is refused.
 */
import { availableParallelism } from 'node:os';

/** Maximum hashes at a time. A full queue of `maxWaitingHashes` takes about two seconds. */
export const maxHashes = Math.min(4, availableParallelism());
export const maxWaitingHashes = 100;

/** Thrown if the queue is full. */
export class TooManyHashes extends Error {}

let running = 0;
const waiting: (() => void)[] = [];

export async function hashInTurn<T>(hash: () => Promise<T>): Promise<T> {
  if (running < maxHashes) running += 1;
  else if (waiting.length >= maxWaitingHashes) throw new TooManyHashes('too many passwords to hash');
  // A hash that ends hands its place to the next one in the queue.
  else await new Promise<void>((turn) => waiting.push(turn));
  try {
    return await hash();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

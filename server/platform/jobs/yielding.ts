import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work after which others get their turn. */
const maxTurn = 8;

/**
 * For work of many small steps that is too short for a thread and too long for one turn of the request loop: it asks
 * after each step, and waits where it has worked for a while.
 */
export class Yielding {
  private since = performance.now();

  async others(): Promise<void> {
    if (performance.now() - this.since < maxTurn) return;
    await nextTurn();
    this.since = performance.now();
  }
}

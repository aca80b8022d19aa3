import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work after which other work of the event loop gets its turn. */
const maxTurn = 8;

/**
 * Yields to the event loop, for work of many small steps that is too short for a worker thread. Call `others` after
 * each step.
 */
export class Yielding {
  private since = performance.now();

  async others(): Promise<void> {
    if (performance.now() - this.since < maxTurn) return;
    await nextTurn();
    this.since = performance.now();
  }
}

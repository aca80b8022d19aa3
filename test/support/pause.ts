import { setTimeout as pause } from 'node:timers/promises';

/**
 * How long something takes that is itself tried: a fault, a piece of work, the answer of a slow peer. Never a wait for
 * something to be done, which is a state (`expect.poll`, or a loop that asks).
 */
export const pauseFor = (milliseconds: number): Promise<void> => pause(milliseconds);

import { setTimeout as pause } from 'node:timers/promises';

/**
 * Simulates a duration under test: a fault, a piece of work, a slow peer. Never used to wait for a state (use
 * `expect.poll` or a loop).
 */
export const pauseFor = (milliseconds: number): Promise<void> => pause(milliseconds);

import { setTimeout as pause } from 'node:timers/promises';

/**
 * Simulates a duration that is part of a test: a fault, a piece of work, a slow peer. Never use it to wait for a state;
 * use `expect.poll` or a loop.
 */
export const pauseFor = (milliseconds: number): Promise<void> => pause(milliseconds);

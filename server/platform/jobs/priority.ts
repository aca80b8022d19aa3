import { constants, setPriority } from 'node:os';

/**
 * Lowers this thread's priority so that page requests run first. Linux only: on other systems it would lower the whole
 * process.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

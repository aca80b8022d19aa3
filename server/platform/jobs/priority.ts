import { constants, setPriority } from 'node:os';

/**
 * What nobody waits for lets go first whoever asks for a page. On Linux the priority is that of the thread which says so,
 * elsewhere it would be the whole process's: there nothing is done.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

/** Measures how long work blocks the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Returns the milliseconds of CPU time of this thread's longest event loop turn while `work` runs. CPU time does not
 * depend on how busy the machine is.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const cpuMilliseconds = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let isOver = false;
  let longest = 0;
  await nextTurn();
  let before = cpuMilliseconds();
  const turn = () => {
    const now = cpuMilliseconds();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const watching = (async () => {
    while (!isOver) {
      await nextTurn();
      turn();
    }
  })();
  await work().finally(() => {
    isOver = true;
  });
  await watching;
  return longest;
}

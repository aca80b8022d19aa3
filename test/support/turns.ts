/** How long one turn of the loop takes: for whom somebody else's request makes wait. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Milliseconds of processor time of this thread in its longest turn while `work` runs. The processor's time and not the
 * clock's: a busy machine makes nothing of it longer.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let isOver = false;
  let longest = 0;
  await nextTurn();
  let before = used();
  const turn = () => {
    const now = used();
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

/** Ports for what a test starts. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Each process of the tests has a range of its own, below the ports that the system gives to connections. */
const range = 4_000;
const first = 10_000 + range * Number(process.env.VITEST_POOL_ID ?? 0);
let given = Math.floor(Math.random() * range);

/** One that nothing listens on, and that no other test is given before it is used. */
export async function freePort(): Promise<number> {
  given = (given + 1) % range;
  const port = first + given;
  return (await isFree(port)) ? port : freePort();
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    await new Promise((closed) => probe.close(closed));
  }
}

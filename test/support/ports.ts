/** Ports for what a test starts. */
import { tryPort } from '#server/platform/commands/process.mjs';

/** Each process of the tests has a range of its own, below the ports that the system gives to connections. */
const range = 4_000;
const first = 10_000 + range * Number(process.env.VITEST_POOL_ID ?? 0);
let given = Math.floor(Math.random() * range);

/** One that nothing listens on, and that no other test is given before it is used. */
export async function freePort(): Promise<number> {
  given = (given + 1) % range;
  return (await tryPort(first + given)) ?? freePort();
}

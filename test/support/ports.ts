import { tryPort } from '#server/platform/commands/process.mjs';

/** Each test process has its own range of ports, below the ports that the system assigns to connections. */
const range = 4_000;
const first = 10_000 + range * Number(process.env.VITEST_POOL_ID ?? 0);
let given = Math.floor(Math.random() * range);

/** Returns a port that is free and that no other test gets. */
export async function freePort(): Promise<number> {
  given = (given + 1) % range;
  return (await tryPort(first + given)) ?? freePort();
}

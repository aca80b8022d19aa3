import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { withDeadline, withinDeadline } from '#server/platform/db/deadline.ts';

/** Blocks this process for a number of milliseconds. */
const busy = (time: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time);

it('accepts an answer that arrived while the process was blocked beyond its deadline', async () => {
  const peer = createServer().listen(0);
  await once(peer, 'listening');
  const asking = connect((peer.address() as AddressInfo).port);
  const [[answering]] = (await Promise.all([once(peer, 'connection'), once(asking, 'connect')])) as [[Socket], unknown];
  const answered = withDeadline(50, () => withinDeadline(() => once(asking, 'data')));
  answering.write('here');
  busy(200);
  expect(String((await answered)[0])).toBe('here');
  await expect(withDeadline(50, () => withinDeadline(() => once(asking, 'data')))).rejects.toThrow(
    'does not answer in time',
  );
  asking.destroy();
  answering.destroy();
  peer.close();
});

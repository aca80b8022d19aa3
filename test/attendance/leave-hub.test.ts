import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Listener, watchedClasses, watchLeave } from '../../app/attendance/leave-hub.server.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

let mark = 'a';
const listener = (ask: Listener['ask'] = async () => ({ pending: 1, mark })) => ({
  ask: vi.fn(ask),
  tell: vi.fn<Listener['tell']>(),
  end: vi.fn<Listener['end']>(),
});
const interval = () => vi.advanceTimersByTimeAsync(100);

it('leave hub polls once per class and interval, and notifies all listeners', async () => {
  const [first, second, other] = [listener(), listener(), listener()];
  const stops = [watchLeave(1, first, 100), watchLeave(1, second, 100), watchLeave(2, other, 100)];
  await interval();
  await interval();
  expect([first.ask, second.ask, other.ask].map(({ mock }) => mock.calls.length)).toEqual([2, 0, 2]);
  expect([first.tell, second.tell].map(({ mock }) => mock.calls)).toEqual([[['a']], [['a']]]);
  mark = 'b';
  await interval();
  expect(second.tell.mock.calls).toEqual([['a'], ['b']]);
  for (const stop of stops) stop();
  expect(watchedClasses()).toBe(0);
  await interval();
  expect(first.ask).toHaveBeenCalledTimes(3);
});

it('leave hub drops listeners without access, and keeps all during an API outage', async () => {
  const away = listener(async () => undefined);
  const stopAway = watchLeave(3, away, 100);
  await interval();
  expect([away.tell, away.end].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  stopAway();

  const signedOut = listener(() => Promise.reject(new Error('signed out')));
  const stop = watchLeave(3, signedOut, 100);
  signedOut.end.mockImplementation(stop);
  const next = listener();
  const stopNext = watchLeave(3, next, 100);
  await interval();
  expect(signedOut.end).toHaveBeenCalledOnce();
  await interval();
  expect(next.tell).toHaveBeenCalledOnce();
  stopNext();
  expect(watchedClasses()).toBe(0);
});

it('leave hub never polls while an answer is pending', async () => {
  let answer = (_: { pending: number; mark: string }) => {};
  const slow = listener(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const stop = watchLeave(4, slow, 100);
  await interval();
  await interval();
  expect(slow.ask).toHaveBeenCalledOnce();
  answer({ pending: 0, mark: 'c' });
  await interval();
  expect([slow.tell.mock.calls, slow.ask.mock.calls.length]).toEqual([[['c']], 2]);
  stop();
});

it('leave hub closes all streams at shutdown, and removes its handler', () => {
  const another = () => {};
  process.on('SIGTERM', another);
  const before = process.listenerCount('SIGTERM');
  const listeners = [listener(), listener()];
  const stops = listeners.map((one, index) => watchLeave(index + 1, one, 100));
  listeners.forEach((one, index) => {
    one.end.mockImplementation(() => stops[index]?.());
  });
  expect(process.listenerCount('SIGTERM')).toBe(before + 1);
  process.listeners('SIGTERM').at(-1)?.('SIGTERM');
  for (const { end } of listeners) expect(end).toHaveBeenCalledOnce();
  expect([watchedClasses(), process.listenerCount('SIGTERM')]).toEqual([0, before]);
  process.off('SIGTERM', another);
});

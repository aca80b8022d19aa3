import { expect, it } from 'vitest';
import { createGiving } from '#server/platform/processes/memory.ts';

const asked = (count: number, { isPage = true } = {}) => {
  const giving = createGiving();
  for (let request = 0; request < count; request += 1) giving.note(isPage);
  return giving;
};

/** At each of so many looks, with so many requests before each. */
const looks = (giving: ReturnType<typeof asked>, count: number, requests = 0) =>
  Array.from({ length: count }, () => {
    for (let request = 0; request < requests; request += 1) giving.note(false);
    return giving.isTime();
  });

it('gives memory back once nobody has asked for five looks, and not again for nothing', () => {
  const giving = asked(1_000);
  giving.isTime();
  expect(looks(giving, 5)).toEqual([false, false, false, false, true]);
  expect(looks(giving, 20)).not.toContain(true);
});

it('is not kept from it by probes and by pages that ask whether there is news, but by whoever works', () => {
  const giving = asked(1_000);
  giving.isTime();
  expect(looks(giving, 5, 10)).toEqual([false, false, false, false, true]);
  const worked = asked(1_000);
  expect(looks(worked, 60, 11)).not.toContain(true);
  expect(looks(worked, 5)).toContain(true);
});

it('leaves a process alone that has done little', () => {
  expect(looks(asked(999), 60)).not.toContain(true);
});

it('gives memory back after two thousand pages while others wait, and after calls only at rest', () => {
  expect(asked(1_999).isTime()).toBe(false);
  expect(asked(2_000).isTime()).toBe(true);
  const calls = asked(20_000, { isPage: false });
  expect(calls.isTime()).toBe(false);
  expect(looks(calls, 5)).toContain(true);
});

it('gives memory back at rest after a large body, whatever else was asked, and not after a small one', () => {
  const giving = asked(1);
  giving.noteBody(3 * 1024 * 1024);
  expect(looks(giving, 60)).not.toContain(true);
  giving.noteBody(200 * 1024 * 1024);
  expect(giving.isTime()).toBe(true);
  expect(looks(giving, 20)).not.toContain(true);
});

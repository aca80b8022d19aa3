import { expect, it } from 'vitest';
import { createGiving } from '#server/platform/processes/memory.ts';

const asked = (count: number, { at = 0, isPage = true } = {}) => {
  const giving = createGiving();
  for (let request = 0; request < count; request += 1) giving.note(at, isPage);
  return giving;
};

it('gives memory back once nobody has asked for five seconds, and not again for nothing', () => {
  const giving = asked(1_000, { at: 10_000 });
  expect(giving.isTime(14_999)).toBe(false);
  expect(giving.isTime(15_000)).toBe(true);
  expect(giving.isTime(60_000)).toBe(false);
});

it('leaves a process alone that has done little', () => {
  expect(asked(999).isTime(60_000)).toBe(false);
});

it('gives memory back after two thousand pages while others wait, and after calls only at rest', () => {
  expect(asked(1_999).isTime(0)).toBe(false);
  expect(asked(2_000).isTime(0)).toBe(true);
  expect(asked(20_000, { isPage: false }).isTime(0)).toBe(false);
  expect(asked(20_000, { isPage: false }).isTime(5_000)).toBe(true);
});

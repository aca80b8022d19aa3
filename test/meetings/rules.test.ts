import { expect, it } from 'vitest';
import { joinFault } from '#server/meetings/rules.ts';

it('a learner joins a meeting while it lasts', () => {
  expect(joinFault({ live_status: 1 })).toBe('班会尚未开始');
  expect(joinFault({ live_status: 2 })).toBeUndefined();
  expect(joinFault({ live_status: 3 })).toBe('班会已结束');
});

import { describe, expect, it } from 'vitest';
import { deleteFault, leaveFault, reportFault } from '#server/community/rules.ts';

const me = 7;
const mine = { user_type: 2, group_type: 2, is_headed: 0, staff_id: me };

describe('deleting a post', () => {
  it.each([
    ['in a group, one’s own', {}, undefined],
    ['in a group, by another', { staff_id: 8 }, '只能删除自己发布的帖子'],
    [
      'in a group, by another, as the head teacher of some class',
      { staff_id: 8, is_headed: 1 },
      '只能删除自己发布的帖子',
    ],
    ['in a circle, one’s own', { group_type: 1 }, '只有班主任可以删除圈子帖子'],
    ['in a circle, by its head teacher', { group_type: 1, is_headed: 1, staff_id: null }, undefined],
    ['of the school, by the head teacher', { group_type: 1, is_headed: 1, user_type: 4 }, '学校发布的帖子不能删除'],
  ])('%s: %s', (_, change, fault) => {
    expect(deleteFault({ ...mine, ...change }, me)).toBe(fault);
  });
});

it("another's post is reported once", () => {
  expect(reportFault({ staff_id: me }, me)).toBe('不能举报自己发布的帖子');
  expect(reportFault({ staff_id: null }, me)).toBeUndefined();
  expect(reportFault({ staff_id: 8, isReported: false }, me)).toBeUndefined();
  expect(reportFault({ staff_id: 8, isReported: true }, me)).toBe('您已举报过该帖子');
});

it('a group can be left, a class circle cannot', () => {
  expect([leaveFault({ group_type: 1 }), leaveFault({ group_type: 2 })]).toEqual(['班级圈子不能退出', undefined]);
});

import { expect, it } from 'vitest';
import { groupRoomFault } from '#server/live/rules.ts';

it('a lecturer enters the room of a group where the course allows it, an assistant always', () => {
  expect(groupRoomFault('teacher', { assistant_room: 0 })).toBe('该课程未开放讲师进入助教直播间');
  expect(groupRoomFault('teacher', { assistant_room: 1 })).toBeUndefined();
  expect(groupRoomFault('assist', { assistant_room: 0 })).toBeUndefined();
});

import { expect, it } from 'vitest';
import { groupRoomFault } from '#server/live/rules.ts';

it("a group's room admits lecturers if the course allows, assistants always", () => {
  expect(groupRoomFault('teacher', { assistant_room: 0 })).toBe('该课程未开放讲师进入助教直播间');
  expect(groupRoomFault('teacher', { assistant_room: 1 })).toBeUndefined();
  expect(groupRoomFault('assist', { assistant_room: 0 })).toBeUndefined();
});

/** Fields of a calendar entry that all kinds share. */

import { classTypes } from '#server/classes/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { CalendarCourse } from './contract.ts';
import { entryPoint, type LiveFacts, mayEnterAssistantRoom } from './entry.ts';

export const emptyEntry: Omit<
  CalendarCourse,
  'kind' | 'id' | 'start_play' | 'end_play' | 'live_status' | 'entry' | 'assistant_room'
> = {
  period_title: '',
  meeting_name: '',
  class_name: '',
  course_title: '',
  nickname: '',
  room_name: '',
  periods_type: 1,
  course_type: 1,
  is_playback: 0,
  allow_enter: 0,
  advance_time: 0,
  student_code: '',
  assistant_code: '',
  teacher_code: '',
  periods_extend: 0,
  course_extend: 0,
  class_list: [],
  course_basis_id: 0,
  course_chapter_id: 0,
  class_type: classTypes.stateSchool,
  is_cancelled: 0,
};

/** Completes an entry with the way in which the actor may enter its live room. */
export function withEntryPoint(
  { identity }: Actor,
  isTheirs: boolean,
  course: Omit<CalendarCourse, 'entry' | 'assistant_room'>,
): CalendarCourse {
  const facts: LiveFacts = { ...course, isTheirs, groups: course.class_list.length };
  return {
    ...course,
    entry: entryPoint(identity, facts),
    assistant_room: identity === 'teacher' && mayEnterAssistantRoom(facts) ? 1 : 0,
  };
}

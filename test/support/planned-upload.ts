/** Periods, lessons and attendance in the classes of the test uploads (imports.ts). */
import { record, ref } from './imports.ts';
import { day, noon } from './school.ts';

/** Periods of the course, and lessons of the group class; one lesson teaches a period. */
export const plannedUpload = () => [
  record('period', 'Q1', {
    course_id: ref('course', 'C1'),
    chapter_title: '第一章',
    title: '第一讲',
    lecturer_id: ref('staff', 'T1'),
    start_play: noon,
    minutes: 90,
    advance_time: 10,
  }),
  record('period', 'Q2', { course_id: ref('course', 'C1'), title: '第二讲', start_play: noon + 7 * day, minutes: 45 }),
  ...['L1', 'L2'].map((id, at) =>
    record('lesson', id, {
      class_id: ref('group_class', 'U1'),
      course_id: ref('course', 'C1'),
      ...(at === 0 ? { period_id: ref('period', 'Q1') } : { chapter_title: '复习', room_id: ref('room', 'R1') }),
      lecturer_id: ref('staff', 'T1'),
      teaching_mode: 2,
      day: `2026-11-2${at + 1}`,
      start: '09:00',
      end: '10:30',
    }),
  ),
];

/** Decides who may enter a live room, and when. */

import { groupCourses, liveCourses, offlineCourse } from '#server/classes/rules.ts';
import { type LiveStatus, meetingMessages } from '#server/meetings/rules.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { CalendarCourse } from './contract.ts';
import { type EntryKind, entryMessages } from './rules.ts';

/** Status of a lesson: 1 not started, 2 live, 3 ended. All times in unix seconds. */
export function liveStatus(start: number, end: number, now: number): LiveStatus {
  if (now < start) return 1;
  return now < end ? 2 : 3;
}

export interface LiveFacts {
  kind: EntryKind;
  live_status: LiveStatus;
  periods_type: number;
  course_type: number;
  is_playback: 0 | 1;
  allow_enter: 0 | 1;
  periods_extend: 0 | 1;
  course_extend: 0 | 1;
  is_cancelled: 0 | 1;
  /** True if the user teaches or assists the lesson. */
  isTheirs: boolean;
  /** Number of groups whose rooms the user may enter. */
  groups: number;
}

export type EntryPoint = CalendarCourse['entry'];

const closedEntry = (reason: string): EntryPoint => ({ way: 'closed', reason });

/**
 * Returns the way into a lesson that is offered: the live room before and during the lesson, afterwards the playback or
 * a note that there is none.
 */
export function entryPoint(identity: Identity, facts: LiveFacts): EntryPoint {
  if (facts.is_cancelled === 1) return closedEntry(entryMessages.cancelled);
  if (facts.periods_type === offlineCourse) return closedEntry(entryMessages.offline);
  if (facts.live_status === 3) {
    return facts.is_playback === 1
      ? { way: 'playback', reason: '' }
      : { way: 'no_playback', reason: entryMessages.noPlayback };
  }
  if (!facts.isTheirs) return closedEntry(noEntryReason(identity, facts.kind));
  if (facts.allow_enter === 1) return closedEntry(entryMessages.notOpen);
  // Meetings and scheduled lessons have a single room, without groups.
  if (facts.kind !== 'period') return { way: 'enter', reason: '' };
  if (!liveCourses.includes(facts.course_type)) return closedEntry(entryMessages.noRoom);
  if (identity === 'teacher') return { way: 'enter', reason: '' };
  if (usesGroupRooms(facts) && facts.periods_extend !== 1) return closedEntry(entryMessages.noAssistantRoom);
  if (facts.groups === 0) return { way: 'no_group', reason: entryMessages.noGroup };
  return { way: facts.groups === 1 ? 'enter' : 'choose', reason: '' };
}

function noEntryReason(identity: Identity, kind: EntryKind): string {
  if (kind === 'meeting') return meetingMessages.entry;
  return identity === 'assist' ? entryMessages.assistantsOfClass : entryMessages.lecturer;
}

/** True if a period of this type uses group or assistant rooms. */
export const usesGroupRooms = ({ periods_type }: Pick<LiveFacts, 'periods_type'>) =>
  groupCourses.includes(periods_type);

/**
 * True if the user may enter the assistant rooms. Lecturers always enter the lecture's room, and the assistant rooms
 * only if `course_extend` is 1.
 */
export function mayEnterAssistantRoom(facts: LiveFacts): boolean {
  return (
    facts.kind === 'period' &&
    usesGroupRooms(facts) &&
    facts.course_extend === 1 &&
    facts.groups > 0 &&
    entryPoint('teacher', facts).way === 'enter'
  );
}

/** Decides which live room a user may enter. */
import type { CalendarCourse, ClassGroup } from '#server/calendar/contract.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import { conflict, forbidden, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { groupRoomFault, liveMessages } from './rules.ts';

/**
 * Destination of a user: to the playback, to a room (of one group, or of the whole lesson), or to a choice of groups.
 */
export type LiveDestination = { to: 'playback' } | { to: 'room'; group: ClassGroup | undefined } | { to: 'choose' };

/**
 * Returns where a user is sent. 403: too early, or the room of another group. 409: the lesson is cancelled, or is over
 * and has no playback.
 */
export function resolveRoom(
  identity: Identity,
  course: Pick<CalendarCourse, 'kind' | 'entry' | 'class_list' | 'assistant_room' | 'is_cancelled'>,
  groupId: number | undefined,
): LiveDestination | Refusal {
  const { way, reason } = course.entry;
  if (way === 'closed') return course.is_cancelled === 1 ? conflict(reason) : forbidden(reason);
  if (way === 'no_group') return forbidden(reason);
  if (way === 'no_playback') return conflict(liveMessages.over);
  if (way === 'playback') return { to: 'playback' };
  if (groupId === undefined) {
    if (way === 'choose') return { to: 'choose' };
    // An assistant with one group enters its room directly; a lecturer enters the lecture's room.
    return { to: 'room', group: identity === 'assist' ? course.class_list[0] : undefined };
  }
  const refusal = refuseFor('forbidden', groupRoomFault(identity, course));
  if (refusal) return refusal;
  const group = course.class_list.find(({ class_group_id }) => class_group_id === groupId);
  return group ? { to: 'room', group } : forbidden(liveMessages.noGroup);
}

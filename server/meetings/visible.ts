/** Queries of the class meetings that a user sees: the meetings of visible classes. Any other meeting is 404. */

import { visibleClasses } from '#server/classes/visible.ts';
import type { Viewer } from '#server/platform/auth/sign-in.ts';
import { missing } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type LiveStatus, missingMeeting } from './rules.ts';

export const visibleMeetings = (db: Database, actor: Viewer) =>
  db.selectFrom('class_meeting').where('class_meeting.class_id', 'in', visibleClasses(db, actor).select('class.id'));

export const meetingNotFound = () => missing(missingMeeting);

/** Returns the status of a meeting. Times in unix seconds. At `end_time` itself the meeting has ended. */
export const liveStatusOf = (meeting: { start_time: number; end_time: number }, now: number): LiveStatus =>
  now < meeting.start_time ? 1 : now < meeting.end_time ? 2 : 3;

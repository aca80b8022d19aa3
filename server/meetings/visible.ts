/** Who sees which class meeting: whoever sees its class. Every read starts here; what is not seen is 404. */

import { visibleClasses } from '#server/classes/visible.ts';
import type { Viewer } from '#server/platform/auth/sign-in.ts';
import { missing } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type LiveStatus, missingMeeting } from './rules.ts';

/** The meetings of the classes that the actor sees, to be joined and narrowed. */
export const visibleMeetings = (db: Database, actor: Viewer) =>
  db.selectFrom('class_meeting').where('class_meeting.class_id', 'in', visibleClasses(db, actor).select('class.id'));

export const noMeeting = () => missing(missingMeeting);

/** Times in unix seconds. The moment of the end belongs to what is over. */
export const liveStatusOf = (meeting: { start_time: number; end_time: number }, now: number): LiveStatus =>
  now < meeting.start_time ? 1 : now < meeting.end_time ? 2 : 3;

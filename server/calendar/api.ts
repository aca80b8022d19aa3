import { refuseClass } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { handle, type RuleContext } from '#server/school/context.ts';
import {
  calendarFeed,
  classDayCourses,
  classMonthCourses,
  dayCourses,
  feedPath,
  monthCourses,
  renewCalendarFeed,
  revokeCalendarFeed,
} from './contract.ts';
import { entriesBetween } from './entries.ts';
import { feedState, renewFeed, revokeFeed } from './feed.ts';
import { daySpan, monthCounts } from './month.ts';
import { noFeedInUse } from './rules.ts';

export const calendarCalls = [
  handle(monthCourses, ({ query, ...context }) =>
    monthOf(context, query, { actor: context.actor, classId: undefined }),
  ),
  handle(dayCourses, ({ query, ...context }) => daysOf(context, query, { actor: context.actor, classId: undefined })),
  handle(classMonthCourses, ({ params, query, ...context }) =>
    withCalendar(context, params.classId, (whose) => monthOf(context, query, whose)),
  ),
  handle(classDayCourses, ({ params, query, ...context }) =>
    withCalendar(context, params.classId, (whose) => daysOf(context, query, whose)),
  ),
  handle(calendarFeed, ({ query, ...context }) =>
    withCalendar(context, query.class_id, (whose) => feedState(context.db, whose)),
  ),
  handle(renewCalendarFeed, ({ body, ...context }) =>
    withCalendar(context, body.class_id, async (whose) => ({
      path: feedPath(await renewFeed(context.db, whose, context.now)),
    })),
  ),
  handle(revokeCalendarFeed, ({ query, ...context }) =>
    withCalendar(context, query.class_id, async (whose) =>
      (await revokeFeed(context.db, whose, context.now)) ? null : missing(noFeedInUse),
    ),
  ),
];

type MonthContext = RuleContext<'now' | 'settings'>;

interface CalendarOwnerRequest {
  actor: Actor;
  /** Class whose calendar is read; undefined for the actor's own calendar. */
  classId: number | undefined;
}

const monthOf = (
  { db, now, settings: { timezone } }: MonthContext,
  { date, until }: { date?: string | undefined; until?: string | undefined },
  whose: CalendarOwnerRequest,
) => monthCounts(db, whose, { date, last: until, now, timezone });

const daysOf = (
  { db, now, settings: { timezone } }: MonthContext,
  { date, until }: { date?: string | undefined; until?: string | undefined },
  whose: CalendarOwnerRequest,
) => entriesBetween(db, whose, { ...daySpan({ date, last: until }, { now, timezone }), now });

/**
 * Runs `work` on the calendar of a visible class; without a class on the actor's own calendar. 404: the actor does not
 * see the class.
 */
async function withCalendar<Result>(
  { db, actor }: RuleContext<'actor'>,
  classId: number | undefined,
  work: (whose: CalendarOwnerRequest) => Promise<Result>,
): Promise<Result | Refusal> {
  const refusal = classId === undefined ? undefined : await refuseClass(db, actor, classId);
  return refusal ?? work({ actor, classId });
}

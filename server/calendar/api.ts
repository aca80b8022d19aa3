import { refuseClass } from '#server/classes/visible.ts';
import { missing } from '#server/platform/calls/outcome.ts';
import { handle } from '#server/school/context.ts';
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
import { coursesBetween } from './entries.ts';
import { feedState, renewFeed, revokeFeed } from './feed.ts';
import { daySpan, monthCounts } from './month.ts';
import { missingFeedInUse } from './rules.ts';

export const calendarCalls = [
  handle(monthCourses, ({ db, actor, query, now, settings: { timezone } }) =>
    monthCounts(db, { actor }, { date: query.date, now, timezone }),
  ),
  handle(dayCourses, ({ db, actor, query: { date, until }, now, settings: { timezone } }) =>
    coursesBetween(db, { actor }, { ...daySpan({ date, last: until }, { now, timezone }), now }),
  ),
  handle(
    classMonthCourses,
    async ({ db, actor, params: { classId }, query, now, settings: { timezone } }) =>
      (await refuseClass(db, actor, classId)) ??
      monthCounts(db, { actor, classId }, { date: query.date, now, timezone }),
  ),
  handle(
    classDayCourses,
    async ({ db, actor, params: { classId }, query: { date, until }, now, settings: { timezone } }) =>
      (await refuseClass(db, actor, classId)) ??
      coursesBetween(db, { actor, classId }, { ...daySpan({ date, last: until }, { now, timezone }), now }),
  ),
  handle(
    calendarFeed,
    async ({ db, actor, query: { class_id: classId } }) =>
      (await refuseNamedClass(db, actor, classId)) ?? feedState(db, { actor, classId }),
  ),
  handle(renewCalendarFeed, async ({ db, actor, body: { class_id: classId }, now }) => {
    const refusal = await refuseNamedClass(db, actor, classId);
    return refusal ?? { path: feedPath(await renewFeed(db, { actor, classId }, now)) };
  }),
  handle(revokeCalendarFeed, async ({ db, actor, query: { class_id: classId }, now }) => {
    const refusal = await refuseNamedClass(db, actor, classId);
    if (refusal) return refusal;
    return (await revokeFeed(db, { actor, classId }, now)) ? null : missing(missingFeedInUse);
  }),
];

/** No class named: the actor's own calendar. */
const refuseNamedClass = async (...[db, actor, classId]: Parameters<typeof refuseClass>) =>
  classId === undefined ? undefined : refuseClass(db, actor, classId);

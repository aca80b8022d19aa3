/** Moves a period to another time, alone or with all later periods of its course. */

import { missingPeriod } from '#server/classes/rules.ts';
import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { invalid, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { dayOf, momentOf, timeOf } from '#server/school/calendar.ts';
import type { PlannedSlots } from '#server/school/clashes.ts';
import type { CourseContext } from './course-changes.ts';
import { studentsOf } from './list.ts';
import { conflictOf, describeClashes } from './period-changes.ts';
import { lockedPeriod } from './period-rows.ts';
import { editablePeriod, laterPeriods, minutesOf, periodRecordsOf } from './periods.ts';
import { addDays, courseMessages, daysBetween, effectSentence, joinSentences } from './rules.ts';

interface Move {
  start_play?: number | undefined;
  /** 1: all later periods of the course are shifted too. */
  later?: 1 | undefined;
  seen: string;
  acknowledged: string;
}

/**
 * Moves a period. 404: no such period. 422: errors by field. 409: moved meanwhile, or the effect or clashes were not
 * acknowledged.
 */
export async function movePeriodOf(
  context: CourseContext,
  id: number,
  { start_play: start, later, seen, acknowledged }: Move,
): Promise<AnswerWithMessage<{ count: number }> | Refusal> {
  const { db, actor, now, settings } = context;
  const period = await lockedPeriod(context, id);
  if (!period) return missing(missingPeriod);
  if (!start) return invalid({ start_play: [courseMessages.noStart] });
  const before = editablePeriod({ ...period, minutes: minutesOf(period) });
  const { conflicts, both } = mergeEdit(seen, before, { ...before, start_play: start });
  if (conflicts.length > 0) return conflictOf(context, id, both);
  if (start === period.start_play) return new AnswerWithMessage({ count: 0 }, { msg: '时间没有变化' });
  const others = later
    ? await forUpdate(db)(
        laterPeriods(db, period).select(['period.id', 'period.start_play', 'period.total_time', 'period.lecturer_id']),
      ).execute()
    : [];
  const { timezone } = settings;
  const moved = [period, ...others].map((one) => ({
    ...one,
    to: one.id === id ? start : shiftByClock(one.start_play, { from: period.start_play, to: start, timezone }),
  }));
  const plan: PlannedSlots = {
    slots: moved.map(({ to, total_time, lecturer_id }) => ({
      start: to,
      end: to + total_time,
      lecturerId: lecturer_id,
    })),
    courseId: period.course_id,
    except: { periodIds: moved.map((one) => one.id) },
  };
  const students = (await studentsOf(db, [period.course_id])).get(period.course_id) ?? 0;
  const { attendance } = await periodRecordsOf(db, id);
  const isNoticed = moved.some((one) => Math.max(one.start_play, one.to) + one.total_time > now);
  const effects = joinSentences(
    others.length > 0 ? `共移动${moved.length}节课时` : undefined,
    effectSentence({ students: isNoticed ? students : 0, attendance }),
    await describeClashes(context, plan),
  );
  const unsaid = requireConfirmation(effects, acknowledged);
  if (unsaid) return unsaid;
  for (const one of moved) {
    await db.updateTable('period').set({ start_play: one.to }).where('id', '=', one.id).execute();
    await recordHistory(db, {
      actor,
      now,
      record: 'period',
      recordId: one.id,
      action: 'move',
      before: { start_play: one.start_play },
      after: { start_play: one.to },
    });
  }
  return new AnswerWithMessage({ count: moved.length }, { msg: `已调整${moved.length}节课时的时间` });
}

/**
 * Shifts a time by the difference in local clock time: a lesson at 8:30 stays at 8:30 when daylight saving time begins
 * or ends.
 */
function shiftByClock(at: number, { from, to, timezone }: { from: number; to: number; timezone: string }): number {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  const shift = minutes(timeOf(to, timezone)) - minutes(timeOf(from, timezone));
  const days = daysBetween(dayOf(from, timezone), dayOf(to, timezone));
  const wanted = minutes(timeOf(at, timezone)) + shift;
  const day = addDays(dayOf(at, timezone), days + Math.floor(wanted / 1440));
  const ofDay = ((wanted % 1440) + 1440) % 1440;
  const two = (number: number) => String(number).padStart(2, '0');
  return momentOf(day, `${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}`, timezone) + (at % 60);
}

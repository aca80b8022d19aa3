/** Reads the calendar entries (periods, scheduled lessons, class meetings) of a time range, or a single entry. */

import { visibleClasses } from '#server/classes/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { CalendarCourse } from './contract.ts';
import { type CalendarOf, isBetween, type StatementValues, statementValues, tablesOf } from './entry-query.ts';
import { lessonEntries } from './lesson-entries.ts';
import { meetingEntries } from './meeting-entries.ts';
import { periodEntries } from './period-entries.ts';
import type { EntryKind } from './rules.ts';

/** Lists the entries that start from `from` until before `until` (unix seconds), sorted by start. */
export async function entriesBetween(
  db: Database,
  of: CalendarOf,
  { from, until, now }: { from: number; until: number; now: number },
): Promise<CalendarCourse[]> {
  const between = { from, until };
  const found = await Promise.all([
    periodEntries(db, of, between, now),
    lessonEntries(db, of, between, now),
    meetingEntries(db, of, between, now),
  ]);
  return found.flat().sort((a, b) => a.start_play - b.start_play || a.kind.localeCompare(b.kind) || a.id - b.id);
}

/** Returns the start times of the entries from `from` until before `until` (unix seconds), unordered. */
export async function startsBetween(
  db: Database,
  of: CalendarOf,
  { from, until }: { from: number; until: number },
): Promise<number[]> {
  const rows = await starts(db, statementValues(of, { from, until }), of.actor.identity);
  return rows.map(({ start }) => start);
}

const starts = prepared((db, at: Placeholders<StatementValues>, identity: Identity) => {
  const [periods, lessons, meetings] = tablesOf(db, at, identity);
  return periods
    .select('period.start_play as start')
    .where(isBetween('period.start_play', at))
    .unionAll(lessons.select('class_session.start_time as start').where(isBetween('class_session.start_time', at)))
    .unionAll(meetings.select('class_meeting.start_time as start').where(isBetween('class_meeting.start_time', at)));
});

/**
 * Returns one entry of the actor's own calendar, or of the calendar of a visible class. Undefined if there is no such
 * entry, or the actor does not see it.
 */
export async function findEntry(
  db: Database,
  actor: Actor,
  { kind, id, now }: { kind: EntryKind; id: number; now: number },
): Promise<CalendarCourse | undefined> {
  const find = { period: periodEntries, course: lessonEntries, meeting: meetingEntries }[kind];
  const [own] = await find(db, { actor }, { id }, now);
  if (own) return own;
  const classId = await visibleClassOf(db, actor, kind, id);
  if (classId === undefined) return undefined;
  return (await find(db, { actor, classId }, { id }, now))[0];
}

/** Returns the id of a visible class whose calendar contains the record. */
async function visibleClassOf(db: Database, actor: Actor, kind: EntryKind, id: number): Promise<number | undefined> {
  const classes = visibleClasses(db, actor).select('class.id').orderBy('class.id').limit(1);
  const found = await {
    period: () =>
      classes.where('class.id', 'in', (eb) =>
        eb
          .selectFrom('period')
          .innerJoin('class_course', 'class_course.course_id', 'period.course_id')
          .select('class_course.class_id')
          .where('period.id', '=', id),
      ),
    course: () =>
      classes.where('class.id', 'in', (eb) =>
        eb.selectFrom('class_session').select('class_session.class_id').where('class_session.id', '=', id),
      ),
    meeting: () =>
      classes.where('class.id', 'in', (eb) =>
        eb.selectFrom('class_meeting').select('class_meeting.class_id').where('class_meeting.id', '=', id),
      ),
  }
    [kind]()
    .executeTakeFirst();
  return found?.id;
}

/** Lessons that are planned on days off. Adding a day off neither moves nor cancels them. */

import { type SqlBool, sql } from 'kysely';
import { addDays } from '#server/courses/rules.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { dayEnd, dayOf, dayStart } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { DayLessons, StandingLesson } from './holidays.contract.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'settings'>;

/** Maximum lessons of a day that are named; further ones are only counted. */
const maxNamed = 5;

export const emptyDayLessons: DayLessons = { lesson_count: 0, lessons: [] };

/** Returns by day the periods and lessons of the actor's schools that have not begun yet. */
export async function lessonsOn(
  context: RequestContext,
  days: readonly string[],
): Promise<ReadonlyMap<string, DayLessons>> {
  const { now, settings } = context;
  const ranges = rangesOf(days).flatMap(([first, last]) => {
    const [from, until] = [Math.max(now, dayStart(first, settings.timezone)), dayEnd(last, settings.timezone)];
    return from < until ? [{ from, until }] : [];
  });
  if (ranges.length === 0) return new Map();
  const within = (column: string) => {
    const start = sql.ref<number>(column);
    return sql<SqlBool>`(${sql.join(
      ranges.map(({ from, until }) => sql`(${start} >= ${from} and ${start} < ${until})`),
      sql` or `,
    )})`;
  };
  const [periods, lessons] = await Promise.all([
    periodsOf(context).select(['period.id', 'period.start_play as start']).where(within('period.start_play')).execute(),
    sessionsOf(context)
      .select(['class_session.id', 'class_session.start_time as start'])
      .where(within('class_session.start_time'))
      .execute(),
  ]);
  const starts = [
    ...periods.map((one) => ({ ...one, kind: 'period' as const })),
    ...lessons.map((one) => ({ ...one, kind: 'session' as const })),
  ].sort((a, b) => a.start - b.start || a.kind.localeCompare(b.kind) || a.id - b.id);
  const byDay = groupRows(starts, ({ start }) => dayOf(start, settings.timezone));
  const named = await namesOf(
    context,
    [...byDay.values()].flatMap((ofDay) => ofDay.slice(0, maxNamed)),
  );
  return new Map(
    [...byDay].map(([day, ofDay]) => [
      day,
      {
        lesson_count: ofDay.length,
        lessons: ofDay.slice(0, maxNamed).flatMap(({ kind, id }) => named.get(`${kind} ${id}`) ?? []),
      },
    ]),
  );
}

const periodsOf = ({ db, actor }: Pick<RequestContext, 'db' | 'actor'>) =>
  db
    .selectFrom('period')
    .innerJoin('course', 'course.id', 'period.course_id')
    .where('course.school_id', 'in', schoolsOf(db, actor));

const sessionsOf = ({ db, actor }: Pick<RequestContext, 'db' | 'actor'>) =>
  db
    .selectFrom('class_session')
    .innerJoin('class', 'class.id', 'class_session.class_id')
    .where('class.school_id', 'in', schoolsOf(db, actor))
    .where('class_session.cancelled_at', 'is', null);

async function namesOf(
  context: RequestContext,
  wanted: readonly { kind: StandingLesson['kind']; id: number }[],
): Promise<Map<string, StandingLesson>> {
  const { db } = context;
  const idsOf = (kind: StandingLesson['kind']) =>
    inIds(
      db,
      wanted.filter((one) => one.kind === kind).map(({ id }) => id),
    );
  const [periods, lessons] = await Promise.all([
    periodsOf(context)
      .leftJoin('staff', 'staff.id', 'period.lecturer_id')
      .select([
        'period.id',
        'period.start_play as start_time',
        'course.title as course_title',
        'period.title',
        'staff.real_name as lecturer_name',
      ])
      .where('period.id', 'in', idsOf('period'))
      .execute(),
    sessionsOf(context)
      .innerJoin('course', 'course.id', 'class_session.course_id')
      .innerJoin('staff', 'staff.id', 'class_session.lecturer_id')
      .select([
        'class_session.id',
        'class_session.start_time',
        'class.name as class_name',
        'course.title as course_title',
        'class_session.chapter_title as title',
        'staff.real_name as lecturer_name',
      ])
      .where('class_session.id', 'in', idsOf('session'))
      .execute(),
  ]);
  return new Map<string, StandingLesson>([
    ...periods.map((one): [string, StandingLesson] => [
      `period ${one.id}`,
      { ...one, kind: 'period', class_name: '', lecturer_name: one.lecturer_name ?? '' },
    ]),
    ...lessons.map((one): [string, StandingLesson] => [`session ${one.id}`, { ...one, kind: 'session' }]),
  ]);
}

/** Joins neighbouring days to ranges, both ends inclusive. */
function rangesOf(days: readonly string[]): [first: string, last: string][] {
  const ranges: [string, string][] = [];
  for (const day of days.toSorted()) {
    const range = ranges.at(-1);
    if (range && addDays(range[1], 1) === day) range[1] = day;
    else ranges.push([day, day]);
  }
  return ranges;
}

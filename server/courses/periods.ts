/** Administrators' reads of periods, with counts of their records. */
import { missingCourse, missingPeriod } from '#server/classes/rules.ts';
import { versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import type { RuleContext } from '#server/school/context.ts';
import { periodsTaughtBy } from '#server/school/staff-duties.ts';
import { studentsOf } from './list.ts';
import type { CompletePeriod, PeriodFilter, PeriodRecord, PeriodRow } from './periods.contract.ts';
import { deletePeriodFault, effectSentence, type PeriodRecords } from './rules.ts';
import { adminCourses, adminPeriods } from './visible.ts';

/** Lists the periods of a course in order. 404: no such course. */
export async function periodPage(
  { db, actor }: RuleContext<'actor'>,
  courseId: number,
  filter: PeriodFilter,
): Promise<Page<PeriodRow> | Refusal> {
  const course = await adminCourses(db, actor).select('course.id').where('course.id', '=', courseId).executeTakeFirst();
  if (!course) return missing(missingCourse);
  let matching = adminPeriods(db, actor).where('period.course_id', '=', courseId);
  if (filter.chapter_id !== undefined) matching = matching.where('period.chapter_id', '=', filter.chapter_id);
  const { lecturer_id: id } = filter;
  if (id !== undefined) matching = matching.where('period.id', 'in', periodsTaughtBy(db, { id }).select('period.id'));
  const { list, ...range } = await pageOf(
    matching,
    filter,
    periodRows(matching).orderBy('period.sort').orderBy('period.start_play').orderBy('period.id'),
  );
  return { list: list.map(rowOf), ...range };
}

const periodRows = (periods: ReturnType<typeof adminPeriods>) =>
  periods
    .leftJoin('course_chapter', 'course_chapter.id', 'period.chapter_id')
    .leftJoin('staff', 'staff.id', 'period.lecturer_id')
    .select([
      'period.id',
      'period.course_id',
      'period.title',
      'period.chapter_id',
      'course_chapter.title as chapter_title',
      'period.periods_type',
      'period.lecturer_id',
      'staff.real_name as lecturer_name',
      'staff.disabled_at',
      'period.start_play',
      'period.total_time',
    ]);

type StoredPeriod = Awaited<ReturnType<ReturnType<typeof periodRows>['execute']>>[number];

const rowOf = (row: StoredPeriod): PeriodRow => ({
  id: row.id,
  course_id: row.course_id,
  title: row.title,
  chapter_id: row.chapter_id,
  chapter_title: row.chapter_title ?? '',
  periods_type: row.periods_type,
  lecturer_id: row.lecturer_id,
  lecturer_name: row.lecturer_name ?? '',
  lecturer_disabled: row.disabled_at === null ? 0 : 1,
  start_play: row.start_play,
  minutes: minutesOf(row),
});

/** Length in whole minutes. `total_time`: seconds. */
export const minutesOf = ({ total_time }: { total_time: number }): number => Math.round(total_time / 60);

/** Returns one period. 404: no such period. */
export async function showPeriodOf(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  id: number,
): Promise<PeriodRecord | Refusal> {
  const row = await periodRows(adminPeriods(db, actor).where('period.id', '=', id))
    .select([
      'course.title as course_title',
      'period.advance_time',
      'period.student_code',
      'period.allow_enter',
      'period.is_playback',
      'period.periods_extend',
    ])
    .executeTakeFirst();
  if (!row) return missing(missingPeriod);
  const [records, later, effect] = await Promise.all([
    periodRecordsOf(db, id),
    countOf(laterPeriods(db, row)),
    periodEffect(db, row, now),
  ]);
  return {
    ...rowOf(row),
    course_title: row.course_title,
    advance_time: row.advance_time,
    student_code: row.student_code,
    allow_enter: row.allow_enter,
    is_playback: row.is_playback,
    periods_extend: row.periods_extend,
    later,
    effect: effect ?? '',
    delete_fault: deletePeriodFault(records) ?? null,
    seen: versionTokenOf(editablePeriod({ ...row, minutes: minutesOf(row) })),
  };
}

export const editablePeriod = (period: CompletePeriod): CompletePeriod => ({
  title: period.title,
  chapter_id: period.chapter_id,
  lecturer_id: period.lecturer_id,
  periods_type: period.periods_type,
  start_play: period.start_play,
  minutes: period.minutes,
  advance_time: period.advance_time,
  allow_enter: period.allow_enter,
  is_playback: period.is_playback,
  periods_extend: period.periods_extend,
});

/** Selects the periods of the same course that begin later. */
export const laterPeriods = (db: Database, period: { id: number; course_id: number; start_play: number }) =>
  db
    .selectFrom('period')
    .where('period.course_id', '=', period.course_id)
    .where('period.id', '!=', period.id)
    .where('period.start_play', '>', period.start_play);

/** Counts the records of a period. A period with records cannot be deleted. */
export async function periodRecordsOf(db: Database, id: number): Promise<PeriodRecords> {
  const [attendance, studies, rolls, homework, sessions] = await Promise.all([
    countOf(db.selectFrom('attendance').where('period_id', '=', id)),
    countOf(db.selectFrom('study_record').where('period_id', '=', id)),
    countOf(db.selectFrom('roll_call').where('period_id', '=', id)),
    countOf(db.selectFrom('homework').where('period_id', '=', id)),
    countOf(db.selectFrom('class_session').where('period_id', '=', id)),
  ]);
  return { attendance: Math.max(attendance, rolls) + studies, homework, sessions };
}

/** Says how many students a change of the period affects. Undefined if the period is over and has no records. */
export async function periodEffect(
  db: Database,
  period: { id: number; course_id: number; start_play: number; total_time: number },
  now: number,
): Promise<string | undefined> {
  const { attendance } = await periodRecordsOf(db, period.id);
  const isOver = period.start_play + period.total_time <= now;
  const students = isOver ? 0 : ((await studentsOf(db, [period.course_id])).get(period.course_id) ?? 0);
  return effectSentence({ students, attendance });
}

/** Planning of new lessons by administrators; each lesson is recorded in the history. */

import { checkChosenStaff } from '#server/classes/class-staff.ts';
import { seriesDays } from '#server/courses/rules.ts';
import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { invalid, isRefusal, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { newRecordIds, recordHistory } from '#server/platform/db/history.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { momentOf } from '#server/school/calendar.ts';
import { type Clash, clashesOf, clashesText, clashText } from '#server/school/clashes.ts';
import type { RuleContext } from '#server/school/context.ts';
import { holidayPlanFrom } from '#server/settings/holidays.ts';
import { type HolidayGaps, holidayGaps } from '#server/settings/rules.ts';
import { CompleteNewLessons, type LessonsPreview, type NewLessons } from './lessons.contract.ts';
import { type EditedFields, lessonClass } from './lessons-list.ts';
import { lessonMessages, maxLessonsAtOnce, planFault } from './rules.ts';

export type RequestContext = RuleContext<'actor' | 'now' | 'settings'>;

interface PlannedLesson {
  start: number;
  end: number;
  period_id: number | null;
  chapter_title: string;
}

interface LessonSeries {
  classId: number;
  course_id: number;
  lecturer_id: number;
  room_id: number;
  teaching_mode: 1 | 2;
  lessons: PlannedLesson[];
  clashes: Clash[];
  gaps: HolidayGaps;
}

/**
 * Returns the lessons that would be planned, with their clashes. 422: errors by field. 404: no such lecturer. 409: the
 * class has ended.
 */
export async function previewLessonPlan(
  context: RequestContext,
  written: NewLessons,
): Promise<LessonsPreview | Refusal> {
  const plan = await planSeries(context, written);
  if (isRefusal(plan)) return plan;
  const { timezone } = context.settings;
  return {
    lessons: plan.lessons.map(({ start, end, chapter_title }) => ({
      start_time: start,
      end_time: end,
      chapter_title,
      clashes: plan.clashes
        .filter((clash) => clash.start < end && clash.end > start)
        .map((clash) => clashText(clash, timezone)),
    })),
    effect: clashesText(plan.clashes, timezone) ?? '',
    years_without_holidays: plan.gaps.none,
    years_by_law: plan.gaps.byLaw,
  };
}

/** Plans lessons. Refuses like `previewLessonPlan`; also 409 if the user has not confirmed the clashes. */
export async function planLessons(
  context: RequestContext,
  written: NewLessons,
): Promise<AnswerWithMessage<{ ids: number[] }> | Refusal> {
  const { db, now, settings } = context;
  const planOf = await planSeries(context, written);
  if (isRefusal(planOf)) return planOf;
  const unsaid = requireConfirmation(clashesText(planOf.clashes, settings.timezone), written.acknowledged);
  if (unsaid) return unsaid;
  const ids = await newRecordIds(db, { table: 'class_session', record: 'class_session', count: planOf.lessons.length });
  for (const [at, { start, end, period_id, chapter_title }] of planOf.lessons.entries()) {
    const lesson = {
      class_id: planOf.classId,
      course_id: planOf.course_id,
      lecturer_id: planOf.lecturer_id,
      room_id: planOf.room_id || null,
      teaching_mode: planOf.teaching_mode,
      period_id,
      chapter_title,
      start_time: start,
      end_time: end,
    };
    const { id } = await db
      .insertInto('class_session')
      .values({ id: ids[at], ...lesson, cancelled_at: null, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordLessonHistory(context, id, { action: 'add', before: null, after: lesson });
  }
  return new AnswerWithMessage({ ids }, { msg: `已排${ids.length}节课` });
}

export const recordLessonHistory = (
  { db, actor, now }: Pick<RequestContext, 'db' | 'actor' | 'now'>,
  recordId: number,
  change: { action: string; before: unknown; after: unknown },
) => recordHistory(db, { actor, now, record: 'class_session', recordId, ...change });

async function planSeries(context: RequestContext, written: NewLessons): Promise<LessonSeries | Refusal> {
  const { db, actor, settings } = context;
  const { output, errors } = validateComplete(CompleteNewLessons, written);
  if (!output) return invalid(errors);
  const theClass = await lessonClass(context, output.class_id);
  if (!theClass) return invalid({ class_id: [lessonMessages.noClass] });
  const refusal =
    refuseFor('conflict', planFault(theClass)) ??
    (await choiceRefusal(context, output, { classId: theClass.id, schoolId: theClass.school_id }));
  if (refusal) return refusal;
  const { weekdays, first_day, last_day, count, skip } = output;
  const around = await holidayPlanFrom(db, first_day);
  const days =
    weekdays.length === 0
      ? [first_day]
      : seriesDays({
          weekdays,
          first_day,
          last_day,
          count,
          skip: [...skip, ...around.closed],
          worked: around.worked,
        });
  if (days.length === 0) return invalid({ weekdays: [lessonMessages.noDays] });
  if (days.length > maxLessonsAtOnce) return invalid({ last_day: [lessonMessages.tooMany] });
  const periods =
    output.by_periods === 1
      ? await untaughtPeriods(db, { classId: theClass.id, courseId: output.course_id })
      : await chosenPeriod(db, output.period_id);
  const lessons = days.map((day, place): PlannedLesson => {
    const period = output.by_periods === 1 ? periods[place] : periods[0];
    return {
      start: momentOf(day, output.start, settings.timezone),
      end: momentOf(day, output.end, settings.timezone),
      period_id: period?.id ?? null,
      chapter_title: output.chapter_title || (period?.title ?? ''),
    };
  });
  const clashes = await clashesOf(db, actor, {
    slots: lessons.map(({ start, end }) => ({
      start,
      end,
      lecturerId: output.lecturer_id,
      roomId: output.room_id || null,
    })),
    classIds: [theClass.id],
  });
  const { course_id, lecturer_id, room_id, teaching_mode } = output;
  return {
    classId: theClass.id,
    course_id,
    lecturer_id,
    room_id,
    teaching_mode,
    lessons,
    clashes,
    // A single lesson is on the day that was chosen for it, off or not.
    gaps: holidayGaps(weekdays.length === 0 ? [] : days, around),
  };
}

const chosenPeriod = (db: Database, id: number) =>
  db.selectFrom('period').select(['id', 'title']).where('id', '=', id).execute();

/**
 * Selects the periods of the course that no lesson of the class teaches, in order. `except`: lessons that are replanned
 * now; their periods count as free.
 */
export const untaughtPeriods = (
  db: Database,
  { classId, courseId, except = [] }: { classId: number; courseId: number; except?: readonly number[] },
) =>
  db
    .selectFrom('period')
    .select(['period.id', 'period.title'])
    .where('period.course_id', '=', courseId)
    .where('period.id', 'not in', (eb) =>
      eb
        .selectFrom('class_session')
        .select('class_session.period_id')
        .where('class_session.class_id', '=', classId)
        .where('class_session.cancelled_at', 'is', null)
        .where('class_session.period_id', 'is not', null)
        .where('class_session.id', 'not in', inIds(db, except))
        .$narrowType<{ period_id: number }>(),
    )
    .orderBy('period.sort')
    .orderBy('period.id')
    .execute();

type ChosenFields = Pick<EditedFields, 'course_id' | 'period_id' | 'lecturer_id' | 'room_id'>;

/** Checks the choices that need the database: course and period of the class, lecturer, and room of the school. */
export async function choiceRefusal(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  chosen: ChosenFields,
  { classId, schoolId, before }: { classId: number; schoolId: number; before?: ChosenFields },
): Promise<Refusal | undefined> {
  const { course_id, period_id, lecturer_id, room_id } = chosen;
  const course = db
    .selectFrom('class_course')
    .select('course_id')
    .where('class_id', '=', classId)
    .where('course_id', '=', course_id);
  if (course_id !== before?.course_id && !(await course.executeTakeFirst()))
    return invalid({ course_id: [lessonMessages.noCourse] });
  const period = db.selectFrom('period').select('id').where('id', '=', period_id).where('course_id', '=', course_id);
  if (period_id !== 0 && !(await period.executeTakeFirst())) return invalid({ period_id: [lessonMessages.period] });
  const lecturers = await checkChosenStaff(
    { db, actor },
    {
      field: 'lecturer_id',
      identity: 'teacher',
      ids: [lecturer_id],
      kept: before ? [before.lecturer_id] : [],
    },
  );
  if (isRefusal(lecturers)) return lecturers;
  const room = db
    .selectFrom('room')
    .select('id')
    .where('id', '=', room_id)
    .where('school_id', '=', schoolId)
    .where('put_away_at', 'is', null);
  if (room_id !== 0 && room_id !== before?.room_id && !(await room.executeTakeFirst()))
    return invalid({ room_id: [lessonMessages.room] });
  return undefined;
}

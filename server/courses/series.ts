/** Plans several periods at once: a weekly series, or the copy of a course. */

import { missingCourse } from '#server/classes/rules.ts';
import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { countOf } from '#server/platform/db/page.ts';
import { dayOf, momentOf, timeOf } from '#server/school/calendar.ts';
import { type Clash, clashesOf, clashesText, clashText } from '#server/school/clashes.ts';
import { holidayPlanFrom } from '#server/settings/holidays.ts';
import { type HolidayGaps, holidayGaps } from '#server/settings/rules.ts';
import { insertChapter } from './chapters.ts';
import { type CourseContext, insertCourse, lockedCourse } from './course-changes.ts';
import { clashSlotOf, periodFieldRefusal } from './period-changes.ts';
import { maxSort } from './period-order.ts';
import { insertPeriods } from './period-rows.ts';
import type { CompletePeriod } from './periods.contract.ts';
import { editablePeriod, minutesOf } from './periods.ts';
import { editableFields } from './record.ts';
import { courseMessages, disabledLecturerMessage, seriesDays, seriesLimit, shiftDays } from './rules.ts';
import {
  CompleteCopy,
  CompleteSeries,
  type SeriesPreview,
  type WrittenCopy,
  type WrittenSeries,
} from './series.contract.ts';
import { adminCourses, adminLecturers } from './visible.ts';

interface PlannedSeries {
  periods: CompletePeriod[];
  clashes: Clash[];
  clashSentence: string | undefined;
  gaps: HolidayGaps;
}

/** Previews a weekly series. 404: no such course. 422: errors by field. */
export async function previewSeries(
  context: CourseContext,
  courseId: number,
  written: WrittenSeries,
): Promise<SeriesPreview | Refusal> {
  const planned = await plannedSeries(context, courseId, written);
  return isRefusal(planned) ? planned : previewOf(context, planned);
}

/** Adds a weekly series. 404: no such course. 422: errors by field. 409: clashes not acknowledged. */
export async function addSeries(
  context: CourseContext,
  courseId: number,
  written: WrittenSeries,
): Promise<AnswerWithMessage<{ ids: number[] }> | Refusal> {
  if (!(await lockedCourse(context, courseId))) return missing(missingCourse);
  const planned = await plannedSeries(context, courseId, written);
  if (isRefusal(planned)) return planned;
  const unsaid = requireConfirmation(planned.clashSentence, written.acknowledged);
  if (unsaid) return unsaid;
  const last = await maxSort(context.db, courseId);
  const ids = await insertPeriods(
    context,
    planned.periods.map((period, place) => ({ ...period, course_id: courseId, sort: last + place + 1 })),
  );
  return new AnswerWithMessage({ ids }, { msg: `已添加${ids.length}节课时` });
}

async function plannedSeries(
  context: CourseContext,
  courseId: number,
  written: WrittenSeries,
): Promise<PlannedSeries | Refusal> {
  const { db, actor, settings } = context;
  const course = await adminCourses(db, actor).select('course.id').where('course.id', '=', courseId).executeTakeFirst();
  if (!course) return missing(missingCourse);
  const { output, errors } = validateComplete(CompleteSeries, written);
  if (!output) return invalid(errors);
  const { titles, weekdays, time, first_day, last_day, count, skip, ...common } = output;
  const refusal = await periodFieldRefusal(context, courseId, common);
  if (refusal) return refusal;
  const around = await holidayPlanFrom(db, first_day);
  const { closed, worked } = around;
  const days = seriesDays({ weekdays, first_day, last_day, count, skip: [...skip, ...closed], worked });
  if (days.length === 0) return invalid({ first_day: [courseMessages.noDays] });
  if (days.length > seriesLimit) return invalid({ last_day: [courseMessages.tooMany] });
  const there = await countOf(db.selectFrom('period').where('course_id', '=', courseId));
  const periods = days.map((day, place) => ({
    ...common,
    title: titles[place] ?? `第${there + place + 1}讲`,
    start_play: momentOf(day, time, settings.timezone),
  }));
  return {
    ...(await withClashes(context, periods, courseId)),
    gaps: holidayGaps(days, around),
  };
}

/** Previews the periods of a copied course. 404: no such course. 422: errors by field. */
export async function previewCopyOf(
  context: CourseContext,
  courseId: number,
  written: WrittenCopy,
): Promise<SeriesPreview | Refusal> {
  const planned = await plannedCopy(context, courseId, written);
  return isRefusal(planned) ? planned : previewOf(context, planned);
}

/** Copies a course with its periods. 404: no such course. 422: errors by field. 409: clashes not acknowledged. */
export async function addCourseCopy(
  context: CourseContext,
  courseId: number,
  written: WrittenCopy,
): Promise<AnswerWithMessage<{ id: number }> | Refusal> {
  const { db, actor, now } = context;
  const course = await lockedCourse(context, courseId);
  if (!course) return missing(missingCourse);
  const planned = await plannedCopy(context, courseId, written);
  if (isRefusal(planned)) return planned;
  const unsaid = requireConfirmation(planned.clashSentence, written.acknowledged);
  if (unsaid) return unsaid;
  const fields = { ...editableFields(course), title: planned.title };
  const { school_id, cover_img } = course;
  const { id } = await insertCourse(context, { ...fields, school_id, cover_img, created_at: now }, (added) =>
    recordHistory(db, {
      actor,
      now,
      record: 'course',
      recordId: added,
      action: 'copy',
      before: null,
      after: { ...fields, school_id, copied_from: courseId },
    }),
  );
  const chapters = await db
    .selectFrom('course_chapter')
    .select(['id', 'title', 'sort'])
    .where('course_id', '=', courseId)
    .orderBy('sort')
    .orderBy('id')
    .execute();
  const chapterOf = new Map<number, number>();
  for (const { id: from, title, sort } of chapters) {
    const added = await insertChapter(db, { course_id: id, title, sort });
    chapterOf.set(from, added.id);
    await recordHistory(db, {
      actor,
      now,
      record: 'course_chapter',
      recordId: added.id,
      action: 'add',
      before: null,
      after: { course_id: id, title },
    });
  }
  await insertPeriods(
    context,
    planned.periods.map((period, place) => ({
      ...period,
      chapter_id: period.chapter_id === null ? null : (chapterOf.get(period.chapter_id) ?? null),
      course_id: id,
      sort: place + 1,
    })),
  );
  return new AnswerWithMessage({ id }, { msg: `已复制课程和${planned.periods.length}节课时` });
}

async function plannedCopy(
  context: CourseContext,
  courseId: number,
  written: WrittenCopy,
): Promise<(PlannedSeries & { title: string }) | Refusal> {
  const { db, actor, settings } = context;
  const course = await adminCourses(db, actor).select('course.id').where('course.id', '=', courseId).executeTakeFirst();
  if (!course) return missing(missingCourse);
  const { output, errors } = validateComplete(CompleteCopy, written);
  if (!output) return invalid(errors);
  const { title, first_day, lecturer_id, skip } = output;
  const periods = await db
    .selectFrom('period')
    .leftJoin('staff', 'staff.id', 'period.lecturer_id')
    .selectAll('period')
    .select(['staff.real_name', 'staff.disabled_at'])
    .where('period.course_id', '=', courseId)
    .orderBy('period.sort')
    .orderBy('period.start_play')
    .orderBy('period.id')
    .execute();
  if (lecturer_id !== null) {
    const known = await countOf(adminLecturers(db, actor).where('staff.id', '=', lecturer_id));
    if (known === 0) return invalid({ lecturer_id: [courseMessages.noLecturer] });
  } else {
    const gone = periods.find((period) => period.disabled_at !== null);
    if (gone) return invalid({ lecturer_id: [disabledLecturerMessage(gone.real_name ?? '')] });
  }
  const { timezone } = settings;
  const around = await holidayPlanFrom(db, first_day);
  const days = shiftDays(
    periods.map(({ start_play }) => dayOf(start_play, timezone)),
    first_day,
    [...skip, ...around.closed],
  );
  const moved = periods.map((period, place) => ({
    ...editablePeriod({ ...period, minutes: minutesOf(period) }),
    lecturer_id: lecturer_id ?? period.lecturer_id,
    // A copied period has no recording to play back yet.
    is_playback: 0 as const,
    start_play: momentOf(days[place] as string, timeOf(period.start_play, timezone), timezone),
  }));
  const planned = await withClashes(context, moved, undefined);
  return { title, ...planned, gaps: holidayGaps(days, around) };
}

async function withClashes(
  { db, actor, settings }: CourseContext,
  periods: CompletePeriod[],
  courseId: number | undefined,
): Promise<Pick<PlannedSeries, 'periods' | 'clashes' | 'clashSentence'>> {
  const clashes = await clashesOf(db, actor, { slots: periods.map(clashSlotOf), courseId });
  return { periods, clashes, clashSentence: clashesText(clashes, settings.timezone) };
}

async function previewOf({ db, settings }: CourseContext, planned: PlannedSeries): Promise<SeriesPreview> {
  const { periods, clashes, clashSentence } = planned;
  const ids = [0, ...periods.flatMap(({ lecturer_id }) => lecturer_id ?? [])];
  const names = await db.selectFrom('staff').select(['id', 'real_name']).where('id', 'in', ids).execute();
  const nameOf = new Map(names.map(({ id, real_name }) => [id, real_name]));
  return {
    list: periods.map((period) => {
      const { start, end } = clashSlotOf(period);
      const inTheWay = clashes.filter((clash) => clash.start < end && clash.end > start);
      return {
        title: period.title,
        lecturer_name: nameOf.get(period.lecturer_id ?? 0) ?? '',
        start_play: period.start_play,
        minutes: period.minutes,
        clashes: inTheWay.map((clash) => clashText(clash, settings.timezone)),
      };
    }),
    acknowledged: clashSentence ?? '',
    years_without_holidays: planned.gaps.none,
    years_by_law: planned.gaps.byLaw,
  };
}

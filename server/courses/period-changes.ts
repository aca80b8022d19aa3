import { randomInt } from 'node:crypto';
import { courseTypeName, liveCourses, missingCourse, missingPeriod } from '#server/classes/rules.ts';
import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { type Edit, editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, newRecordId, recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf } from '#server/platform/db/page.ts';
import { dayOf, momentOf, timeOf } from '#server/school/calendar.ts';
import { clashesOf, clashesText, type Plan } from '#server/school/clashes.ts';
import type { Direction } from './chapters.contract.ts';
import { swapWithNeighbour } from './chapters.ts';
import { type CourseContext, lockedCourse, maxId } from './course-changes.ts';
import { studentsOf } from './list.ts';
import { CompletePeriod, type NewPeriod, type WrittenPeriod } from './periods.contract.ts';
import { editablePeriod, laterPeriods, minutesOf, periodEffect, periodRecordsOf } from './periods.ts';
import {
  addDays,
  courseKinds,
  courseMessages,
  daysBetween,
  deletePeriodFault,
  effectSentence,
  joinSentences,
} from './rules.ts';
import { administeredLecturers, administeredPeriods } from './visible.ts';

/** 404: no such course. 422: errors by field. 409: clashes not acknowledged. */
export async function addPeriodOf(
  context: CourseContext,
  courseId: number,
  written: NewPeriod,
): Promise<{ id: number } | Refusal> {
  const { db } = context;
  if (!(await lockedCourse(context, courseId))) return missing(missingCourse);
  const { output, errors } = validateComplete(CompletePeriod, written);
  if (!output) return invalid(errors);
  const refusal =
    (await periodFieldRefusal(context, courseId, output)) ??
    requireConfirmation(await clashesWith(context, { slots: [slotOf(output)], courseId }), written.acknowledged);
  if (refusal) return refusal;
  const sort = (await maxSort(db, courseId)) + 1;
  const [id] = await insertPeriods(context, [{ ...output, course_id: courseId, sort }]);
  return { id: id as number };
}

/** 404: no such period. 422: errors by field. 409: edited meanwhile, or effect or clashes not acknowledged. */
export async function editPeriodOf(
  context: CourseContext,
  id: number,
  written: WrittenPeriod,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const period = await lockedPeriod(context, id);
  if (!period) return missing(missingPeriod);
  const { output, errors } = validateComplete(CompletePeriod, written);
  if (!output) return invalid(errors);
  const before = editablePeriod({ ...period, minutes: minutesOf(period) });
  const { merged, conflicts, both } = mergeEdit(written.seen, before, output);
  const refusal =
    (await periodFieldRefusal(context, period.course_id, merged, before)) ??
    (conflicts.length > 0 ? await conflictOf(context, id, both) : undefined);
  if (refusal) return refusal;
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const unsaid = requireConfirmation(await noticedOf(context, period, { before, after: merged }), written.acknowledged);
  if (unsaid) return unsaid;
  const { minutes, ...columns } = merged;
  // Keeps the exact seconds unless the minutes change.
  const total_time = minutes === before.minutes ? period.total_time : minutes * 60;
  const student_code = period.student_code || newJoinCode(merged);
  await db
    .updateTable('period')
    .set({ ...columns, total_time, student_code })
    .where('id', '=', id)
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'period',
    recordId: id,
    action: 'edit',
    before: change.before,
    after: change.after,
  });
  return null;
}

/** Effect of an edit on others (time, lecturer, type) and clashes of the new time. */
async function noticedOf(
  context: CourseContext,
  period: { id: number; course_id: number; start_play: number; total_time: number },
  { before, after }: { before: CompletePeriod; after: CompletePeriod },
): Promise<string | undefined> {
  const isMoved = before.start_play !== after.start_play || before.minutes !== after.minutes;
  const isTaughtByOther = before.lecturer_id !== after.lecturer_id;
  const isNoticed = isMoved || isTaughtByOther || before.periods_type !== after.periods_type;
  if (!isNoticed) return undefined;
  // A past period that moves into the future affects students like a future one.
  const at = { ...period, start_play: Math.max(before.start_play, after.start_play) };
  const effect = await periodEffect(context.db, at, context.now);
  const plan = { slots: [slotOf(after)], courseId: period.course_id, except: { periodIds: [period.id] } };
  return joinSentences(effect, isMoved || isTaughtByOther ? await clashesWith(context, plan) : undefined);
}

/** 404: no such period. */
export async function placePeriodOf(context: CourseContext, id: number, direction: Direction): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const period = await lockedPeriod(context, id);
  if (!period) return missing(missingPeriod);
  const periods = await inOrder(db, period.course_id).execute();
  const ids = periods.map((one) => one.id);
  const placed = swapWithNeighbour(ids, id, direction);
  if (!placed) return null;
  await keepOrder(db, placed, periods);
  const [before, after] = [{ place: ids.indexOf(id) + 1 }, { place: placed.indexOf(id) + 1 }];
  await recordHistory(db, { actor, now, record: 'period', recordId: id, action: 'place', before, after });
  return null;
}

/** 404: no such course. */
export async function sortPeriodsOf(context: CourseContext, courseId: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  if (!(await lockedCourse(context, courseId))) return missing(missingCourse);
  const periods = await inOrder(db, courseId).execute();
  const ids = periods.map(({ id }) => id);
  const sorted = [...periods].sort((a, b) => a.start_play - b.start_play).map(({ id }) => id);
  if (ids.every((id, place) => id === sorted[place])) return null;
  await keepOrder(db, sorted, periods);
  await recordHistory(db, {
    actor,
    now,
    record: 'course',
    recordId: courseId,
    action: 'sort-periods',
    before: { periods: ids },
    after: { periods: sorted },
  });
  return null;
}

const inOrder = (db: Database, courseId: number) =>
  db
    .selectFrom('period')
    .select(['id', 'sort', 'start_play'])
    .where('course_id', '=', courseId)
    .orderBy('sort')
    .orderBy('start_play')
    .orderBy('id');

async function keepOrder(db: Database, ids: readonly number[], before: readonly { id: number; sort: number }[]) {
  const sortOf = new Map(before.map(({ id, sort }) => [id, sort]));
  for (const [place, id] of ids.entries()) {
    if (sortOf.get(id) === place + 1) continue;
    await db
      .updateTable('period')
      .set({ sort: place + 1 })
      .where('id', '=', id)
      .execute();
  }
}

/** The highest `sort` of a course's periods; 0 without periods. */
export async function maxSort(db: Database, courseId: number): Promise<number> {
  return maxId(
    db
      .selectFrom('period')
      .select((eb) => eb.fn.max<number | null>('sort').as('last'))
      .where('course_id', '=', courseId),
  );
}

interface Move {
  start_play?: number | undefined;
  /** 1: shifts all later periods of the course too. */
  later?: 1 | undefined;
  seen: string;
  acknowledged: string;
}

/** 404: no such period. 422: errors by field. 409: moved meanwhile, or effect or clashes not acknowledged. */
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
    to: one.id === id ? start : asFarMoved(one.start_play, { from: period.start_play, to: start, timezone }),
  }));
  const plan: Plan = {
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
    await clashesWith(context, plan),
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

/** Shifts by local clock time: a lesson at 8:30 stays at 8:30 across a change of daylight saving time. */
function asFarMoved(at: number, { from, to, timezone }: { from: number; to: number; timezone: string }): number {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  const shift = minutes(timeOf(to, timezone)) - minutes(timeOf(from, timezone));
  const days = daysBetween(dayOf(from, timezone), dayOf(to, timezone));
  const wanted = minutes(timeOf(at, timezone)) + shift;
  const day = addDays(dayOf(at, timezone), days + Math.floor(wanted / 1440));
  const ofDay = ((wanted % 1440) + 1440) % 1440;
  const two = (number: number) => String(number).padStart(2, '0');
  return momentOf(day, `${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}`, timezone) + (at % 60);
}

/** 404: no such period. 409: it has records, or the effect was not acknowledged. */
export async function removePeriod(context: CourseContext, id: number, acknowledged: string): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const period = await lockedPeriod(context, id);
  if (!period) return missing(missingPeriod);
  const fault = deletePeriodFault(await periodRecordsOf(db, id));
  if (fault) return conflict(fault);
  const unsaid = requireConfirmation(await periodEffect(db, period, now), acknowledged);
  if (unsaid) return unsaid;
  await db.deleteFrom('period').where('id', '=', id).execute();
  const before = { course_id: period.course_id, ...editablePeriod({ ...period, minutes: minutesOf(period) }) };
  await recordHistory(db, { actor, now, record: 'period', recordId: id, action: 'delete', before, after: null });
  return null;
}

// ---- shared ----------------------------------------------------------------------------------------

export const slotOf = ({
  start_play,
  minutes,
  lecturer_id,
}: Pick<CompletePeriod, 'start_play' | 'minutes' | 'lecturer_id'>) => ({
  start: start_play,
  end: start_play + minutes * 60,
  lecturerId: lecturer_id,
});

export const clashesWith = async ({ db, actor, settings }: CourseContext, plan: Plan): Promise<string | undefined> =>
  clashesText(await clashesOf(db, actor, plan), settings.timezone);

/** Inserts periods, each with a history row, under ids that were never used. Returns the ids in order. */
export async function insertPeriods(
  { db, actor, now }: CourseContext,
  periods: readonly (CompletePeriod & { course_id: number; sort: number })[],
): Promise<number[]> {
  if (periods.length === 0) return [];
  const { id: unused } = await newRecordId(db, 'period', () =>
    maxId(db.selectFrom('period').select((eb) => eb.fn.max('id').as('last'))),
  );
  const ids: number[] = [];
  for (const [place, { minutes, ...period }] of periods.entries()) {
    const given = unused === undefined ? {} : { id: unused + place };
    const { id } = await db
      .insertInto('period')
      .values({ ...given, ...period, total_time: minutes * 60, student_code: newJoinCode(period) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordHistory(db, {
      actor,
      now,
      record: 'period',
      recordId: id,
      action: 'add',
      before: null,
      after: { course_id: period.course_id, ...editablePeriod({ ...period, minutes }) },
    });
    ids.push(id);
  }
  return ids;
}

/** Without characters that are easily confused (0/O, 1/I). */
const codeCharacters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Generates the students' join code of a live period; '' for other types, which have no room. */
export const newJoinCode = ({ periods_type }: { periods_type: number }): string =>
  liveCourses.includes(periods_type)
    ? `S${Array.from({ length: 7 }, () => codeCharacters[randomInt(codeCharacters.length)]).join('')}`
    : '';

/** Loads a visible period and locks its course. */
async function lockedPeriod(context: CourseContext, id: number) {
  const { db, actor } = context;
  const found = await administeredPeriods(db, actor)
    .select('period.course_id')
    .where('period.id', '=', id)
    .executeTakeFirst();
  if (!found || !(await lockedCourse(context, found.course_id))) return undefined;
  return forUpdate(db)(db.selectFrom('period').selectAll('period').where('period.id', '=', id)).executeTakeFirst();
}

/** Rules that need the database: chapter and lecturer must exist; unchanged ones may stay. */
export async function periodFieldRefusal(
  { db, actor }: CourseContext,
  courseId: number,
  fields: Pick<CompletePeriod, 'chapter_id' | 'lecturer_id' | 'periods_type'>,
  before?: CompletePeriod,
): Promise<Refusal | undefined> {
  const errors: FieldErrors = {};
  if (fields.chapter_id !== null) {
    const chapters = db
      .selectFrom('course_chapter')
      .where('id', '=', fields.chapter_id)
      .where('course_id', '=', courseId);
    if ((await countOf(chapters)) === 0) errors.chapter_id = [courseMessages.noChapter];
  }
  if (fields.lecturer_id !== null && fields.lecturer_id !== before?.lecturer_id) {
    const lecturers = administeredLecturers(db, actor).where('staff.id', '=', fields.lecturer_id);
    if ((await countOf(lecturers)) === 0) errors.lecturer_id = [courseMessages.noLecturer];
  }
  const isKind = courseKinds.some((kind) => kind === fields.periods_type);
  if (!isKind && fields.periods_type !== before?.periods_type) errors.periods_type = [courseMessages.noPeriodType];
  return Object.keys(errors).length > 0 ? invalid(errors) : undefined;
}

const fieldNames: Record<keyof CompletePeriod, string> = {
  title: '课时名称',
  chapter_id: '章节',
  lecturer_id: '讲师',
  periods_type: '课时类型',
  start_play: '开始时间',
  minutes: '时长',
  advance_time: '提前进入时间',
  allow_enter: '暂不开放进入',
  is_playback: '可看回放',
  periods_extend: '开放助教直播间',
};

async function conflictOf(
  { db, settings: { timezone } }: CourseContext,
  id: number,
  edit: Edit<CompletePeriod>,
): Promise<Refusal> {
  const [chapters, lecturers] = await Promise.all([
    db
      .selectFrom('course_chapter')
      .select(['id', 'title as name'])
      .where('id', 'in', [edit.now.chapter_id ?? 0, edit.written.chapter_id ?? 0])
      .execute(),
    db
      .selectFrom('staff')
      .select(['id', 'real_name as name'])
      .where('id', 'in', [edit.now.lecturer_id ?? 0, edit.written.lecturer_id ?? 0])
      .execute(),
  ]);
  const named = (names: readonly { id: number; name: string }[]) => (value: unknown) =>
    names.find((one) => one.id === value)?.name ?? '无';
  const flag = (value: unknown) => (value === 1 ? '是' : '否');
  const wordsOf: Partial<Record<keyof CompletePeriod, (value: unknown) => string>> = {
    chapter_id: named(chapters),
    lecturer_id: named(lecturers),
    periods_type: (value) => courseTypeName(Number(value)),
    start_play: (value) => `${dayOf(Number(value), timezone)} ${timeOf(Number(value), timezone)}`,
    minutes: (value) => `${value}分钟`,
    advance_time: (value) => `${value}分钟`,
    allow_enter: flag,
    is_playback: flag,
    periods_extend: flag,
  };
  return editConflict(edit, {
    by: (await lastChangedBy(db, 'period', id, edit.conflicts)) || '系统管理员',
    nameOf: fieldNames,
    shown: (field, value) => wordsOf[field]?.(value) ?? String(value || '空'),
  });
}

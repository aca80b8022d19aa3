/**
 * Editing, moving, cancelling and restoring lessons by administrators; each change is recorded in the history of its
 * lesson.
 */
import { addDays } from '#server/courses/rules.ts';
import { editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { queueMessages } from '#server/platform/sms/outbox.ts';
import { dayOf, momentOf, timeOf } from '#server/school/calendar.ts';
import { type Clash, clashesOf, clashesText } from '#server/school/clashes.ts';
import {
  CompleteCancellation,
  CompleteLesson,
  CompleteMoves,
  type EditedLesson,
  type WrittenCancellation,
  type WrittenMoves,
} from './lessons.contract.ts';
import { adminLessons, type EditedFields, editableFields, type StoredLesson, storedLessons } from './lessons-list.ts';
import { choiceRefusal, type RequestContext, recordLessonHistory } from './planning.ts';
import { expectedStudents } from './roster.ts';
import { cancelFault, lessonMessages, maxLessonsAtOnce, missingSession, replanFault, restoreFault } from './rules.ts';

/**
 * Edits one lesson. 404: no such lesson. 422: errors by field. 409: the lesson has begun or is cancelled, somebody else
 * edited it meanwhile, or the user has not confirmed the clashes.
 */
export async function editLessonOf(
  context: RequestContext,
  id: number,
  written: EditedLesson,
): Promise<null | Refusal> {
  const { db, now, settings } = context;
  const [lesson] = await lockedLessons(context, [id]);
  if (!lesson) return missing(missingSession);
  const { output, errors } = validateComplete(CompleteLesson, written);
  if (!output) return invalid(errors);
  const before = editableFields(lesson, settings.timezone);
  const { merged, conflicts, both } = mergeEdit(written.seen, before, output);
  const refusal =
    refuseFor('conflict', replanFault(lesson, now)) ??
    (await choiceRefusal(context, merged, { classId: lesson.class_id, schoolId: lesson.school_id, before }));
  if (refusal) return refusal;
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'class_session', id, conflicts)) || '系统管理员',
      nameOf: fieldNames,
      shown: await shownFields(db, [before, merged]),
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const times = timesOf(merged, settings.timezone);
  const effect = await replanEffect(context, [{ lesson, times, lecturer: merged.lecturer_id, room: merged.room_id }]);
  const unsaid = requireConfirmation(effect, written.acknowledged);
  if (unsaid) return unsaid;
  await db
    .updateTable('class_session')
    .set({
      course_id: merged.course_id,
      period_id: merged.period_id || null,
      chapter_title: merged.chapter_title,
      lecturer_id: merged.lecturer_id,
      room_id: merged.room_id || null,
      teaching_mode: merged.teaching_mode,
      start_time: times.start,
      end_time: times.end,
    })
    .where('id', '=', id)
    .execute();
  await recordLessonHistory(context, id, { action: 'edit', before: change.before, after: change.after });
  if (written.notify === 1 && times.start !== lesson.start_time)
    await queueTexts(context, [lesson], { to: () => times.start });
  return null;
}

const timesOf = ({ day, start, end }: { day: string; start: string; end: string }, timezone: string) => ({
  start: momentOf(day, start, timezone),
  end: momentOf(day, end, timezone),
});

interface ReplannedLesson {
  lesson: StoredLesson;
  times: { start: number; end: number };
  lecturer: number;
  room: number;
}

/**
 * Returns the sentence to confirm: clashes of the new times, and the number of affected students. Undefined if there is
 * nothing to confirm.
 */
async function replanEffect(
  { db, actor, settings }: RequestContext,
  all: readonly ReplannedLesson[],
): Promise<string | undefined> {
  const clashes: Clash[] = [];
  const classIds = [...new Set(all.map(({ lesson }) => lesson.class_id))];
  for (const classId of classIds) {
    const found = await clashesOf(db, actor, {
      slots: all
        .filter(({ lesson }) => lesson.class_id === classId)
        .map(({ times, lecturer, room }) => ({ ...times, lecturerId: lecturer, roomId: room || null })),
      classIds: [classId],
      except: { sessionIds: all.map(({ lesson }) => lesson.id) },
    });
    clashes.push(...found.filter((one) => !clashes.some(({ kind, id }) => kind === one.kind && id === one.id)));
  }
  const moved = all.filter(({ lesson, times }) => times.start !== lesson.start_time || times.end !== lesson.end_time);
  const students = await studentsOf(
    db,
    moved.map(({ lesson }) => lesson.id),
  );
  const effects = [
    students > 0 && (moved.length > 1 ? `${moved.length}节课改时间，${students}名学员` : `${students}名学员改时间上课`),
    clashesText(clashes, settings.timezone),
  ].filter((one): one is string => typeof one === 'string');
  return effects.length > 0 ? effects.join('；') : undefined;
}

/** Returns the number of distinct students who are expected in these lessons. */
async function studentsOf(db: Database, ids: readonly number[]): Promise<number> {
  const { students } = await expectedStudents(db)
    .select((eb) => eb.fn.count<number>('student.id').distinct().as('students'))
    .where('class_session.id', 'in', [0, ...ids])
    .executeTakeFirstOrThrow();
  return students;
}

const fieldNames: Record<keyof EditedFields, string> = {
  course_id: '课程',
  period_id: '课时',
  chapter_title: '课题',
  lecturer_id: '讲师',
  room_id: '教室',
  teaching_mode: '授课方式',
  day: '日期',
  start: '开始时间',
  end: '结束时间',
};

async function shownFields(db: Database, both: readonly EditedFields[]) {
  const ids = (field: 'course_id' | 'period_id' | 'lecturer_id' | 'room_id') => [0, ...both.map((one) => one[field])];
  const [courses, periods, lecturers, rooms] = await Promise.all([
    db.selectFrom('course').select(['id', 'title as name']).where('id', 'in', ids('course_id')).execute(),
    db.selectFrom('period').select(['id', 'title as name']).where('id', 'in', ids('period_id')).execute(),
    db.selectFrom('staff').select(['id', 'real_name as name']).where('id', 'in', ids('lecturer_id')).execute(),
    db.selectFrom('room').select(['id', 'name']).where('id', 'in', ids('room_id')).execute(),
  ]);
  const named = (of: { id: number; name: string }[]) => (value: unknown) =>
    of.find(({ id }) => id === value)?.name ?? '无';
  const wordsOf: Partial<Record<string, (value: unknown) => string>> = {
    course_id: named(courses),
    period_id: named(periods),
    lecturer_id: named(lecturers),
    room_id: named(rooms),
    teaching_mode: (value) => (value === 2 ? '线下' : '直播'),
  };
  return (field: string, value: unknown) => wordsOf[field]?.(value) ?? String(value || '空');
}

/**
 * Cancels lessons. 404: no such lesson. 422: errors by field. 409: a lesson has begun or is cancelled already, or the
 * user has not confirmed the effect.
 */
export async function cancelLessonsOf(
  context: RequestContext,
  written: WrittenCancellation,
): Promise<{ count: number } | Refusal> {
  const { db, now } = context;
  const { output, errors } = validateComplete(CompleteCancellation, written);
  if (!output) return invalid(errors);
  const lessons = await lockedLessons(context, output.ids);
  if (lessons.length < output.ids.length) return missing(missingSession);
  const students = await studentsOf(db, output.ids);
  const refusal =
    firstFault(context, lessons, (lesson) => cancelFault(lesson, now)) ??
    requireConfirmation(
      `将取消${lessons.length}节课${students > 0 ? `，${students}名学员` : ''}${output.notify === 1 && students > 0 ? '将收到短信' : ''}`,
      written.acknowledged,
    );
  if (refusal) return refusal;
  await db
    .updateTable('class_session')
    .set({ cancelled_at: now, cancel_reason: output.reason })
    .where('id', 'in', output.ids)
    .execute();
  for (const { id } of lessons) {
    await recordLessonHistory(context, id, {
      action: 'cancel',
      before: { cancelled_at: null },
      after: { cancelled_at: now, cancel_reason: output.reason },
    });
  }
  if (output.notify === 1) await queueTexts(context, lessons, { reason: output.reason });
  return { count: lessons.length };
}

/**
 * Restores cancelled lessons. 404: no such lesson. 422: errors by field. 409: a lesson is not cancelled or is over, its
 * class has ended, or the user has not confirmed the clashes.
 */
export async function restoreLessonsOf(
  context: RequestContext,
  { ids, acknowledged }: { ids: number[]; acknowledged: string },
): Promise<{ count: number } | Refusal> {
  const { db, now } = context;
  if (ids.length === 0) return invalid({ ids: [lessonMessages.nobody] });
  if (ids.length > maxLessonsAtOnce) return invalid({ ids: [lessonMessages.tooManyChosen] });
  const lessons = await lockedLessons(context, ids);
  if (lessons.length < ids.length) return missing(missingSession);
  const refusal =
    firstFault(context, lessons, (lesson) => restoreFault(lesson, now)) ??
    requireConfirmation(
      await replanEffect(
        context,
        lessons.map((lesson) => ({
          lesson,
          times: { start: lesson.start_time, end: lesson.end_time },
          lecturer: lesson.lecturer_id,
          room: lesson.room_id ?? 0,
        })),
      ),
      acknowledged,
    );
  if (refusal) return refusal;
  await db.updateTable('class_session').set({ cancelled_at: null, cancel_reason: '' }).where('id', 'in', ids).execute();
  for (const { id, cancelled_at, cancel_reason } of lessons) {
    await recordLessonHistory(context, id, {
      action: 'restore',
      before: { cancelled_at, cancel_reason },
      after: { cancelled_at: null },
    });
  }
  return { count: lessons.length };
}

/**
 * Moves lessons. 404: no such lesson. 422: errors by field. 409: a lesson has begun or is cancelled, or the user has
 * not confirmed the effect.
 */
export async function moveLessonsOf(
  context: RequestContext,
  written: WrittenMoves,
): Promise<{ count: number } | Refusal> {
  const { db, actor, now, settings } = context;
  const { output, errors } = validateComplete(CompleteMoves, written);
  if (!output) return invalid(errors);
  const lessons = await lockedLessons(context, output.ids);
  if (lessons.length < output.ids.length) return missing(missingSession);
  const fault = firstFault(context, lessons, (lesson) => replanFault(lesson, now));
  if (fault) return fault;
  const { timezone } = settings;
  const changes = lessons.map((lesson) => {
    const before = editableFields(lesson, timezone);
    const after: EditedFields = {
      ...before,
      day: addDays(before.day, output.days),
      ...(output.start !== '' && { start: output.start, end: output.end }),
      ...(output.lecturer_id !== 0 && { lecturer_id: output.lecturer_id }),
      ...(output.room_id !== 0 && { room_id: output.room_id }),
    };
    return { lesson, before, after };
  });
  for (const { lesson, before, after } of changes) {
    const refusal = await choiceRefusal({ db, actor }, after, {
      classId: lesson.class_id,
      schoolId: lesson.school_id,
      before,
    });
    if (refusal) return refusal;
  }
  const replanned = changes.map(({ lesson, after }) => ({
    lesson,
    times: timesOf(after, timezone),
    lecturer: after.lecturer_id,
    room: after.room_id,
  }));
  const unsaid = requireConfirmation(await replanEffect(context, replanned), written.acknowledged);
  if (unsaid) return unsaid;
  for (const { lesson, before, after } of changes) {
    const { start, end } = timesOf(after, timezone);
    await db
      .updateTable('class_session')
      .set({ lecturer_id: after.lecturer_id, room_id: after.room_id || null, start_time: start, end_time: end })
      .where('id', '=', lesson.id)
      .execute();
    const change = changedFields(before, after);
    await recordLessonHistory(context, lesson.id, { action: 'edit', before: change.before, after: change.after });
  }
  const to = new Map(replanned.map(({ lesson, times }) => [lesson.id, times.start]));
  const moved = lessons.filter(({ id, start_time }) => to.get(id) !== start_time);
  if (output.notify === 1) await queueTexts(context, moved, { to: ({ id, start_time }) => to.get(id) ?? start_time });
  return { count: lessons.length };
}

/** Reads and locks the lessons, in the order of their ids to avoid deadlocks. */
async function lockedLessons({ db, actor }: Pick<RequestContext, 'db' | 'actor'>, ids: readonly number[]) {
  await forUpdate(db)(
    adminLessons(db, actor)
      .select('class_session.id')
      .where('class_session.id', 'in', [0, ...ids])
      .orderBy('class_session.id'),
    ['class_session'],
  ).execute();
  return storedLessons({ db, actor }, ids);
}

/** Returns the first fault of the lessons. If there are several lessons, the message names the lesson. */
function firstFault(
  { settings }: Pick<RequestContext, 'settings'>,
  lessons: readonly StoredLesson[],
  faultOf: (lesson: StoredLesson) => string | undefined,
): Refusal | undefined {
  for (const lesson of lessons) {
    const fault = faultOf(lesson);
    if (!fault) continue;
    const which = `${lesson.class_name} ${formatMoment(lesson.start_time, settings.timezone)}`;
    return conflict(lessons.length > 1 ? `${which}：${fault}` : fault);
  }
  return undefined;
}

const formatMoment = (at: number, timezone: string) => `${dayOf(at, timezone)} ${timeOf(at, timezone)}`;

/** Queues a text message to each expected student, saying that the lesson was cancelled or moved. */
async function queueTexts(
  { db, now, settings }: RequestContext,
  lessons: readonly StoredLesson[],
  change: { reason: string } | { to: (lesson: StoredLesson) => number },
): Promise<void> {
  const byId = new Map(lessons.map((lesson) => [lesson.id, lesson]));
  const expected = await expectedStudents(db)
    .select(['class_session.id as session_id', 'student.id', 'student.nickname', 'student.mobile'])
    .where('class_session.id', 'in', [0, ...byId.keys()])
    .orderBy('class_session.start_time')
    .orderBy('class_student.id')
    .execute();
  const { timezone } = settings;
  await queueMessages(
    db,
    expected.flatMap(({ session_id, id, nickname, mobile }) => {
      const lesson = byId.get(session_id);
      if (!lesson) return [];
      const what = `${nickname}同学您好，${lesson.class_name}原定于${formatMoment(lesson.start_time, timezone)}的课`;
      const content =
        'reason' in change
          ? `${what}已取消（${change.reason}），具体安排请留意后续通知。`
          : `${what}改到${formatMoment(change.to(lesson), timezone)}，请准时参加。`;
      return [{ mobile, content, session_id, student_id: id }];
    }),
    now,
  );
}

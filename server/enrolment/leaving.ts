/** Removes students from a class, and deals with their homework and leave requests there. */
import { leftBeforeFault, memberMessages, missingStudent } from '#server/classes/rules.ts';
import { requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf } from '#server/platform/db/page.ts';
import { dayEnd, dayOf } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import { CompleteLeaving, type WrittenLeaving } from './contract.ts';
import { adminClass, type RequestContext, refuseChosenCount, refuseMissingClass } from './members.ts';
import { leavingSentence } from './rules.ts';
import { leaveClass } from './stays.ts';

/**
 * Says what removing these students does; former members are left out. 404: no such class, or somebody never was a
 * member.
 */
export async function previewLeaving({ db, actor, now }: RequestContext, id: number, ids: readonly number[]) {
  const theClass = await adminClass(db, actor, id).executeTakeFirst();
  if (!theClass) return refuseMissingClass();
  const leaving = await presentMembers(db, id, ids);
  if (isRefusal(leaving)) return leaving;
  return {
    students: leaving.map(({ student_id, nickname }) => ({ id: student_id, name: nickname })),
    effect: (await leavingEffect(db, theClass, leaving, now)) ?? '',
  };
}

/**
 * Removes students from a class. 404: no such class or member. 422: an impossible day or reason. 409: none of them is a
 * current member, or the effect was not acknowledged.
 */
export async function removeStudentsFromClass(
  { db, actor, now, settings }: RuleContext<'actor' | 'now' | 'settings'>,
  id: number,
  written: WrittenLeaving,
): Promise<{ left: number } | Refusal> {
  const theClass = await forUpdate(db)(adminClass(db, actor, id), ['class']).executeTakeFirst();
  if (!theClass) return refuseMissingClass();
  const { output, errors } = validateComplete(CompleteLeaving, written);
  if (!output) return invalid(errors);
  const { ids, day, reason } = output;
  const fault = refuseChosenCount(ids);
  if (fault) return fault;
  const leaving = await presentMembers(db, id, ids);
  if (isRefusal(leaving)) return leaving;
  if (leaving.length === 0) return conflict(memberMessages.noneIn);
  const today = dayOf(now, settings.timezone);
  if (day !== undefined && day > today) return invalid({ day: [memberMessages.laterThanToday] });
  const leftAt = day === undefined || day === today ? now : dayEnd(day, settings.timezone);
  const late = leaving.find(({ joined_at }) => joined_at > leftAt);
  const early = late && leftBeforeFault(leftAt, late.joined_at, late.nickname);
  if (early) return invalid({ day: [early] });
  const refusal = requireConfirmation(await leavingEffect(db, theClass, leaving, now), written.acknowledged);
  if (refusal) return refusal;
  await endStays({ db, actor, now }, leaving, { leftAt, reason });
  return { left: leaving.length };
}

interface PresentMember {
  id: number;
  class_id: number;
  student_id: number;
  nickname: string;
  joined_at: number;
}

/** Ends these enrolments, each with a history row. */
export async function endStays(
  { db, actor, now }: { db: Database; actor: { id: number } | null; now: number },
  leaving: readonly PresentMember[],
  { leftAt, reason }: { leftAt: number; reason: string },
): Promise<void> {
  for (const { id, class_id, student_id } of leaving) {
    await leaveClass(db, { classId: class_id, studentId: student_id, leftAt, now, reason });
    await recordHistory(db, {
      actor,
      now,
      record: 'class_student',
      recordId: id,
      action: 'leave',
      before: { class_id, student_id, left_at: null },
      after: { class_id, student_id, left_at: leftAt, left_reason: reason },
    });
  }
}

export const membersWithNames = (db: Database) =>
  db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .select(['class_student.id', 'class_student.class_id', 'class_student.student_id', 'student.nickname'])
    .select(['class_student.joined_at', 'class_student.left_at'])
    .orderBy('class_student.id');

/** Returns the current members among these students. 404: somebody never was a member. */
async function presentMembers(
  db: Database,
  classId: number,
  ids: readonly number[],
): Promise<PresentMember[] | Refusal> {
  if (ids.length === 0) return [];
  const rows = await membersWithNames(db)
    .where('class_student.class_id', '=', classId)
    .where('class_student.student_id', 'in', ids)
    .execute();
  if (rows.length < ids.length) return missing(missingStudent);
  return rows.filter(({ left_at }) => left_at === null);
}

/** Selects the student's current enrolments in all classes. */
export const presentStays = (db: Database, studentId: number): Promise<PresentMember[]> =>
  membersWithNames(db)
    .where('class_student.student_id', '=', studentId)
    .where('class_student.left_at', 'is', null)
    .execute();

async function leavingEffect(
  db: Database,
  theClass: { name: string },
  leaving: readonly PresentMember[],
  now: number,
): Promise<string | undefined> {
  return leavingSentence(`${leaving.length}名学员离开${theClass.name}`, await countUnfinished(db, leaving, now));
}

/** Counts the open homework and waiting leave requests of these members in the classes they leave. */
export async function countUnfinished(
  db: Database,
  leaving: readonly Pick<PresentMember, 'class_id' | 'student_id'>[],
  now: number,
): Promise<{ homework: number; leave: number }> {
  if (leaving.length === 0) return { homework: 0, leave: 0 };
  const classIds = [...new Set(leaving.map(({ class_id }) => class_id))];
  const studentIds = [...new Set(leaving.map(({ student_id }) => student_id))];
  const { homework } = await db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .select((eb) => eb.fn.count<number>('report.homework_id').distinct().as('homework'))
    .where('report.student_id', 'in', studentIds)
    .where('report.class_id', 'in', classIds)
    .where('report.status', '=', 1)
    .where('homework.status', '=', 1)
    .where('homework.ending_time', '>', now)
    .executeTakeFirstOrThrow();
  const leave = await countOf(
    db
      .selectFrom('attendance')
      .where('attendance.student_id', 'in', studentIds)
      .where('attendance.class_id', 'in', classIds)
      .where('attendance.op_status', '=', 1),
  );
  return { homework, leave };
}

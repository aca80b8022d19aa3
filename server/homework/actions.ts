import { inClassOrder, missingClass } from '#server/classes/rules.ts';
import { gradePlace } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import {
  forbidden,
  invalid,
  isRefusal,
  missing,
  type Refusal,
  refusalPreview,
  refuseField,
  refuseFor,
} from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { yesterdayStart } from '#server/school/calendar.ts';
import { nextChangedAt } from '#server/school/change-feed.ts';
import { permissionMessages } from '#server/school/rules.ts';
import { classesAssistedBy } from '#server/school/staff-duties.ts';
import { publishToClasses } from './assign.ts';
import type { HomeworkActions } from './contract.ts';
import {
  alreadyPublishedFault,
  deadlineFault,
  gradingFault,
  missingHomework,
  newDeadlineFault,
  ownerFault,
  pastDeadlineFault,
  publicationMessages,
  publishMoreFault,
  recallFault,
} from './rules.ts';
import { findVisibleHomework } from './visible.ts';

const unknownHomework = () => missing(missingHomework);

/** Returns the homework; 404 if the actor does not see it. */
async function visibleOrMissing(db: Database, actor: Actor, id: number) {
  return (await findVisibleHomework(db, actor, id)) ?? unknownHomework();
}

/** Like `visibleOrMissing`, but locks the homework's row until the transaction ends. */
async function lockHomework(db: Database, actor: Actor, id: number) {
  await db.selectFrom('homework').select('id').where('id', '=', id).$call(forUpdate(db)).execute();
  return visibleOrMissing(db, actor, id);
}

const refuseUnlessOwner = (homework: { creator_id: number }, actor: Actor) =>
  refuseFor('forbidden', ownerFault(homework.creator_id === actor.id));

/**
 * Returns the homework's state, and why each action is refused, for the screens. 404: the actor does not see the
 * homework.
 */
export async function homeworkActionState(
  db: Database,
  actor: Actor,
  id: number,
  now: number,
): Promise<HomeworkActions | Refusal> {
  const homework = await visibleOrMissing(db, actor, id);
  if (isRefusal(homework)) return homework;
  const refusal = actor.permissions.includes('dispatch')
    ? refuseUnlessOwner(homework, actor)
    : forbidden(permissionMessages.dispatch);
  const refusalOf = (fault: string | undefined) => refusalPreview(refusal ?? refuseFor('conflict', fault));
  return {
    id: homework.id,
    name: homework.name,
    status: homework.status,
    publish_type: homework.publish_type,
    published_class_count: homework.published_class_count,
    class_count: homework.class_count,
    is_owner: homework.creator_id === actor.id ? 1 : 0,
    ending_time: homework.ending_time,
    homework_count: homework.homework_count,
    submitted_homework_count: homework.submitted_homework_count,
    refusals: {
      recall: refusalOf(recallFault(homework)),
      deadline: refusalOf(deadlineFault(homework, now)),
      continue: refusalOf(publishMoreFault(homework, now)),
    },
  };
}

/** Sets the homework to recalled. Its reports leave every list and count, but stay in the database. */
export async function recallOwnHomework(db: Database, actor: Actor, id: number, now: number): Promise<null | Refusal> {
  const homework = await lockHomework(db, actor, id);
  if (isRefusal(homework)) return homework;
  const refusal = refuseUnlessOwner(homework, actor) ?? refuseFor('conflict', recallFault(homework));
  if (refusal) return refusal;
  await db
    .updateTable('homework')
    .set({ status: 2, changed_at: nextChangedAt(now) })
    .where('id', '=', id)
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'homework',
    recordId: id,
    action: 'recall',
    before: { status: 1 },
    after: { status: 2 },
  });
  return null;
}

interface NewDeadline {
  id: number;
  /** New deadline in unix seconds. */
  endingTime: number | undefined;
  /** True: the sender accepts a deadline in the past. */
  isConfirmed: boolean;
  now: number;
  timezone: string;
}

export async function moveDeadline(
  db: Database,
  actor: Actor,
  { id, endingTime, isConfirmed, now, timezone }: NewDeadline,
): Promise<null | Refusal> {
  const homework = await lockHomework(db, actor, id);
  if (isRefusal(homework)) return homework;
  const refusal =
    refuseUnlessOwner(homework, actor) ??
    refuseFor('conflict', deadlineFault(homework, now)) ??
    refuseField('ending_time', newDeadlineFault(endingTime, yesterdayStart(now, timezone)));
  if (refusal || endingTime === undefined) return refusal ?? null;
  const pastRefusal = refuseField('confirm_past', pastDeadlineFault(endingTime, now, isConfirmed));
  if (pastRefusal) return pastRefusal;
  await db
    .updateTable('homework')
    .set({ ending_time: endingTime, changed_at: nextChangedAt(now) })
    .where('id', '=', id)
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'homework',
    recordId: id,
    action: 'deadline',
    before: { ending_time: homework.ending_time },
    after: { ending_time: endingTime },
  });
  return null;
}

/**
 * Lists the homework's classes: those that have it, and those that do not have it yet. `students_count`: number of
 * current members.
 */
export async function classesOfHomework(db: Database, actor: Actor, id: number) {
  const homework = await visibleOrMissing(db, actor, id);
  if (isRefusal(homework)) return homework;
  const rows = await db
    .selectFrom('homework_class')
    .innerJoin('class', 'class.id', 'homework_class.class_id')
    .select(['class.id', 'class.name', 'homework_class.published_at', gradePlace])
    .select((eb) =>
      eb
        .selectFrom('class_student')
        .whereRef('class_student.class_id', '=', 'class.id')
        .where('class_student.left_at', 'is', null)
        .select((count) => count.fn.countAll<number>().as('n'))
        .as('students_count'),
    )
    .where('homework_class.homework_id', '=', id)
    .execute();
  const classes = inClassOrder(rows);
  const classOf = ({ id: classId, name, students_count }: (typeof classes)[number]) => ({
    id: classId,
    name,
    students_count: students_count ?? 0,
  });
  return {
    published: classes.filter((row) => row.published_at !== null).map(classOf),
    unpublished: classes.filter((row) => row.published_at === null).map(classOf),
  };
}

/**
 * Publishes the homework to more classes of its scope: all of them or none. 404: unknown class. 409: a class has the
 * homework already.
 */
export async function extendPublication(
  db: Database,
  actor: Actor,
  { id, classIds, now }: { id: number; classIds: number[]; now: number },
): Promise<null | Refusal> {
  const homework = await lockHomework(db, actor, id);
  if (isRefusal(homework)) return homework;
  const refusal = refuseUnlessOwner(homework, actor) ?? refuseFor('conflict', publishMoreFault(homework, now));
  if (refusal) return refusal;
  if (classIds.length === 0) return invalid({ class_ids: [publicationMessages.classes] });
  const classes = await db
    .selectFrom('homework_class')
    .innerJoin('class', 'class.id', 'homework_class.class_id')
    .select(['class.id', 'class.name', 'homework_class.published_at'])
    .where('homework_class.homework_id', '=', id)
    .execute();
  const chosen = classIds.map((classId) => classes.find((one) => one.id === classId));
  if (chosen.includes(undefined)) return missing(missingClass);
  const publishedNames = chosen.flatMap((one) => (one && one.published_at !== null ? [one.name] : []));
  const publishedRefusal = refuseFor('conflict', alreadyPublishedFault(publishedNames));
  if (publishedRefusal) return publishedRefusal;
  await publishToClasses(db, { homeworkId: id, classIds, now });
  await recordHistory(db, {
    actor,
    now,
    record: 'homework',
    recordId: id,
    action: 'publish',
    before: null,
    after: { class_ids: classIds },
  });
  return null;
}

/** Returns the id of the oldest submitted report that the actor can grade; null if there is none. */
export async function firstWaitingReport(
  db: Database,
  actor: Actor,
  {
    homeworkId,
    classId,
    studentId,
  }: { homeworkId: number | undefined; classId: number | undefined; studentId: number | undefined },
): Promise<{ report_id: number | null } | Refusal> {
  if (homeworkId === undefined) return unknownHomework();
  const homework = await visibleOrMissing(db, actor, homeworkId);
  if (isRefusal(homework)) return homework;
  const refusal = refuseFor('conflict', gradingFault(homework));
  if (refusal) return refusal;
  let waiting = db.selectFrom('report').select('id').where('homework_id', '=', homeworkId).where('status', '=', 2);
  if (actor.identity === 'assist') waiting = waiting.where('class_id', 'in', classesAssistedBy(db, actor));
  if (classId !== undefined) waiting = waiting.where('class_id', '=', classId);
  if (studentId !== undefined) waiting = waiting.where('student_id', '=', studentId);
  const first = await waiting.orderBy('submit_time').orderBy('id').limit(1).executeTakeFirst();
  return { report_id: first?.id ?? null };
}

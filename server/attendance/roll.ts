/** Roll call of a period in a class: lists its students, records the attendance of all at once, and undoes it. */
import * as v from 'valibot';
import { inClassOrder, missingPeriod } from '#server/classes/rules.ts';
import { gradePlace, refuseClass, visibleClasses } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { conflict, isRefusal, missing, type Refusal, refuseField, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { RuleContext } from '#server/school/context.ts';
import { attendanceCells, factsOf, wasMember } from './facts.ts';
import { lessonOf, MarkAfter, MarkBefore, storedColumns, storedMark, writeAttendance } from './mark.ts';
import type { callPeriodRoll, PeriodRoll, UndoableRoll } from './roll.contract.ts';
import { latestRoll, markRollUndone, type RollPlace, rollToUndo, storeRoll } from './roll-batch.ts';
import {
  currentAttendance,
  missingMember,
  type OpStatus,
  rollChangedFault,
  rollChangedMessage,
  rollChoices,
  rollFault,
  rollMarkMessage,
  rollSizeFault,
  statusName,
} from './rules.ts';

type RollContext = RuleContext<'actor' | 'now'>;

/** Reads the period and the actor's classes that take its course. */
async function findPeriod(db: Database, actor: Actor, periodId: number) {
  const period = await db
    .selectFrom('period')
    .innerJoin('course', 'course.id', 'period.course_id')
    .select(['period.id', 'period.title', 'period.start_play', 'period.total_time'])
    .select(['course.id as course_id', 'course.title as course_title', 'course.course_type'])
    .where('period.id', '=', periodId)
    .executeTakeFirst();
  if (!period) return missing(missingPeriod);
  const classes = await visibleClasses(db, actor)
    .innerJoin('class_course', 'class_course.class_id', 'class.id')
    .select(['class.id', 'class.name', gradePlace])
    .where('class_course.course_id', '=', period.course_id)
    .execute();
  return { period, classes: inClassOrder(classes) };
}

/** Returns the roll of a period in a class. 404: no such period, or the actor sees no class that takes it. */
export async function periodRoll(
  { db, actor, now }: RollContext,
  { periodId, classId }: { periodId: number; classId: number | undefined },
): Promise<PeriodRoll | Refusal> {
  const found = await findPeriod(db, actor, periodId);
  if (isRefusal(found)) return found;
  const { period, classes } = found;
  const theClass = classId === undefined ? classes[0] : classes.find(({ id }) => id === classId);
  if (!theClass) return missing(missingPeriod);
  const cells = await rollOf(db, { classId: theClass.id, periodId, now }).execute();
  return {
    period_id: periodId,
    period_title: period.title,
    course_id: period.course_id,
    course_title: period.course_title,
    course_type: period.course_type,
    start_play: period.start_play,
    total_time: period.total_time,
    class_id: theClass.id,
    classes,
    students: cells.map((cell) => ({
      uid: cell.uid,
      nickname: cell.nickname,
      mobile: cell.mobile,
      op_status: currentAttendance(factsOf(cell)),
      is_recorded: cell.op_status === -1 ? 0 : 1,
      leave_cause: cell.leave_cause ?? '',
    })),
    undoable: await undoableRoll(db, actor, { place: placeOf(theClass.id, periodId), now }),
  };
}

export const placeOf = (class_id: number, period_id: number): RollPlace => ({ class_id, period_id, session_id: null });

/** Selects the students who were in the class when the period began, in order of joining. */
const rollOf = (db: Database, { classId, periodId, now }: { classId: number; periodId: number; now: number }) =>
  attendanceCells(db, { classId, periodIds: [periodId] }, now)
    .innerJoin('student', 'student.id', 'member.student_id')
    .select(['student.nickname', 'student.mobile'])
    .select(storedColumns)
    .where(wasMember)
    .orderBy('member.id');

/**
 * Records the attendance of all given students, or of none. 404: the actor does not see the class or the period, or a
 * student is not on the roll. 422: no student, or too many. 409: others have recorded another state meanwhile (the
 * message names the students), or the rules do not allow a change.
 */
export async function callRoll(
  { db, actor, now }: RollContext,
  periodId: number,
  { class_id: classId, marks }: BodyOf<typeof callPeriodRoll>,
): Promise<UndoableRoll | null | Refusal> {
  const found = await findPeriod(db, actor, periodId);
  if (isRefusal(found)) return found;
  if (!found.classes.some(({ id }) => id === classId)) return missing(missingPeriod);
  const size = refuseField('marks', rollSizeFault(marks.length));
  if (size) return size;
  const fault = refuseFor('conflict', rollFault(found.period));
  if (fault) return fault;
  const cells = await lockedRoll(
    db,
    { classId, periodId, now },
    marks.map(({ uid }) => uid),
  );

  const changed: { uid: number; name: string; status: string; op_status: OpStatus }[] = [];
  const due: { cell: RollCell; status: OpStatus; to: OpStatus }[] = [];
  for (const { uid, from, to } of marks) {
    const cell = cells.find((one) => one.uid === uid);
    if (!cell) return missing(missingMember);
    const status = currentAttendance(factsOf(cell));
    // Skips a student for whom somebody else has recorded the same state.
    if (status === to || due.some((one) => one.cell === cell)) continue;
    // Once another student is recorded as present or absent, a student without a record counts as absent. Such a record
    // is not a change by somebody else.
    const isSame = status === from || (cell.op_status === -1 && (from === -1 || from === 5));
    if (isSame) due.push({ cell, status, to });
    else changed.push({ uid, name: cell.nickname, status: statusName(status, cell.course_type), op_status: status });
  }
  const moved = rollChangedFault(changed);
  if (moved) return conflict(moved, { changed });

  if (due.length === 0) return null;

  const kept: Parameters<typeof storeRoll>[2]['marks'][number][] = [];
  for (const { cell, status, to } of due) {
    const choice = rollChoices(status, lessonOf(cell)).find((one) => one.to === to);
    if (!choice) return conflict(rollMarkMessage(cell.nickname, status, to), { op_status: status });
    const at = { uid: cell.uid, class_id: classId, course_periods_id: periodId };
    const recordId = await writeAttendance(db, actor, at, {
      action: choice.action,
      status,
      now,
      approve: choice.approve === true,
    });
    kept.push(storedMark(recordId, cell));
  }
  return storeRoll(db, actor, { place: placeOf(classId, periodId), marks: kept, now });
}

type RollCell = Awaited<ReturnType<ReturnType<typeof rollOf>['execute']>>[number];

/**
 * Reads and locks the roll. Locks memberships before records, each in order of their ids, as changes of single students
 * do.
 */
async function lockedRoll(
  db: Database,
  at: { classId: number; periodId: number; now: number },
  uids: readonly number[],
): Promise<RollCell[]> {
  await forUpdate(db)(
    db
      .selectFrom('class_student')
      .select('id')
      .where('class_id', '=', at.classId)
      .where('student_id', 'in', uids)
      .orderBy('id'),
  ).execute();
  await forUpdate(db)(
    db
      .selectFrom('attendance')
      .select('id')
      .where('class_id', '=', at.classId)
      .where('period_id', '=', at.periodId)
      .where('student_id', 'in', uids)
      .orderBy('id'),
  ).execute();
  return rollOf(db, at).where('member.student_id', 'in', uids).execute();
}

/** Returns the actor's latest roll call if it can be undone; null if a record has changed since. */
export async function undoableRoll(
  db: Database,
  actor: Actor,
  at: { place: RollPlace; now: number },
): Promise<UndoableRoll | null> {
  const latest = await latestRoll(db, actor, at);
  if (!latest) return null;
  const records = await markedRecords(db, latest.marks);
  const isWhole = latest.marks.every(({ recordId, after }) => records.get(recordId)?.version === versionIn(after));
  return isWhole ? latest.undoable : null;
}

const versionIn = (after: string) => v.parse(MarkAfter, JSON.parse(after)).version;

async function markedRecords(db: Database, marks: readonly { recordId: number }[], { lock = false } = {}) {
  const ids = marks.map(({ recordId }) => recordId);
  const query = db
    .selectFrom('attendance')
    .innerJoin('student', 'student.id', 'attendance.student_id')
    .select(['attendance.id', 'attendance.version', 'attendance.op_status', 'student.nickname'])
    .where('attendance.id', 'in', [0, ...ids])
    .orderBy('attendance.id');
  const records = await (lock ? forUpdate(db)(query, ['attendance']) : query).execute();
  return new Map(records.map((record) => [record.id, record]));
}

/** Undoes a roll call, all records or none. 409: a record has changed since. */
export async function undoRoll({ db, actor, now }: RollContext, rollId: number): Promise<null | Refusal> {
  const roll = await rollToUndo(db, actor, { rollId, of: 'period_id', now });
  if (isRefusal(roll)) return roll;
  const refused = await refuseClass(db, actor, roll.place.class_id);
  if (refused) return refused;
  const records = await markedRecords(db, roll.marks, { lock: true });
  for (const { recordId, after } of roll.marks) {
    const record = records.get(recordId);
    if (record?.version !== versionIn(after)) return conflict(rollChangedMessage(record?.nickname));
  }
  for (const { recordId, before } of roll.marks) {
    const was = v.parse(MarkBefore, JSON.parse(before));
    await db
      .updateTable('attendance')
      .set((eb) => ({ ...was, changed_at: now, version: eb('version', '+', 1) }))
      .where('id', '=', recordId)
      .execute();
    await recordHistory(db, {
      actor,
      now,
      record: 'attendance',
      recordId,
      action: 'undo',
      before: { op_status: records.get(recordId)?.op_status },
      after: { op_status: was.op_status },
    });
  }
  await markRollUndone(db, rollId, now);
  return null;
}

/** Roll call of a group or one-to-one lesson: reads, saves and undoes it. */
import * as v from 'valibot';
import type { UndoableRoll } from '#server/attendance/roll.contract.ts';
import { latestRoll, markRollUndone, type RollPlace, rollToUndo, storeRoll } from '#server/attendance/roll-batch.ts';
import { rollChangedFault, rollChangedMessage, rollSizeFault } from '#server/attendance/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { AnswerOf, BodyOf } from '#server/platform/calls/call.ts';
import { conflict, isRefusal, missing, type Refusal, refuseField } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { RuleContext } from '#server/school/context.ts';
import {
  expectedStudents,
  isRollCalled,
  rollColumns,
  rollState,
  saveLessonAttendance,
} from '#server/sessions/roster.ts';
import {
  type AttendanceStatus,
  attendanceName,
  inPerson,
  missingAttendee,
  missingSession,
  presentAttendance,
} from '#server/sessions/rules.ts';
import { MarkAfter, MarkBefore, rollPlaceOf, saveAttendance } from './attendance.ts';
import type { callSessionRoll, showSessionRoll } from './contract.ts';
import { attendanceRefusalMessage, findRollRule, reasonFault } from './rules.ts';
import { isLessonClassOf } from './visible.ts';

type RollContext = RuleContext<'actor' | 'now'>;

/** Loads a lesson of a class that the assistant looks after. */
async function findSession(db: Database, actor: Actor, id: number, { lock = false } = {}) {
  const query = db
    .selectFrom('class_session')
    .select(['id', 'class_id', ...rollColumns, isRollCalled.as('called')])
    .where('id', '=', id);
  const session = await (lock ? forUpdate(db)(query) : query).executeTakeFirst();
  const isTheirs = session && (await isLessonClassOf(db, actor, session.class_id));
  return isTheirs ? session : missing(missingSession);
}

/** Selects the students whom the lesson expects, in order of joining. */
const rollOf = (db: Database, sessionId: number) =>
  expectedStudents(db)
    .leftJoin('session_student as noted', (join) =>
      join.onRef('noted.session_id', '=', 'class_session.id').onRef('noted.student_id', '=', 'student.id'),
    )
    .select(['student.id as clue_id', 'student.nickname as clue_name', 'student.mobile'])
    .select(['noted.status', 'noted.remark', 'noted.attend_type', 'noted.set_by', 'noted.set_at'])
    .where('class_session.id', '=', sessionId)
    .orderBy('class_student.id');

/** Returns the roll of a lesson. 404: no such lesson. */
export async function sessionRoll(
  { db, actor, now }: RollContext,
  id: number,
): Promise<AnswerOf<typeof showSessionRoll> | Refusal> {
  const session = await findSession(db, actor, id);
  if (isRefusal(session)) return session;
  const lesson = rollState(session, now);
  const students = await rollOf(db, id).execute();
  return {
    id,
    status: lesson.status,
    teaching_mode: lesson.teaching_mode,
    called: lesson.called === 1 ? 1 : 0,
    students: students.map((one) => ({
      clue_id: one.clue_id,
      clue_name: one.clue_name,
      mobile: one.mobile,
      status: presentAttendance(lesson, one.status),
      is_recorded: one.status === null ? 0 : 1,
      remark: one.remark ?? '',
    })),
    undoable: await undoableRoll(db, actor, { place: rollPlaceOf(session), now }),
  };
}

/**
 * Saves all marks or none. 404: no such lesson, or a student whom it does not expect. 422: no student, too many, or a
 * required reason is missing. 409: somebody else has marked a student since (the message names them), or the rules do
 * not allow it.
 */
export async function callRoll(
  { db, actor, now }: RollContext,
  id: number,
  { remark, marks }: BodyOf<typeof callSessionRoll>,
): Promise<UndoableRoll | null | Refusal> {
  const session = await findSession(db, actor, id, { lock: true });
  if (isRefusal(session)) return session;
  const size = refuseField('marks', rollSizeFault(marks.length));
  if (size) return size;
  await forUpdate(db)(
    db
      .selectFrom('session_student')
      .select('id')
      .where('session_id', '=', id)
      .where(
        'student_id',
        'in',
        marks.map(({ clue_id }) => clue_id),
      )
      .orderBy('id'),
  ).execute();
  const lesson = rollState(session, now);
  const cells = new Map((await rollOf(db, id).execute()).map((cell) => [cell.clue_id, cell]));

  const changed: { clue_id: number; name: string; status: string; attendance: AttendanceStatus }[] = [];
  const due = new Map<number, { cell: RollCell; standing: AttendanceStatus; to: AttendanceStatus }>();
  for (const { clue_id, from, to } of marks) {
    const cell = cells.get(clue_id);
    if (!cell) return missing(missingAttendee);
    const standing = presentAttendance(lesson, cell.status);
    // Somebody else has already made the same mark.
    if (standing === to) continue;
    // Once one student of an in-person lesson is marked, students without a record count as absent. Such an
    // absence does not conflict with the status that the screen showed.
    const isSame =
      standing === from || (lesson.teaching_mode === inPerson && cell.status === null && (from === null || from === 3));
    const status = attendanceName(standing, lesson.teaching_mode);
    if (isSame) due.set(clue_id, { cell, standing, to });
    else changed.push({ clue_id, name: cell.clue_name, status, attendance: standing });
  }
  const moved = rollChangedFault(changed);
  if (moved) return conflict(moved, { changed });
  if (due.size === 0) return null;

  const reason = remark.replace(/\s+/g, ' ').trim();
  const savedMarks: Parameters<typeof storeRoll>[2]['marks'][number][] = [];
  for (const { cell, standing, to } of due.values()) {
    const rule = findRollRule(lesson, standing, to);
    if (!rule) {
      const refused = attendanceRefusalMessage(lesson, standing, `改为“${attendanceName(to, lesson.teaching_mode)}”`);
      return conflict(`${cell.clue_name}：${refused}`, { status: lesson.status, attendance: standing });
    }
    const unfit = refuseField('remark', reasonFault(rule, reason));
    if (unfit) return unfit;
    const change = { sessionId: id, studentId: cell.clue_id, to: rule.to, cell, now };
    savedMarks.push(await saveAttendance(db, actor, { ...change, reason: rule.needsReason ? reason : '' }));
  }
  return storeRoll(db, actor, { place: rollPlaceOf(session), marks: savedMarks, now });
}

type RollCell = Awaited<ReturnType<ReturnType<typeof rollOf>['execute']>>[number];

/** Returns the roll call if it can still be undone; null if one of its records has changed since. */
async function undoableRoll(
  db: Database,
  actor: Actor,
  at: { place: RollPlace; now: number },
): Promise<UndoableRoll | null> {
  const latest = await latestRoll(db, actor, at);
  if (!latest) return null;
  const records = await markedRecords(db, latest.marks);
  return latest.marks.every(({ recordId, after }) => isUntouched(records.get(recordId), after))
    ? latest.undoable
    : null;
}

async function markedRecords(db: Database, marks: readonly { recordId: number }[], { lock = false } = {}) {
  const query = db
    .selectFrom('session_student')
    .innerJoin('student', 'student.id', 'session_student.student_id')
    .select(['session_student.id', 'session_student.student_id', 'student.nickname'])
    .select(['session_student.status', 'session_student.remark', 'session_student.set_by', 'session_student.set_at'])
    .where('session_student.id', 'in', [0, ...marks.map(({ recordId }) => recordId)])
    .orderBy('session_student.id');
  const records = await (lock ? forUpdate(db)(query, ['session_student']) : query).execute();
  return new Map(records.map((record) => [record.id, record]));
}
type MarkedRecord = Awaited<ReturnType<typeof markedRecords>> extends Map<number, infer Record> ? Record : never;

function isUntouched(record: MarkedRecord | undefined, after: string): boolean {
  if (!record) return false;
  const { status, remark, set_by, set_at } = v.parse(MarkAfter, JSON.parse(after));
  return record.status === status && record.remark === remark && record.set_by === set_by && record.set_at === set_at;
}

/** Undoes all marks of a roll call or none. 409: one of its records has changed since. */
export async function undoRoll({ db, actor, now }: RollContext, rollId: number): Promise<null | Refusal> {
  const roll = await rollToUndo(db, actor, { rollId, of: 'session_id', now });
  if (isRefusal(roll)) return roll;
  const sessionId = roll.place.session_id ?? 0;
  const session = await findSession(db, actor, sessionId, { lock: true });
  if (isRefusal(session)) return session;
  const records = await markedRecords(db, roll.marks, { lock: true });
  for (const { recordId, before, after } of roll.marks) {
    const record = records.get(recordId);
    if (!record || !isUntouched(record, after)) return conflict(rollChangedMessage(record?.nickname));
    const was = v.parse(MarkBefore, JSON.parse(before));
    await saveLessonAttendance(db, { sessionId, studentId: record.student_id }, was);
    await recordHistory(db, {
      actor,
      now,
      record: 'session_student',
      recordId,
      action: 'undo',
      before: { status: record.status, remark: record.remark },
      after: { status: was.status, remark: was.remark },
    });
  }
  await markRollUndone(db, rollId, now);
  return null;
}

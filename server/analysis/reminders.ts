/** Reminders by text message to students who have not submitted: recipients, text, and a record of each message. */

import { missingStudent } from '#server/classes/rules.ts';
import { reportStatus } from '#server/grading/rules.ts';
import {
  alreadySubmitted,
  isRecentReminder,
  noRecipientFault,
  notRemindedSentence,
  remindFault,
  remindStudentFault,
} from '#server/homework/rules.ts';
import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import {
  conflict,
  isRefusal,
  missing,
  type Refusal,
  refusalPreview,
  refuseFor,
} from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { queueMessages } from '#server/platform/sms/outbox.ts';
import { dayOf, timeOf } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { ReminderPlan } from './contract.ts';
import { reportsOf, type Scope, scopeOf } from './scope.ts';

/** Maximum students that are named in each group of a plan. */
const maxNamedStudents = 50;
/** Maximum rows per statement. */
const chunk = 500;

interface Reminded {
  reminded_at: number | null;
  reminded_by: string | null;
}

export const neverReminded: Reminded = { reminded_at: null, reminded_by: null };

/** Returns the latest reminder of each of these students; without ids, of all students that were reminded. */
export async function lastReminders(
  db: Database,
  homeworkId: number,
  studentIds?: readonly number[],
): Promise<Map<number, Reminded>> {
  if (studentIds?.length === 0) return new Map();
  const students = JSON.stringify(studentIds ?? []);
  const rows = await remindersOf(db, { homeworkId, students }, studentIds === undefined ? 'all' : 'some');
  return new Map(rows.map((row) => [row.student_id, { reminded_at: row.sent_at, reminded_by: row.real_name }]));
}

const remindersOf = (
  db: Database,
  { homeworkId, students }: { homeworkId: number; students: string },
  of: 'all' | 'some',
) =>
  db
    .selectFrom('homework_reminder')
    .innerJoin('staff', 'staff.id', 'homework_reminder.staff_id')
    .where('homework_reminder.homework_id', '=', homeworkId)
    .$if(of === 'some', (sent) => sent.where('homework_reminder.student_id', 'in', inJsonIds(db, students)))
    .select(['homework_reminder.student_id', 'homework_reminder.sent_at', 'staff.real_name'])
    .orderBy('homework_reminder.sent_at')
    .orderBy('homework_reminder.id')
    .execute();

/** Lists the students who have not submitted, each once, in the order of the roster. */
async function listAbsentees(db: Database, scope: Scope, now: number, only?: readonly number[]) {
  const reminders = await lastReminders(db, scope.homework.id);
  const students = await reportsOf(db, scope)
    .where('report.status', '=', reportStatus.notSubmitted)
    .innerJoin('student', 'student.id', 'report.student_id')
    .innerJoin('class', 'class.id', 'report.class_id')
    .select(['student.id', 'student.nickname', 'student.mobile', 'class.name as class_name'])
    .orderBy('report.student_id')
    .execute();
  const named = only && new Set(only);
  const seen = students
    .filter(({ id }) => named === undefined || named.has(id))
    .map((student) => ({ ...student, ...(reminders.get(student.id) ?? neverReminded) }));
  const isRecent = ({ reminded_at }: Reminded) => isRecentReminder(reminded_at, now);
  const [ready, others] = [true, false].map((isReady) =>
    seen.filter((student) => (remindStudentFault(student, now) === undefined) === isReady),
  ) as [typeof seen, typeof seen];
  return { ready, recent: others.filter(isRecent), unreachable: others.filter((student) => !isRecent(student)) };
}

/** True if the student has submitted; undefined if the student is not expected to submit. */
async function hasHandedIn(db: Database, scope: Scope, studentId: number): Promise<boolean | undefined> {
  const report = await reportsOf(db, scope)
    .where('report.student_id', '=', studentId)
    .select('report.status')
    .executeTakeFirst();
  return report && report.status !== reportStatus.notSubmitted;
}

type Absentees = Awaited<ReturnType<typeof listAbsentees>>;

/** Why no student can be reminded. If a single student was named, the reason is about that student. */
function noRemindersReason(found: Absentees, only: readonly number[] | undefined, now: number): string | undefined {
  const [other, ...others] = [...found.recent, ...found.unreachable];
  const isOne = only?.length === 1 && found.ready.length === 0 && others.length === 0;
  return (isOne && other && remindStudentFault(other, now)) || noRecipientFault(found.ready.length, namesOf(found));
}

/** Returns the names of the students who get no message. */
const namesOf = ({ recent, unreachable }: Absentees) => ({
  recent: recent.map(({ nickname }) => nickname),
  unreachable: unreachable.map(({ nickname }) => nickname),
});

/** Returns the text of the message to a student. */
function messageTo(nickname: string, { name, ending_time }: Scope['homework'], timezone: string): string {
  const deadline = `${dayOf(ending_time, timezone)} ${timeOf(ending_time, timezone)}`;
  return `${nickname}同学您好，作业“${name}”将于${deadline}截止，您还没有提交，请及时完成。`;
}

type ScopeRequest = Parameters<typeof scopeOf>[2];

/**
 * Returns the plan of a reminder to all students or to one. 404: the actor does not see the homework. 409: the homework
 * is recalled.
 */
export async function planReminders(
  { db, actor, now, settings: { timezone } }: RuleContext<'actor' | 'now' | 'settings'>,
  request: ScopeRequest,
  studentId: number | undefined,
): Promise<ReminderPlan | Refusal> {
  const scope = await scopeOf(db, actor, request);
  if (isRefusal(scope)) return scope;
  const { homework } = scope;
  const handedIn = studentId === undefined ? false : await hasHandedIn(db, scope, studentId);
  if (handedIn === undefined) return missing(missingStudent);
  const fault = remindFault(homework, now) ?? (handedIn ? alreadySubmitted : undefined);
  const only = studentId === undefined ? undefined : [studentId];
  const found: Absentees = fault
    ? { ready: [], recent: [], unreachable: [] }
    : await listAbsentees(db, scope, now, only);
  const group = (students: Absentees['ready']) => ({
    total: students.length,
    list: students.slice(0, maxNamedStudents).map(({ id, nickname, class_name, reminded_at, reminded_by }) => ({
      id,
      nickname,
      class_name,
      reminded_at,
      reminded_by,
    })),
  });
  return {
    homework_id: homework.id,
    homework_name: homework.name,
    ending_time: homework.ending_time,
    content: messageTo(found.ready[0]?.nickname ?? '张三', homework, timezone),
    refusal: refusalPreview(refuseFor('conflict', fault ?? noRemindersReason(found, only, now))),
    ready: group(found.ready),
    recent: group(found.recent),
    unreachable: group(found.unreachable),
  };
}

/**
 * Queues a message for each student and records it. Locks the homework, so that two concurrent reminders do not reach
 * the same students. 404: the actor does not see the homework. 409: the homework is recalled or has ended, or nobody is
 * left to remind.
 */
export async function sendRemindersTo(
  { db, actor, now, settings: { timezone } }: RuleContext<'actor' | 'now' | 'settings'>,
  request: ScopeRequest,
  only: readonly number[] | undefined,
) {
  await db.selectFrom('homework').select('id').where('id', '=', request.homeworkId).$call(forUpdate(db)).execute();
  const scope = await scopeOf(db, actor, request);
  if (isRefusal(scope)) return scope;
  const { homework } = scope;
  const refusal = refuseFor('conflict', remindFault(homework, now));
  if (refusal) return refusal;
  const found = await listAbsentees(db, scope, now, only);
  const { ready, recent, unreachable } = found;
  const nobody = noRemindersReason(found, only, now);
  if (nobody) return conflict(nobody);

  await queueMessages(
    db,
    ready.map(({ id: student_id, nickname, mobile }) => ({
      mobile,
      content: messageTo(nickname, homework, timezone),
      student_id,
    })),
    now,
  );
  for (let from = 0; from < ready.length; from += chunk) {
    await db
      .insertInto('homework_reminder')
      .values(
        ready
          .slice(from, from + chunk)
          .map(({ id }) => ({ homework_id: homework.id, student_id: id, staff_id: actor.id, sent_at: now })),
      )
      .execute();
  }
  await recordHistory(db, {
    actor,
    now,
    record: 'homework',
    recordId: homework.id,
    action: 'remind',
    before: null,
    after: { student_ids: ready.map(({ id }) => id) },
  });
  const left = notRemindedSentence(namesOf(found));
  return new AnswerWithMessage(
    { sent: ready.length, recent: recent.length, unreachable: unreachable.length },
    { msg: `已向${ready.length}名学员发送催交短信${left && `；${left}`}` },
  );
}

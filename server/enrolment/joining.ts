/**
 * Adds students to a class. They get its open homework, and their unfinished reports move along from their previous
 * class.
 */
import { joinedBeforeFault, joinFault, memberMessages, missingStudent } from '#server/classes/rules.ts';
import { assignHomework, lockOpenHomework, openHomeworkOfClass } from '#server/homework/assign.ts';
import { lockReportsToMove, moveReports, reportsToMove } from '#server/homework/report-transfer.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { invalid, isRefusal, missing, type Refusal, refuseField, refuseFor } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf } from '#server/platform/db/page.ts';
import { adminStudents } from '#server/school/admin-students.ts';
import { dayOf, dayStart } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import { CompleteJoining, type WrittenJoining } from './contract.ts';
import { adminClass, type RequestContext, refuseChosenCount, refuseMissingClass } from './members.ts';
import { disabledMembersFault, isClassOpen, joiningSentence } from './rules.ts';
import { joinClass, returnToClass } from './stays.ts';

/** Says what adding these students does; those who are members already are left out. 404: no such class or student. */
export async function previewJoining({ db, actor, now }: RequestContext, id: number, ids: readonly number[]) {
  const theClass = await adminClass(db, actor, id).executeTakeFirst();
  if (!theClass) return refuseMissingClass();
  const found = await loadCandidates(db, actor, { classId: id, ids });
  if (isRefusal(found)) return found;
  const joining = found.filter(({ left_at }) => left_at !== null);
  const joiningIds = joining.map(({ id: studentId }) => studentId);
  return {
    students: joining.map(({ id: studentId, nickname }) => ({ id: studentId, name: nickname })),
    effect: (await joiningEffect(db, theClass, joining, now)) ?? '',
    open_homework: await countOf(openHomeworkOfClass(db, id, now)),
    open_reports: await countOf(reportsToMove(db, id, joiningIds)),
  };
}

/**
 * Adds students to a class. 404: no such class or student. 422: no student, too many, or an impossible day. 409: the
 * class has ended, a student is disabled, all are members already, or the effect was not acknowledged.
 */
export async function addStudentsToClass(
  { db, actor, now, settings }: RuleContext<'actor' | 'now' | 'settings'>,
  id: number,
  written: WrittenJoining,
): Promise<{ joined: number; returned: number; already: number; homework: number; brought: number } | Refusal> {
  if (!(await adminClass(db, actor, id).executeTakeFirst())) return refuseMissingClass();
  const { output, errors } = validateComplete(CompleteJoining, written);
  if (!output) return invalid(errors);
  const { ids, day, with_homework } = output;
  const fault = refuseChosenCount(ids);
  if (fault) return fault;
  const today = dayOf(now, settings.timezone);
  if (day !== undefined && day > today) return invalid({ day: [memberMessages.joinedLater] });
  const joinedAt = day === undefined || day === today ? now : dayStart(day, settings.timezone);
  const brought = with_homework === 1 ? await lockReportsToMove(db, id, ids) : [];
  const homework = with_homework === 1 ? await lockOpenHomework(db, id, now) : [];
  const theClass = await forUpdate(db)(adminClass(db, actor, id), ['class']).executeTakeFirst();
  if (!theClass) return refuseMissingClass();
  const found = await loadCandidates(db, actor, { classId: id, ids });
  if (isRefusal(found)) return found;
  const joining = found.filter(({ left_at }) => left_at !== null);
  const present = await countOf(db.selectFrom('class_student').where('class_id', '=', id).where('left_at', 'is', null));
  const refusal =
    refuseFor('conflict', joining.length === 0 ? memberMessages.allIn : undefined) ??
    refuseFor(
      'conflict',
      joinFault({ ...theClass, is_running: isClassOpen(theClass, now) }, present + joining.length),
    ) ??
    refuseFor(
      'conflict',
      disabledMembersFault(joining.filter(({ disabled_at }) => disabled_at !== null).map(({ nickname }) => nickname)),
    ) ??
    refuseField('day', joinedBeforeLeaving(joining, joinedAt)) ??
    requireConfirmation(await joiningEffect(db, theClass, joining, now), written.acknowledged);
  if (refusal) return refusal;
  for (const student of joining) {
    const stay = { classId: id, studentId: student.id, joinedAt, now };
    const isBack = student.membership !== undefined;
    const membership = student.membership ?? (await joinClass(db, stay)).id;
    if (isBack) await returnToClass(db, stay);
    await recordHistory(db, {
      actor,
      now,
      record: 'class_student',
      recordId: membership,
      action: isBack ? 'return' : 'join',
      before: isBack ? { joined_at: student.joined_at, left_at: student.left_at } : null,
      after: { class_id: id, student_id: student.id, joined_at: joinedAt, left_at: null },
    });
  }
  const studentIds = joining.map((student) => student.id);
  const moving = brought.filter(({ student_id }) => studentIds.includes(student_id));
  await moveReports(db, { actor, now }, moving);
  let givenHomework = 0;
  for (const homeworkId of homework) {
    const studentsWithHomework = await assignHomework(db, { homeworkId, classId: id, studentIds, now });
    if (studentsWithHomework.length === 0) continue;
    givenHomework += 1;
    await recordHistory(db, {
      actor,
      now,
      record: 'homework',
      recordId: homeworkId,
      action: 'join',
      before: null,
      after: { class_id: id, student_ids: studentsWithHomework },
    });
  }
  const returned = joining.filter(({ membership }) => membership !== undefined).length;
  return {
    joined: joining.length - returned,
    returned,
    already: found.length - joining.length,
    homework: givenHomework,
    brought: moving.length,
  };
}

/** Returns a message about the first student whose previous enrolment ended after `joinedAt`. */
function joinedBeforeLeaving(joining: readonly Candidate[], joinedAt: number): string | undefined {
  const late = joining.find(({ left_at }) => (left_at ?? 0) > joinedAt);
  return late && joinedBeforeFault(joinedAt, late.left_at ?? 0, late.nickname);
}

interface Candidate {
  id: number;
  nickname: string;
  school_id: number;
  disabled_at: number | null;
  /** Id of the membership of a current or former member. `left_at` null: a current one. */
  membership?: number | undefined;
  joined_at?: number | undefined;
  left_at?: number | null | undefined;
}

/** Loads students with their latest enrolment in the class. 404: a student outside the user's schools. */
async function loadCandidates(
  db: Database,
  actor: Actor,
  { classId, ids }: { classId: number; ids: readonly number[] },
): Promise<Candidate[] | Refusal> {
  if (ids.length === 0) return [];
  const rows = await adminStudents(db, actor)
    .leftJoin('class_student as member', (on) =>
      on.onRef('member.student_id', '=', 'student.id').on('member.class_id', '=', classId),
    )
    .select(['student.id', 'student.nickname', 'student.school_id', 'student.disabled_at'])
    .select(['member.id as membership', 'member.joined_at', 'member.left_at'])
    .where('student.id', 'in', ids)
    .orderBy('student.id')
    .execute();
  if (rows.length < ids.length) return missing(missingStudent);
  return rows.map(
    ({ membership, joined_at, left_at, ...row }): Candidate =>
      membership === null ? row : { ...row, membership, joined_at: joined_at ?? 0, left_at },
  );
}

/** Says what joining does to others; undefined if nothing. */
async function joiningEffect(
  db: Database,
  theClass: { id: number; school_id: number },
  joining: readonly Candidate[],
  now: number,
): Promise<string | undefined> {
  const elsewhere = await otherClasses(
    db,
    theClass.id,
    joining.map(({ id }) => id),
    now,
  );
  const foreign = joining.filter(({ school_id }) => school_id !== theClass.school_id);
  const schools = foreign.length === 0 ? [] : await db.selectFrom('school').select(['id', 'org_name']).execute();
  const strangers = foreign.map(({ nickname, school_id }) => ({
    name: nickname,
    school_name: schools.find((school) => school.id === school_id)?.org_name ?? '',
  }));
  return joiningSentence({ elsewhere, strangers });
}

/** Finds students who already take a course of this class in another running class; one such class per student. */
async function otherClasses(db: Database, classId: number, studentIds: readonly number[], now: number) {
  if (studentIds.length === 0) return [];
  const rows = await db
    .selectFrom('class_student')
    .innerJoin('class', 'class.id', 'class_student.class_id')
    .leftJoin('team_class', 'team_class.class_id', 'class.id')
    .innerJoin('class_course as taken', 'taken.class_id', 'class.id')
    .innerJoin('class_course as own', 'own.course_id', 'taken.course_id')
    .innerJoin('course', 'course.id', 'taken.course_id')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .select(['student.id', 'student.nickname as name', 'class.name as class_name', 'course.title as course'])
    .select(['class.valid_type', 'class.valid_time', 'team_class.ended_at'])
    .where('own.class_id', '=', classId)
    .where('class_student.class_id', '!=', classId)
    .where('class_student.left_at', 'is', null)
    .where('class_student.student_id', 'in', studentIds)
    .orderBy('student.id')
    .orderBy('class.id')
    .orderBy('course.id')
    .execute();
  const running = rows.filter((row) => isClassOpen(row, now) === 1);
  return running.filter(({ id }, at) => running.findIndex((one) => one.id === id) === at);
}

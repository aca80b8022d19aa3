/**
 * Members of a class: joining and leaving, with the effects on homework and leave requests. Separate from `classes/`
 * because homework depends on classes, and this depends on homework.
 */

import {
  joinedBeforeFault,
  joinFault,
  leftBeforeFault,
  maxMembersAtOnce,
  memberMessages,
  missingClass,
  missingStudent,
  presentStatus,
} from '#server/classes/rules.ts';
import { administeredClasses } from '#server/classes/visible.ts';
import { assignHomework, lockOpenHomework, openHomework } from '#server/homework/publish.ts';
import { lockReportsToMove, moveReports, reportsToMove } from '#server/homework/report-transfer.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import {
  conflict,
  invalid,
  isRefusal,
  missing,
  type Refusal,
  refuseField,
  refuseFor,
} from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import { administeredStudents } from '#server/school/admin-students.ts';
import { dayEnd, dayOf, dayStart } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import { calledBy } from '#server/school/student-search.ts';
import {
  CompleteJoining,
  CompleteLeaving,
  type MemberFilter,
  type MemberRow,
  type Membership,
  type WrittenJoining,
  type WrittenLeaving,
} from './contract.ts';
import { disabledMembersFault, isClassOpen, joiningSentence, leavingSentence } from './rules.ts';
import { joinClass, leaveClass, returnToClass } from './stays.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

const noClass = () => missing(missingClass);

/** A class of the actor's schools. */
const classOf = (db: Database, actor: Actor, id: number) =>
  administeredClasses(db, actor)
    .innerJoin('school', 'school.id', 'class.school_id')
    .leftJoin('team_class', 'team_class.class_id', 'class.id')
    .select(['class.id', 'class.name', 'class.class_type', 'class.valid_type', 'class.valid_time', 'class.school_id'])
    .select(['school.org_name as school_name', 'team_class.ended_at'])
    .where('class.id', '=', id);

/** 404: no such class. */
export async function showMembers({ db, actor, now }: RequestContext, id: number): Promise<Membership | Refusal> {
  const theClass = await classOf(db, actor, id).executeTakeFirst();
  if (!theClass) return noClass();
  const members = db.selectFrom('class_student').where('class_id', '=', id);
  const [present, all, open] = await Promise.all([
    countOf(members.where('left_at', 'is', null)),
    countOf(members),
    countOf(openHomework(db, id, now)),
  ]);
  const { name, school_name, class_type } = theClass;
  const is_running = isClassOpen(theClass, now);
  return { id, name, school_name, class_type, is_running, present, left: all - present, open_homework: open };
}

/** Present members first, then former ones, latest joined first. 404: no such class. */
export async function memberPage(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  id: number,
  filter: MemberFilter,
): Promise<Page<MemberRow> | Refusal> {
  if (!(await classOf(db, actor, id).executeTakeFirst())) return noClass();
  let matching = db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .where('class_student.class_id', '=', id);
  if (filter.name) {
    const among = db
      .selectFrom('student')
      .where('student.id', 'in', db.selectFrom('class_student').select('student_id').where('class_id', '=', id));
    matching = matching.where(await calledBy(among, filter.name));
  }
  if (filter.status !== undefined) {
    matching = matching.where('class_student.left_at', filter.status === presentStatus ? 'is' : 'is not', null);
  }
  const { list, ...range } = await pageOf(
    matching,
    filter,
    matching
      .innerJoin('school', 'school.id', 'student.school_id')
      .select([
        'class_student.id',
        'class_student.student_id',
        'student.nickname',
        'student.number',
        'student.mobile',
        'school.org_name as school_name',
        'student.disabled_at',
        'class_student.joined_at',
        'class_student.left_at',
        'class_student.left_reason',
        'class_student.leaving_at',
      ])
      .orderBy((eb) => eb.case().when('class_student.left_at', 'is', null).then(0).else(1).end())
      .orderBy('class_student.joined_at', 'desc')
      .orderBy('class_student.id'),
  );
  const rowOf = ({ disabled_at, ...row }: (typeof list)[number]): MemberRow => ({
    ...row,
    is_disabled: disabled_at === null ? 0 : 1,
  });
  return { list: list.map(rowOf), ...range };
}

// ---- joining ----------------------------------------------------------------------------------------

/** Effect of joining, for those who are not members yet. 404: no such class or student. */
export async function previewJoining({ db, actor, now }: RequestContext, id: number, ids: readonly number[]) {
  const theClass = await classOf(db, actor, id).executeTakeFirst();
  if (!theClass) return noClass();
  const found = await candidates(db, actor, { classId: id, ids });
  if (isRefusal(found)) return found;
  const joining = found.filter(({ left_at }) => left_at !== null);
  const joiningIds = joining.map(({ id: studentId }) => studentId);
  return {
    students: joining.map(({ id: studentId, nickname }) => ({ id: studentId, name: nickname })),
    effect: (await joiningEffect(db, theClass, joining, now)) ?? '',
    open_homework: await countOf(openHomework(db, id, now)),
    open_reports: await countOf(reportsToMove(db, id, joiningIds)),
  };
}

/**
 * 404: no such class or student. 422: no student, too many, or an impossible day. 409: the class has ended, a student
 * is disabled, all are members, or the effect was not acknowledged.
 */
export async function addStudentsToClass(
  { db, actor, now, settings }: RuleContext<'actor' | 'now' | 'settings'>,
  id: number,
  written: WrittenJoining,
): Promise<{ joined: number; returned: number; already: number; homework: number; brought: number } | Refusal> {
  if (!(await classOf(db, actor, id).executeTakeFirst())) return noClass();
  const { output, errors } = validateComplete(CompleteJoining, written);
  if (!output) return invalid(errors);
  const { ids, day, with_homework } = output;
  const fault = chosenFault(ids);
  if (fault) return fault;
  const today = dayOf(now, settings.timezone);
  if (day !== undefined && day > today) return invalid({ day: [memberMessages.joinedLater] });
  const joinedAt = day === undefined || day === today ? now : dayStart(day, settings.timezone);
  const brought = with_homework === 1 ? await lockReportsToMove(db, id, ids) : [];
  const homework = with_homework === 1 ? await lockOpenHomework(db, id, now) : [];
  const theClass = await forUpdate(db)(classOf(db, actor, id), ['class']).executeTakeFirst();
  if (!theClass) return noClass();
  const found = await candidates(db, actor, { classId: id, ids });
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
    refuseField('day', joinedBefore(joining, joinedAt)) ??
    requireConfirmation(await joiningEffect(db, theClass, joining, now), written.acknowledged);
  if (refusal) return refusal;
  for (const student of joining) {
    const stay = { classId: id, studentId: student.id, now: joinedAt };
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

/** The message for the first student whose last enrolment ended after that time. */
function joinedBefore(joining: readonly Candidate[], joinedAt: number): string | undefined {
  const late = joining.find(({ left_at }) => (left_at ?? 0) > joinedAt);
  return late && joinedBeforeFault(joinedAt, late.left_at ?? 0, late.nickname);
}

interface Candidate {
  id: number;
  nickname: string;
  school_id: number;
  disabled_at: number | null;
  /** Set if the student is or was a member; `left_at` null: present. */
  membership?: number | undefined;
  joined_at?: number | undefined;
  left_at?: number | null | undefined;
}

/** Loads students with their latest enrolment in the class. 404: one outside the actor's schools. */
async function candidates(
  db: Database,
  actor: Actor,
  { classId, ids }: { classId: number; ids: readonly number[] },
): Promise<Candidate[] | Refusal> {
  if (ids.length === 0) return [];
  const rows = await administeredStudents(db, actor)
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

/** Effect of joining on others; undefined if there is none. */
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

/** Other running classes in which these students take a course of this class: one per student. */
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

// ---- leaving ----------------------------------------------------------------------------------------

/** Effect of leaving, for those who are present. 404: no such class, or one who never was a member. */
export async function previewLeaving({ db, actor, now }: RequestContext, id: number, ids: readonly number[]) {
  const theClass = await classOf(db, actor, id).executeTakeFirst();
  if (!theClass) return noClass();
  const leaving = await presentMembers(db, id, ids);
  if (isRefusal(leaving)) return leaving;
  return {
    students: leaving.map(({ student_id, nickname }) => ({ id: student_id, name: nickname })),
    effect: (await leavingEffect(db, theClass, leaving, now)) ?? '',
  };
}

/**
 * 404: no such class or member. 422: an impossible day or reason. 409: none is present, or the effect was not
 * acknowledged.
 */
export async function removeStudentsFromClass(
  { db, actor, now, settings }: RuleContext<'actor' | 'now' | 'settings'>,
  id: number,
  written: WrittenLeaving,
): Promise<{ left: number } | Refusal> {
  const theClass = await forUpdate(db)(classOf(db, actor, id), ['class']).executeTakeFirst();
  if (!theClass) return noClass();
  const { output, errors } = validateComplete(CompleteLeaving, written);
  if (!output) return invalid(errors);
  const { ids, day, reason } = output;
  const fault = chosenFault(ids);
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
    await leaveClass(db, { classId: class_id, studentId: student_id, now: leftAt, reason });
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

const members = (db: Database) =>
  db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .select(['class_student.id', 'class_student.class_id', 'class_student.student_id', 'student.nickname'])
    .select(['class_student.joined_at', 'class_student.left_at'])
    .orderBy('class_student.id');

/** The present members among these students. 404: one who never was a member. */
async function presentMembers(
  db: Database,
  classId: number,
  ids: readonly number[],
): Promise<PresentMember[] | Refusal> {
  if (ids.length === 0) return [];
  const rows = await members(db)
    .where('class_student.class_id', '=', classId)
    .where('class_student.student_id', 'in', ids)
    .execute();
  if (rows.length < ids.length) return missing(missingStudent);
  return rows.filter(({ left_at }) => left_at === null);
}

/** Present enrolments of a student, in all classes. */
export const presentStays = (db: Database, studentId: number): Promise<PresentMember[]> =>
  members(db).where('class_student.student_id', '=', studentId).where('class_student.left_at', 'is', null).execute();

async function leavingEffect(
  db: Database,
  theClass: { name: string },
  leaving: readonly PresentMember[],
  now: number,
): Promise<string | undefined> {
  return leavingSentence(`${leaving.length}名学员离开${theClass.name}`, await countUnfinished(db, leaving, now));
}

/** Open homework and pending leave requests of these members in the classes they leave. */
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

function chosenFault(ids: readonly number[]): Refusal | undefined {
  if (ids.length === 0) return invalid({ ids: [memberMessages.nobody] });
  return ids.length > maxMembersAtOnce ? invalid({ ids: [memberMessages.tooMany] }) : undefined;
}

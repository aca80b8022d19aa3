/** One student of a class: the student's courses, and the periods of a course. */

import { missingCourse, missingStudent } from '#server/classes/rules.ts';
import { visibleClasses } from '#server/classes/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Paging, pageOf, type RowRange } from '#server/platform/db/page.ts';
import { memoizePerPage } from '#server/platform/db/page-cache.ts';
import type { RuleContext } from '#server/school/context.ts';
import { logView } from '#server/school/view-log.ts';
import type { ClassMember, StudyCourse, StudyPeriod } from './contract.ts';
import { attendanceCells, countHomeworkBy, factsOf, noHomework } from './facts.ts';
import { computeFiguresBy, noFigures, percentOf } from './figures.ts';
import { currentAttendance, hasStudyTime } from './rules.ts';

/** Returns a membership, even if the student has left the class. 404: the actor does not see the class. */
export async function classMember(db: Database, actor: Actor, id: number): Promise<ClassMember | Refusal> {
  const [member] = await memoizePerPage(db, `member ${id}`, () =>
    membership(db, { id, actorId: actor.id }, actor.identity),
  );
  if (!member) return missing(missingStudent);
  const { joined_at, left_at, ...known } = member;
  return { ...known, created_at: joined_at, left_at: left_at ?? 0 };
}

const membership = (db: Database, { id, actorId }: Record<'id' | 'actorId', number>, identity: Identity) =>
  db
    .selectFrom('class_student as member')
    .innerJoin('student', 'student.id', 'member.student_id')
    .innerJoin('class', 'class.id', 'member.class_id')
    .select([
      'member.id',
      'member.student_id as uid',
      'member.class_id',
      'class.name as class_name',
      'student.nickname',
      'student.mobile',
      'member.joined_at',
      'member.join_type',
      'member.left_at',
    ])
    .where('member.id', '=', id)
    .where('member.class_id', 'in', visibleClasses(db, { id: actorId, identity }).select('class.id'))
    .execute();

/** Returns a membership, and records in the history that the actor viewed the student. */
export async function findVisibleMember(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  id: number,
): Promise<ClassMember | Refusal> {
  const member = await classMember(db, actor, id);
  if (!isRefusal(member)) await logView({ db, actor, now }, member.uid);
  return member;
}

export async function studyCoursePage(db: Database, actor: Actor, id: number, paging: Paging, now: number) {
  const member = await findVisibleMember({ db, actor, now }, id);
  if (isRefusal(member)) return member;
  const [counted] = await countCourses(db, { uid: member.uid, class_id: member.class_id });
  return pageOf(counted?.total ?? 0, paging, (range) => studyCourses(db, member, { ...range, now }));
}

/**
 * Selects the courses of a member: courses that the class takes, and courses in which the student got homework of the
 * class (such as a parent course). So the figures by course add up to the figures of the class.
 */
const coursesOfMember = (db: Database, { uid, class_id }: Pick<ClassMember, 'uid' | 'class_id'>) =>
  db
    .selectFrom('course')
    .where(({ or, eb, selectFrom }) =>
      or([
        eb(
          'course.id',
          'in',
          selectFrom('class_course').select('class_course.course_id').where('class_id', '=', class_id),
        ),
        eb(
          'course.id',
          'in',
          selectFrom('report')
            .innerJoin('homework', 'homework.id', 'report.homework_id')
            .select('homework.course_id')
            .where('report.student_id', '=', uid)
            .where('report.class_id', '=', class_id)
            .where('homework.status', '=', 1),
        ),
      ]),
    );

const countCourses = (db: Database, member: Record<'uid' | 'class_id', number>) =>
  coursesOfMember(db, member)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .execute();

const courseRows = (
  db: Database,
  { limit, offset, ...member }: Record<'uid' | 'class_id' | 'limit' | 'offset', number>,
) =>
  coursesOfMember(db, member)
    .select(['course.id', 'course.title', 'course.course_type'])
    .select((eb) =>
      eb
        .selectFrom('period')
        .innerJoin('class_course', 'class_course.course_id', 'period.course_id')
        .whereRef('period.course_id', '=', 'course.id')
        .where('class_course.class_id', '=', member.class_id)
        .select((count) => count.fn.countAll<number>().as('n'))
        .as('sections'),
    )
    .orderBy('course.id')
    .limit(limit)
    .offset(offset)
    .execute();

/** Reads a member's courses with the member's figures. A course that the class does not take has no periods. */
export async function studyCourses(
  db: Database,
  member: Pick<ClassMember, 'id' | 'uid' | 'class_id'>,
  { limit, offset, now }: RowRange & { now: number },
): Promise<StudyCourse[]> {
  const courses = await courseRows(db, { uid: member.uid, class_id: member.class_id, limit, offset });
  const figures = await computeFiguresBy(db, 'course_id', { classId: member.class_id, memberIds: [member.id] }, now);
  const homework = await countHomeworkBy(db, 'course_id', { classId: member.class_id, studentIds: [member.uid] });
  return courses.map(({ id, title, course_type, sections }) => {
    const { expected: _, ...study } = figures.get(id) ?? noFigures;
    return {
      course_basis_id: id,
      title,
      course_type,
      section_num: sections ?? 0,
      ...study,
      ...(homework.get(id) ?? noHomework),
    };
  });
}

export async function studyPeriodPage(
  db: Database,
  actor: Actor,
  id: number,
  { course_id, ...paging }: Paging & { course_id?: number | undefined },
  now: number,
) {
  const member = await findVisibleMember({ db, actor, now }, id);
  if (isRefusal(member)) return member;
  const course = await db
    .selectFrom('class_course')
    .select('course_id')
    .where('class_id', '=', member.class_id)
    .where('course_id', '=', course_id ?? 0)
    .executeTakeFirst();
  if (!course) return missing(missingCourse);
  const scope = { classId: member.class_id, memberId: member.id, courseId: course.course_id };
  return pageOf(db.selectFrom('period').where('course_id', '=', course.course_id), paging, (range) =>
    studyPeriods(db, scope, { ...range, now }),
  );
}

type CellValues = Record<'classId' | 'memberId' | 'courseId' | 'limit' | 'offset' | 'now', number>;

const cellRows = (db: Database, { classId, memberId, courseId, limit, offset, now }: CellValues) =>
  attendanceCells(db, { classId, memberIds: [memberId], courseId }, now)
    .select(['period.title', 'period.start_play', 'period.periods_type'])
    .orderBy('period.sort')
    .orderBy('period.start_play')
    .orderBy('period.id')
    .limit(limit)
    .offset(offset)
    .execute();

/** Reads a page of periods of a course that the member's class takes. */
export async function studyPeriods(
  db: Database,
  scope: { classId: number; memberId: number; courseId: number },
  { limit, offset, now }: RowRange & { now: number },
): Promise<StudyPeriod[]> {
  const cells = await cellRows(db, { ...scope, limit, offset, now });
  return cells.map((cell) => ({
    id: cell.period_id,
    title: cell.title,
    start_play: cell.start_play,
    total_time: cell.total_time,
    study_length: hasStudyTime(cell.course_type) ? cell.watched : 0,
    progress_rate: hasStudyTime(cell.course_type)
      ? percentOf(Math.min(cell.watched, cell.total_time), cell.total_time)
      : 0,
    // The state is 6 (not applicable) if the student was not in the class at the time.
    op_status: cell.expected === 1 ? currentAttendance(factsOf(cell)) : 6,
    leave_id: cell.requested_at === null ? null : cell.attendance_id,
    leave_cause: cell.leave_cause ?? '',
    periods_type: cell.periods_type,
    course_type: cell.course_type,
  }));
}

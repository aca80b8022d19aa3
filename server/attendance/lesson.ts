/** The lessons of a course of a class, and who was in them. */

import { attendanceCourseTypes, missingCourse, missingPeriod } from '#server/classes/rules.ts';
import { refuseClass, visibleClasses } from '#server/classes/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { Answered } from '#server/platform/calls/bind.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { once } from '#server/platform/db/once.ts';
import { countOf, type Paging, pageOf, type RowRange } from '#server/platform/db/page.ts';
import { statement } from '#server/platform/db/statement.ts';
import type { ClassCourse, CourseLesson, LessonStudent } from './contract.ts';
import { cellsOf, factsOf, wasMember } from './facts.ts';
import { type AttendanceFigures, attendanceByPeriod, noAttendance } from './figures.ts';
import { placeOf, undoableRoll } from './roll.ts';
import { lessonStatus, presentStatus } from './rules.ts';

const noCourse = () => missing(missingCourse);

/** A course of one class, or of any class that the actor sees. */
export async function classCourse(
  db: Database,
  actor: Actor,
  { courseId, classId }: { courseId: number; classId: number | undefined },
): Promise<ClassCourse | Refusal> {
  const { id: actorId, identity } = actor;
  const isOfClass = classId !== undefined;
  const [course] = await seenCourse(db, { courseId, classId: classId ?? 0, actorId }, { identity, isOfClass });
  if (!course || course.seen === null) return noCourse();
  return {
    id: course.id,
    title: course.title,
    cover_img: course.cover_img,
    course_type: course.course_type,
    study_count: course.students ?? 0,
    chapter_num: course.chapters ?? 0,
    section_num: course.sections ?? 0,
  };
}

interface CourseShape {
  identity: Identity;
  isOfClass: boolean;
  [name: string]: string | boolean;
}

/** The course with its counts, and one of the classes that take it and are seen. */
const seenCourse = statement(
  (
    db,
    { courseId, classId, actorId }: Record<'courseId' | 'classId' | 'actorId', number>,
    { identity, isOfClass }: CourseShape,
  ) => {
    const classes = visibleClasses(db, { id: actorId, identity })
      .innerJoin('class_course', 'class_course.class_id', 'class.id')
      .select('class.id')
      .where('class_course.course_id', '=', courseId)
      .$if(isOfClass, (seen) => seen.where('class.id', '=', classId));
    return db
      .selectFrom('course')
      .where('course.id', '=', courseId)
      .select(['course.id', 'course.title', 'course.cover_img', 'course.course_type'])
      .select((eb) => [
        classes.limit(1).as('seen'),
        eb
          .selectFrom('class_student')
          .select((count) => count.fn.count<number>('class_student.student_id').distinct().as('n'))
          .where('class_student.class_id', 'in', classes)
          .where('class_student.left_at', 'is', null)
          .as('students'),
        eb
          .selectFrom('course_chapter')
          .select((count) => count.fn.countAll<number>().as('n'))
          .where('course_chapter.course_id', '=', courseId)
          .as('chapters'),
        eb
          .selectFrom('period')
          .select((count) => count.fn.countAll<number>().as('n'))
          .where('period.course_id', '=', courseId)
          .as('sections'),
      ]);
  },
);

/** Undefined where the class is the actor's and takes the course, and attendance of such a course is to be seen. */
export async function refuseClassCourse(
  db: Database,
  actor: Actor,
  { courseId, classId }: { courseId: number | undefined; classId: number | undefined },
): Promise<Refusal | undefined> {
  const refused = await refuseClass(db, actor, classId);
  if (refused) return refused;
  const of = { courseId: courseId ?? 0, classId: classId as number };
  const [taken] = await once(db, `course ${of.courseId} of class ${of.classId}`, () => courseOfClass(db, of));
  return taken && attendanceCourseTypes.includes(taken.course_type) ? undefined : noCourse();
}

const courseOfClass = statement((db, { courseId, classId }: Record<'courseId' | 'classId', number>) =>
  db
    .selectFrom('class_course')
    .innerJoin('course', 'course.id', 'class_course.course_id')
    .select('course.course_type')
    .where('class_course.class_id', '=', classId)
    .where('class_course.course_id', '=', courseId),
);

export async function lessonPage(
  db: Database,
  actor: Actor,
  { courseId, classId }: { courseId: number; classId: number },
  paging: Paging,
  now: number,
) {
  const refused = await refuseClassCourse(db, actor, { courseId, classId });
  if (refused) return refused;
  return pageOf(await countLessons(db, courseId), paging, (range) =>
    lessons(db, { courseId, classId }, { ...range, now }),
  );
}

export const countLessons = (db: Database, courseId: number): Promise<number> =>
  countOf(db.selectFrom('period').where('course_id', '=', courseId));

const periodRows = statement((db, { courseId, limit, offset }: Record<'courseId' | 'limit' | 'offset', number>) =>
  db
    .selectFrom('period')
    .innerJoin('course', 'course.id', 'period.course_id')
    .select(['period.id', 'period.title', 'period.start_play', 'period.total_time', 'course.course_type'])
    .where('period.course_id', '=', courseId)
    .orderBy('period.sort')
    .orderBy('period.start_play')
    .orderBy('period.id')
    .limit(limit)
    .offset(offset),
);

/** Some of the lessons in their order, with their counts in the class. */
export async function lessons(
  db: Database,
  { courseId, classId }: { courseId: number; classId: number },
  { limit, offset, now }: RowRange & { now: number },
): Promise<CourseLesson[]> {
  const periods = await periodRows(db, { courseId, limit, offset });
  const figures = new Map<number, AttendanceFigures>();
  for (let from = 0; from < periods.length; from += 500) {
    const some = periods.slice(from, from + 500);
    for (const [id, its] of await attendanceByPeriod(db, { classId, periods: some }, now)) figures.set(id, its);
  }
  return periods.map((period) => {
    const { attend_times, leave_times, truant_times, uncalled_times, expected } =
      figures.get(period.id) ?? noAttendance;
    return {
      ...period,
      status: lessonStatus(period, now),
      attend_num: attend_times,
      leave_num: leave_times,
      truant_num: truant_times,
      uncalled_num: uncalled_times,
      total_num: expected,
    };
  });
}

export async function lessonStudentPage(
  db: Database,
  actor: Actor,
  {
    courseId,
    classId,
    periodId,
    uid,
  }: { courseId: number; classId: number; periodId: number | undefined; uid: number | undefined },
  paging: Paging,
  now: number,
) {
  const refused = await refuseClassCourse(db, actor, { courseId, classId });
  if (refused) return refused;
  const period = await db
    .selectFrom('period')
    .select('id')
    .where('id', '=', periodId ?? 0)
    .where('course_id', '=', courseId)
    .executeTakeFirst();
  if (!period) return missing(missingPeriod);
  const scope = { classId, courseId, periodId: period.id, uid };
  const [counted] = await countStudents(db, { ...scope, uid: uid ?? 0, now }, sizeOf(scope));
  const list = await pageOf(counted?.total ?? 0, paging, (range) => lessonStudents(db, scope, { ...range, now }));
  const undo = await undoableRoll(db, actor, { place: placeOf(classId, period.id), now });
  return new Answered(list, { extra: { undoable: undo } });
}

interface LessonScope {
  classId: number;
  courseId: number;
  periodId: number;
  /** All students when undefined. */
  uid?: number | undefined;
}

const sizeOf = ({ uid }: LessonScope) => (uid === undefined ? 'all' : 'one');

type StudentValues = Record<'classId' | 'courseId' | 'periodId' | 'uid' | 'now', number>;

const studentCells = (
  db: Database,
  { classId, courseId, periodId, uid, now }: StudentValues,
  size: ReturnType<typeof sizeOf>,
) =>
  cellsOf(db, { classId, courseId, periodIds: [periodId], ...(size === 'one' ? { uid } : {}) }, now).where(wasMember);

const countStudents = statement((db, values: StudentValues, size: ReturnType<typeof sizeOf>) =>
  studentCells(db, values, size)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total')),
);

const studentRows = statement(
  (
    db,
    { limit, offset, ...values }: StudentValues & RowRange & Record<string, number>,
    size: ReturnType<typeof sizeOf>,
  ) =>
    studentCells(db, values, size)
      .innerJoin('student', 'student.id', 'member.student_id')
      .select(['student.nickname', 'student.mobile'])
      // Who waits for a decision comes first.
      .orderBy((eb) => eb.case().when('attendance.op_status', '=', 1).then(0).else(1).end())
      .orderBy('member.id')
      .limit(limit)
      .offset(offset),
);

/** The students who were in the class when the lesson began, in the order in which they came. */
export async function lessonStudents(
  db: Database,
  scope: LessonScope,
  range: RowRange & { now: number },
): Promise<LessonStudent[]> {
  const cells = await studentRows(db, { ...scope, uid: scope.uid ?? 0, ...range }, sizeOf(scope));
  return cells.map((cell) => ({
    uid: cell.uid,
    nickname: cell.nickname,
    mobile: cell.mobile,
    op_status: presentStatus(factsOf(cell)),
    leave_cause: cell.leave_cause ?? '',
    leave_id: cell.requested_at === null ? null : cell.attendance_id,
    has_begun: cell.begun === 1 ? 1 : 0,
  }));
}

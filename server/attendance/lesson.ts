/** The lessons of a course of a class, and who was in them. */

import { attendanceCourseTypes, missingCourse, missingPeriod } from '#server/classes/rules.ts';
import { refuseClass, visibleClasses } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, type Paging, pageOf, type RowRange } from '#server/platform/db/page.ts';
import { statement } from '#server/platform/db/statement.ts';
import type { ClassCourse, CourseLesson, LessonStudent } from './contract.ts';
import { cellsOf, factsOf, wasMember } from './facts.ts';
import { type AttendanceFigures, attendanceByPeriod, noAttendance } from './figures.ts';
import { lessonStatus, presentStatus } from './rules.ts';

const noCourse = () => missing(missingCourse);

/** A course of one class, or of any class that the actor sees. */
export async function classCourse(
  db: Database,
  actor: Actor,
  { courseId, classId }: { courseId: number; classId: number | undefined },
): Promise<ClassCourse | Refusal> {
  const course = await db.selectFrom('course').selectAll().where('id', '=', courseId).executeTakeFirst();
  let classes = visibleClasses(db, actor)
    .innerJoin('class_course', 'class_course.class_id', 'class.id')
    .select('class.id')
    .where('class_course.course_id', '=', courseId);
  if (classId !== undefined) classes = classes.where('class.id', '=', classId);
  if (!course || !(await classes.executeTakeFirst())) return noCourse();
  const counts = await db
    .selectNoFrom((eb) => [
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
    ])
    .executeTakeFirstOrThrow();
  return {
    id: course.id,
    title: course.title,
    cover_img: course.cover_img,
    course_type: course.course_type,
    study_count: counts.students ?? 0,
    chapter_num: counts.chapters ?? 0,
    section_num: counts.sections ?? 0,
  };
}

/** Undefined where the class is the actor's and takes the course, and attendance of such a course is to be seen. */
export async function refuseClassCourse(
  db: Database,
  actor: Actor,
  { courseId, classId }: { courseId: number | undefined; classId: number | undefined },
): Promise<Refusal | undefined> {
  const refused = await refuseClass(db, actor, classId);
  if (refused) return refused;
  const [taken] = await courseOfClass(db, { courseId: courseId ?? 0, classId: classId as number });
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

/** Some of the lessons in their order, with their counts in the class. */
export async function lessons(
  db: Database,
  { courseId, classId }: { courseId: number; classId: number },
  { limit, offset, now }: RowRange & { now: number },
): Promise<CourseLesson[]> {
  const periods = await db
    .selectFrom('period')
    .innerJoin('course', 'course.id', 'period.course_id')
    .select(['period.id', 'period.title', 'period.start_play', 'period.total_time', 'course.course_type'])
    .where('period.course_id', '=', courseId)
    .orderBy('period.sort')
    .orderBy('period.start_play')
    .orderBy('period.id')
    .limit(limit)
    .offset(offset)
    .execute();
  const figures = new Map<number, AttendanceFigures>();
  for (let from = 0; from < periods.length; from += 500) {
    const some = periods.slice(from, from + 500);
    for (const [id, its] of await attendanceByPeriod(db, { classId, periods: some }, now)) figures.set(id, its);
  }
  return periods.map((period) => {
    const { attend_times, leave_times, truant_times, expected } = figures.get(period.id) ?? noAttendance;
    return {
      ...period,
      status: lessonStatus(period, now),
      attend_num: attend_times,
      leave_num: leave_times,
      truant_num: truant_times,
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
  const scope = { classId, courseId, periodIds: [period.id], ...(uid === undefined ? {} : { uid }) };
  return pageOf(cellsOf(db, scope, now).clearSelect().where(wasMember), paging, (range) =>
    lessonStudents(db, scope, { ...range, now }),
  );
}

/** The students who were in the class when the lesson began, in the order in which they came. */
export async function lessonStudents(
  db: Database,
  scope: { classId: number; courseId: number; periodIds: number[]; uid?: number },
  { limit, offset, now }: RowRange & { now: number },
): Promise<LessonStudent[]> {
  const cells = await cellsOf(db, scope, now)
    .innerJoin('student', 'student.id', 'member.student_id')
    .select(['student.nickname', 'student.mobile'])
    .where(wasMember)
    // Who waits for a decision comes first.
    .orderBy((eb) => eb.case().when('attendance.op_status', '=', 1).then(0).else(1).end())
    .orderBy('member.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return cells.map((cell) => ({
    uid: cell.uid,
    nickname: cell.nickname,
    mobile: cell.mobile,
    op_status: presentStatus(factsOf(cell)),
    leave_cause: cell.leave_cause ?? '',
    leave_id: cell.requested_at === null ? null : cell.attendance_id,
  }));
}

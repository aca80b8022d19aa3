/** Lessons of a course in a class, and the attendance of their students. */

import { attendanceCourseTypes, missingCourse, missingPeriod } from '#server/classes/rules.ts';
import { refuseClass, visibleClasses } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, type Paging, pageOf, type RowRange } from '#server/platform/db/page.ts';
import { memoizePerPage } from '#server/platform/db/page-cache.ts';
import { containsText, nameContains } from '#server/platform/db/search.ts';
import type { ClassCourse, CourseLesson, LessonStudent, LessonStudentFilter } from './contract.ts';
import { attendanceCells, factsOf, wasMember } from './facts.ts';
import { type AttendanceFigures, attendanceByPeriod, noAttendance } from './figures.ts';
import { placeOf, undoableRoll } from './roll.ts';
import { attendanceCategory, currentAttendance, lessonStatus } from './rules.ts';

const noCourse = () => missing(missingCourse);

/** Returns a course with its counts, in one class or in any visible class that takes it. */
export async function classCourse(
  db: Database,
  actor: Actor,
  { courseId, classId }: { courseId: number; classId: number | undefined },
): Promise<ClassCourse | Refusal> {
  const course = await seenCourse(db, actor, courseId, classId);
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

/** Selects the course with its counts and one of the visible classes that take it. */
function seenCourse(db: Database, actor: Actor, courseId: number, classId: number | undefined) {
  let classes = visibleClasses(db, actor)
    .innerJoin('class_course', 'class_course.class_id', 'class.id')
    .select('class.id')
    .where('class_course.course_id', '=', courseId);
  if (classId !== undefined) classes = classes.where('class.id', '=', classId);
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
    ])
    .executeTakeFirst();
}

/** Refuses a class that the actor does not see or that does not take the course, and a course without attendance. */
export async function refuseClassCourse(
  db: Database,
  actor: Actor,
  { courseId, classId }: { courseId: number | undefined; classId: number | undefined },
): Promise<Refusal | undefined> {
  const refused = await refuseClass(db, actor, classId);
  if (refused) return refused;
  const of = { courseId: courseId ?? 0, classId: classId as number };
  const [taken] = await memoizePerPage(db, `course ${of.courseId} of class ${of.classId}`, () => courseOfClass(db, of));
  return taken && attendanceCourseTypes.includes(taken.course_type) ? undefined : noCourse();
}

const courseOfClass = (db: Database, { courseId, classId }: Record<'courseId' | 'classId', number>) =>
  db
    .selectFrom('class_course')
    .innerJoin('course', 'course.id', 'class_course.course_id')
    .select('course.course_type')
    .where('class_course.class_id', '=', classId)
    .where('class_course.course_id', '=', courseId)
    .execute();

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
    listLessons(db, { courseId, classId }, { ...range, now }),
  );
}

export const countLessons = (db: Database, courseId: number): Promise<number> =>
  countOf(db.selectFrom('period').where('course_id', '=', courseId));

const periodRows = (db: Database, { courseId, limit, offset }: Record<'courseId' | 'limit' | 'offset', number>) =>
  db
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

/** Reads a page of lessons with their attendance counts in the class. */
export async function listLessons(
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
  filter: LessonStudentFilter,
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
  const list = isPlain(filter)
    ? await pageOf(await countStudents(db, scope, now), filter, (range) => lessonStudents(db, scope, { ...range, now }))
    : await filteredPage(db, scope, filter, now);
  const undo = await undoableRoll(db, actor, { place: placeOf(classId, period.id), now });
  return new AnswerWithMessage(list, { extra: { undoable: undo } });
}

const isPlain = ({ page: _, limit: __, sort: ___, ...narrowing }: LessonStudentFilter): boolean =>
  Object.values(narrowing).every((one) => one === undefined);

/**
 * Filters and sorts the students of a lesson in this process, because a student's state depends on the clock and the
 * roll call.
 */
async function filteredPage(db: Database, scope: LessonScope, filter: LessonStudentFilter, now: number) {
  const students = await filterLessonStudents(db, scope, filter, now);
  if (filter.sort_field) {
    const direction = filter.sort === 'desc' ? -1 : 1;
    students.sort((one, other) => direction * (one.op_status - other.op_status));
  }
  return pageOf(students.length, filter, ({ limit, offset }) => students.slice(offset, offset + limit));
}

/** Returns the students of a lesson that match a filter. */
export async function filterLessonStudents(
  db: Database,
  scope: LessonScope,
  { nickname, op_status, counted }: Pick<LessonStudentFilter, 'nickname' | 'op_status' | 'counted'>,
  now: number,
): Promise<LessonStudent[]> {
  let students = orderedStudents(db, { ...scope, uid: scope.uid ?? 0, now }, sizeOf(scope));
  if (nickname !== undefined)
    students = students.where((eb) =>
      eb.or([nameContains('student.nickname', nickname), containsText('student.mobile', nickname)]),
    );
  const rows = (await students.execute()).map(studentRow);
  return rows.filter(
    (row) =>
      (op_status === undefined || row.op_status === op_status) && (counted === undefined || row.counted === counted),
  );
}

interface LessonScope {
  classId: number;
  courseId: number;
  periodId: number;
  /** Student to read; undefined for all students. */
  uid?: number | undefined;
}

const sizeOf = ({ uid }: LessonScope) => (uid === undefined ? 'all' : 'one');

type StudentValues = Record<'classId' | 'courseId' | 'periodId' | 'uid' | 'now', number>;

const studentCells = (
  db: Database,
  { classId, courseId, periodId, uid, now }: StudentValues,
  size: ReturnType<typeof sizeOf>,
) =>
  attendanceCells(db, { classId, courseId, periodIds: [periodId], ...(size === 'one' ? { uid } : {}) }, now).where(
    wasMember,
  );

async function countStudents(db: Database, scope: LessonScope, now: number): Promise<number> {
  const [counted] = await studentCount(db, { ...scope, uid: scope.uid ?? 0, now }, sizeOf(scope));
  return counted?.total ?? 0;
}

const studentCount = (db: Database, values: StudentValues, size: ReturnType<typeof sizeOf>) =>
  studentCells(db, values, size)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .execute();

const orderedStudents = (db: Database, values: StudentValues, size: ReturnType<typeof sizeOf>) =>
  studentCells(db, values, size)
    .innerJoin('student', 'student.id', 'member.student_id')
    .select(['student.nickname', 'student.mobile'])
    // Sorts pending leave requests first.
    .orderBy((eb) => eb.case().when('attendance.op_status', '=', 1).then(0).else(1).end())
    .orderBy('member.id');

const studentRows = (
  db: Database,
  { limit, offset, ...values }: StudentValues & RowRange & Record<string, number>,
  size: ReturnType<typeof sizeOf>,
) => orderedStudents(db, values, size).limit(limit).offset(offset).execute();

/** Lists students who were in the class when the lesson began, in order of joining. */
export async function lessonStudents(
  db: Database,
  scope: LessonScope,
  range: RowRange & { now: number },
): Promise<LessonStudent[]> {
  const cells = await studentRows(db, { ...scope, uid: scope.uid ?? 0, ...range }, sizeOf(scope));
  return cells.map(studentRow);
}

type StudentCell = Awaited<ReturnType<ReturnType<typeof orderedStudents>['execute']>>[number];

function studentRow(cell: StudentCell): LessonStudent {
  const facts = factsOf(cell);
  return {
    uid: cell.uid,
    nickname: cell.nickname,
    mobile: cell.mobile,
    op_status: currentAttendance(facts),
    leave_cause: cell.leave_cause ?? '',
    leave_id: cell.requested_at === null ? null : cell.attendance_id,
    has_begun: cell.begun === 1 ? 1 : 0,
    watched_live: facts.watchedLive ? 1 : 0,
    counted: attendanceCategory(facts),
  };
}

/** One course as administrators see and edit it, with counts of its records. */
import { missingCourse } from '#server/classes/rules.ts';
import { versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf } from '#server/platform/db/page.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { CompleteCourse, CourseRecord } from './contract.ts';
import { courseRows, coursesOf, studentsOf } from './list.ts';
import { type AffectedCounts, type CourseRecords, deleteCourseFault, effectSentence } from './rules.ts';
import { adminCourses } from './visible.ts';

/** Returns one course. 404: no such course. */
export async function showCourseOf(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  id: number,
): Promise<CourseRecord | Refusal> {
  const found = adminCourses(db, actor).where('course.id', '=', id);
  const row = await courseRows(found)
    .select(['course.introduction', 'course.course_extend', 'course.created_at', 'course.cover_img'])
    .executeTakeFirst();
  if (!row) return missing(missingCourse);
  const [course] = await coursesOf(db, [row]);
  if (!course) return missing(missingCourse);
  const { introduction, course_extend, created_at, cover_img } = row;
  const [children, chapters, records, affected] = await Promise.all([
    db.selectFrom('course').select(['id', 'title as name']).where('parent_id', '=', id).orderBy('id').execute(),
    countOf(db.selectFrom('course_chapter').where('course_id', '=', id)),
    countRecords(db, id),
    countAffected(db, id, now),
  ]);
  return {
    ...course,
    introduction,
    cover_img,
    course_extend,
    created_at,
    children,
    chapters,
    effect: effectSentence(affected) ?? '',
    delete_fault: deleteCourseFault(records) ?? null,
    seen: versionTokenOf(editableFields({ ...course, introduction, course_extend })),
  };
}

export const editableFields = (course: CompleteCourse): CompleteCourse => ({
  title: course.title,
  course_type: course.course_type,
  classify_id: course.classify_id,
  grade_id: course.grade_id,
  subject_id: course.subject_id,
  parent_id: course.parent_id,
  introduction: course.introduction,
  course_extend: course.course_extend,
});

/** Selects the homework of a course: published to it, or with the course in its scope. */
const homeworkOfCourse = (db: Database, id: number) =>
  db
    .selectFrom('homework')
    .where((eb) =>
      eb.or([
        eb('homework.course_id', '=', id),
        eb('homework.id', 'in', (scope) =>
          scope
            .selectFrom('homework_scope')
            .select('homework_scope.homework_id')
            .where('homework_scope.course_id', '=', id),
        ),
      ]),
    );

/** Counts the records of a course. A course with records cannot be deleted. */
export async function countRecords(db: Database, id: number): Promise<CourseRecords> {
  const [periods, taking, groups, children, homework, sessions] = await Promise.all([
    countOf(db.selectFrom('period').where('course_id', '=', id)),
    countOf(db.selectFrom('class_course').where('course_id', '=', id)),
    db
      .selectFrom('class_group')
      .select((eb) => eb.fn.count<number>('class_id').distinct().as('classes'))
      .where('course_id', '=', id)
      .executeTakeFirstOrThrow(),
    countOf(db.selectFrom('course').where('parent_id', '=', id)),
    countOf(homeworkOfCourse(db, id)),
    countOf(db.selectFrom('class_session').where('course_id', '=', id)),
  ]);
  return { periods, classes: Math.max(taking, groups.classes), children, homework, sessions };
}

/** Counts the students, open homework and future periods that a change of the course affects at `now`. */
export async function countAffected(db: Database, id: number, now: number): Promise<AffectedCounts> {
  const [students, homework, periods] = await Promise.all([
    studentsOf(db, [id]),
    countOf(homeworkOfCourse(db, id).where('homework.status', '=', 1).where('homework.ending_time', '>', now)),
    countOf(db.selectFrom('period').where('course_id', '=', id).where('start_play', '>', now)),
  ]);
  return { students: students.get(id) ?? 0, homework, periods };
}

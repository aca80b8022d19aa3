/** Queries of the classes, courses, periods and members that a rollover starts from. */
import { classTypes, inClassOrder } from '#server/classes/rules.ts';
import { adminClasses, gradePlace } from '#server/classes/visible.ts';
import { adminCourses } from '#server/courses/visible.ts';
import { sourceOfSchool } from '#server/import/source.ts';
import type { ImportRequest } from '#server/import/store-upload.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { groupRows, groupValues } from '#server/school/importer.ts';
import type { WrittenRollOver } from './contract.ts';
import { promotionPause } from './rules.ts';

type ImportContext = Pick<ImportRequest, 'db' | 'actor'>;

/** Selects the state-school classes that have not ended. */
export async function runningClasses({ db, actor, now }: ImportContext & { now: number }, schoolId: number) {
  const classes = await adminClasses(db, actor)
    .leftJoin('grade', 'grade.id', 'class.grade_id')
    .select(['class.id', 'class.name', 'class.grade_id', 'grade.name as grade_name', gradePlace])
    .where('class.school_id', '=', schoolId)
    .where('class.class_type', '=', classTypes.stateSchool)
    .where((eb) => eb.or([eb('class.valid_type', '!=', 2), eb('class.valid_time', '>', now)]))
    .execute();
  return inClassOrder(classes);
}

export type RunningClass = Awaited<ReturnType<typeof runningClasses>>[number];

/** Source of the imports that roll-overs of a school make. */
export const rolloverSource = (schoolId: number) => sourceOfSchool(`学期更替（学校${schoolId}）`, schoolId);

/** Form data of a roll-over, stored with its import. */
export interface StoredPlan {
  rollOver: WrittenRollOver;
  /** Ids of the classes that it promotes. Missing in older imports. */
  promoted?: number[];
}

/** Returns the classes that roll-overs of the school promoted lately, by id, with the latest import. */
export async function recentPromotions(
  { db, now }: { db: Database; now: number },
  schoolId: number,
): Promise<Map<number, { importId: number; appliedAt: number }>> {
  const { name, owner } = rolloverSource(schoolId);
  const rows = await db
    .selectFrom('import')
    .innerJoin('import_source', 'import_source.id', 'import.source_id')
    .select(['import.id', 'import.plan', 'import.applied_at'])
    .where('import_source.name', '=', name)
    .where('import_source.owner', '=', owner)
    .where('import.state', '=', 'applied')
    .where('import.applied_at', '>', now - promotionPause)
    .orderBy('import.id')
    .execute();
  return new Map(
    rows.flatMap(({ id, plan, applied_at }) => {
      const { rollOver, promoted } = JSON.parse(plan) as StoredPlan;
      const chosen = rollOver.classes.flatMap(({ class_id, fate }) => (fate === 'promote' ? (class_id ?? []) : []));
      return (promoted ?? chosen).map((one) => [one, { importId: id, appliedAt: applied_at ?? 0 }] as const);
    }),
  );
}

export const coursesOfSchool = ({ db, actor }: ImportContext, schoolId: number) =>
  adminCourses(db, actor)
    .select(['course.id', 'course.title', 'course.course_type', 'course.classify_id', 'course.grade_id'])
    .leftJoin('grade', 'grade.id', 'course.grade_id')
    .select(['course.subject_id', 'course.parent_id', 'course.introduction', 'course.course_extend'])
    .select('grade.name as grade_name')
    .where('course.school_id', '=', schoolId)
    .where('course.put_away_at', 'is', null)
    .orderBy('course.title')
    .orderBy('course.id')
    .execute();

export type CopiedCourse = Awaited<ReturnType<typeof coursesOfSchool>>[number];

export const periodsOf = (db: Database, courseIds: readonly number[]) =>
  db
    .selectFrom('period')
    .leftJoin('course_chapter', 'course_chapter.id', 'period.chapter_id')
    .leftJoin('staff', 'staff.id', 'period.lecturer_id')
    .select(['period.id', 'period.course_id', 'period.title', 'course_chapter.title as chapter_title'])
    .select(['period.periods_type', 'period.lecturer_id', 'period.start_play', 'period.total_time'])
    .select(['period.advance_time', 'staff.real_name', 'staff.disabled_at'])
    .where('period.course_id', 'in', inIds(db, courseIds))
    .orderBy('period.sort')
    .orderBy('period.start_play')
    .orderBy('period.id')
    .execute();

export type CopiedPeriod = Awaited<ReturnType<typeof periodsOf>>[number];

export const classesTakingCourses = (db: Database, courseIds: readonly number[]) =>
  db
    .selectFrom('class_course')
    .innerJoin('class', 'class.id', 'class_course.class_id')
    .select(['class_course.class_id', 'class_course.course_id', 'class.name'])
    .where('class_course.course_id', 'in', inIds(db, courseIds))
    .where('class.class_type', '=', classTypes.stateSchool)
    .orderBy('class.id')
    .execute();

export async function termsByClass(db: Database, classIds: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('class_term')
    .select(['class_id', 'term_id'])
    .where('class_id', 'in', inIds(db, classIds))
    .orderBy('term_id')
    .execute();
  return groupValues(
    rows,
    ({ class_id }) => class_id,
    ({ term_id }) => term_id,
  );
}

export async function membersOf(db: Database, classIds: readonly number[]) {
  const rows = await db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .select(['class_student.class_id', 'student.id', 'student.nickname', 'student.number', 'student.mobile'])
    .where('class_student.class_id', 'in', inIds(db, classIds))
    .where('class_student.left_at', 'is', null)
    .orderBy('student.id')
    .execute();
  return groupRows(rows, ({ class_id }) => class_id);
}

export type Members = Awaited<ReturnType<typeof membersOf>>;

export type Member = NonNullable<ReturnType<Members['get']>>[number];

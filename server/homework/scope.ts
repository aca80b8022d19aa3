/** Scope of a publication: the courses, periods and classes to choose from. */

import { classTypes, inClassOrder, missingCourse } from '#server/classes/rules.ts';
import { gradePlace } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { classesOf, coursesOf } from '#server/school/staff-duties.ts';
import { findOwnSession } from '#server/sessions/list.ts';
import type { CourseChoice, PeriodChoice, ScopeClass } from './publication.contract.ts';
import { publicationMessages } from './rules.ts';

const unknownCourse = () => missing(missingCourse);

/** Lists the actor's courses, each followed by its child courses. With `parentId` only the course's children. */
export async function courseChoices(
  db: Database,
  actor: Actor,
  { title, parentId }: { title: string | undefined; parentId: number | undefined },
): Promise<CourseChoice[]> {
  let courses = db
    .selectFrom('course')
    .leftJoin('course as parent', 'parent.id', 'course.parent_id')
    .select(['course.id', 'course.title', 'course.parent_id', 'parent.title as parent_title'])
    .select((eb) =>
      eb
        .selectFrom('course as child')
        .whereRef('child.parent_id', '=', 'course.id')
        .where('child.id', 'in', coursesOf(db, actor))
        .where('child.put_away_at', 'is', null)
        .select((count) => count.fn.countAll<number>().as('n'))
        .as('children_count'),
    )
    .where('course.id', 'in', coursesOf(db, actor))
    .where('course.put_away_at', 'is', null);
  if (title) courses = courses.where(nameContains('course.title', title));
  if (parentId !== undefined) courses = courses.where('course.parent_id', '=', parentId);
  const rows = await courses
    .orderBy((eb) => eb.fn.coalesce('course.parent_id', 'course.id'))
    .orderBy('course.parent_id', (order) => order.asc().nullsFirst())
    .orderBy('course.id')
    .execute();
  return rows.map(({ parent_title, children_count, ...course }) => ({
    ...course,
    parent_title: parent_title ?? '',
    children_count: children_count ?? 0,
  }));
}

/**
 * Lists the periods of a course and of the child courses that the actor sees, the actor's own periods first. 404: the
 * actor does not see the course.
 */
export async function periodChoices(db: Database, actor: Actor, courseId: number): Promise<PeriodChoice[] | Refusal> {
  const courses = await courseWithChildren(db, actor, courseId);
  if (isRefusal(courses)) return courses;
  const rows = await db
    .selectFrom('period')
    .innerJoin('course', 'course.id', 'period.course_id')
    .select(['period.id', 'period.title', 'period.course_id', 'course.title as course_title', 'period.start_play'])
    .select('period.lecturer_id')
    .where('period.course_id', 'in', [courseId, ...courses.children])
    .orderBy((eb) => eb.case().when('period.lecturer_id', '=', actor.id).then(0).else(1).end())
    .orderBy((eb) => eb.case().when('period.course_id', '=', courseId).then(0).else(1).end())
    .orderBy('period.course_id')
    .orderBy('period.sort')
    .orderBy('period.start_play')
    .orderBy('period.id')
    .execute();
  return rows.map(({ lecturer_id, ...period }) => ({ ...period, is_mine: lecturer_id === actor.id ? 1 : 0 }));
}

/** Returns a course and the child courses that the actor sees. 404: the actor does not see the course. */
async function courseWithChildren(
  db: Database,
  actor: Actor,
  courseId: number,
): Promise<{ children: number[] } | Refusal> {
  const rows = await db
    .selectFrom('course')
    .select('id')
    .where('id', 'in', coursesOf(db, actor))
    .where('put_away_at', 'is', null)
    .where((eb) => eb.or([eb('id', '=', courseId), eb('parent_id', '=', courseId)]))
    .orderBy('id')
    .execute();
  const ids = rows.map(({ id }) => id);
  if (!ids.includes(courseId)) return unknownCourse();
  return { children: ids.filter((id) => id !== courseId) };
}

/** The scope of a publication as a client sent it. */
export interface RequestedScope {
  courseId: number;
  scope: 1 | 2 | 3;
  /** Chosen child courses; only for scope 2. */
  childIds: readonly number[];
  /** The lesson that the homework is published from. */
  sessionId: number | undefined;
}

export interface Scope {
  /** Id of the chosen course. `courseIds`: the courses whose classes get the homework. */
  courseId: number;
  courseIds: number[];
  classes: ScopeClass[];
}

interface Clock {
  /** Unix seconds. */
  now: number;
  timezone: string;
}

/**
 * Resolves a scope to courses and classes. With a lesson the only class is the lesson's. Otherwise the classes are
 * state-school classes that have not expired, take a course of the scope, and are visible to the actor. 404: unknown
 * course or lesson. 422: no class.
 */
export async function scopeOf(
  db: Database,
  actor: Actor,
  requested: RequestedScope,
  clock: Clock,
): Promise<Scope | Refusal> {
  if (requested.sessionId !== undefined)
    return scopeOfSession(db, actor, { ...requested, sessionId: requested.sessionId }, clock);
  const course = await courseWithChildren(db, actor, requested.courseId);
  if (isRefusal(course)) return course;
  const courseIds = coursesOfScope(requested, course.children);
  if (isRefusal(courseIds)) return courseIds;
  const classes = await withStudents(db)
    .where('class.id', 'in', (eb) =>
      eb.selectFrom('class_course').select('class_course.class_id').where('class_course.course_id', 'in', courseIds),
    )
    .where('class.id', 'in', classesOf(db, actor))
    .where('class.class_type', '=', classTypes.stateSchool)
    .where((eb) => eb.or([eb('class.valid_type', '=', 1), eb('class.valid_time', '>', clock.now)]))
    .execute();
  if (classes.length === 0) return invalid({ publish_scope: [publicationMessages.noClasses] });
  return { courseId: requested.courseId, courseIds, classes: inClassOrder(classes).map(scopeClass) };
}

/** Returns the class ids of each student who is in several of these classes, for `countStudents`. */
export async function sharedStudents(db: Database, classIds: readonly number[]): Promise<number[][]> {
  if (classIds.length < 2) return [];
  const members = () =>
    db.selectFrom('class_student').where('class_id', 'in', inIds(db, classIds)).where('left_at', 'is', null);
  const rows = await members()
    .select(['student_id', 'class_id'])
    .where(
      'student_id',
      'in',
      members()
        .select('student_id')
        .groupBy('student_id')
        .having((eb) => eb.fn.countAll<number>(), '>', 1),
    )
    .orderBy('student_id')
    .orderBy('class_id')
    .execute();
  const classesOf = new Map<number, number[]>();
  for (const { student_id, class_id } of rows)
    classesOf.set(student_id, [...(classesOf.get(student_id) ?? []), class_id]);
  return [...classesOf.values()];
}

/** Lists the classes of a scope for the form; empty while the scope is incomplete. */
export async function classesOfScope(
  db: Database,
  actor: Actor,
  {
    course_basis_id: courseId,
    publish_scope: scope,
    child_course_basis_ids: childIds,
    arrange_id: sessionId,
  }: {
    course_basis_id?: number | undefined;
    publish_scope?: 1 | 2 | 3 | undefined;
    child_course_basis_ids: number[];
    arrange_id?: number | undefined;
  },
  clock: Clock,
): Promise<AnswerWithMessage<ScopeClass[]> | Refusal> {
  const none = new AnswerWithMessage<ScopeClass[]>([], { extra: { shared: [] } });
  if (courseId === undefined || scope === undefined) return none;
  const resolved = await scopeOf(db, actor, { courseId, scope, childIds, sessionId }, clock);
  if (isRefusal(resolved)) return resolved.kind === 'invalid' ? none : resolved;
  const shared = await sharedStudents(
    db,
    resolved.classes.map(({ id }) => id),
  );
  return new AnswerWithMessage(resolved.classes, { extra: { shared } });
}

function coursesOfScope({ courseId, scope, childIds }: RequestedScope, children: number[]): number[] | Refusal {
  if (scope === 3) return [courseId];
  if (children.length === 0) return invalid({ publish_scope: [publicationMessages.noChildren] });
  if (scope === 1) return children;
  if (childIds.length === 0) return invalid({ child_course_basis_ids: [publicationMessages.childCourses] });
  return childIds.every((id) => children.includes(id)) ? [...childIds] : unknownCourse();
}

async function scopeOfSession(
  db: Database,
  actor: Actor,
  { sessionId, courseId }: RequestedScope & { sessionId: number },
  clock: Clock,
): Promise<Scope | Refusal> {
  const session = await findOwnSession(db, actor, sessionId, clock);
  if (isRefusal(session)) return session;
  if (session.course_id !== courseId) return invalid({ course_basis_id: [publicationMessages.courseOfSession] });
  const classes = await withStudents(db).where('class.id', '=', session.class_id).execute();
  return { courseId, courseIds: [courseId], classes: classes.map(scopeClass) };
}

const withStudents = (db: Database) =>
  db
    .selectFrom('class')
    .select(['class.id', 'class.name', gradePlace])
    .select((eb) =>
      eb
        .selectFrom('class_student')
        .whereRef('class_student.class_id', '=', 'class.id')
        .where('class_student.left_at', 'is', null)
        .select((count) => count.fn.countAll<number>().as('n'))
        .as('students_count'),
    );

const scopeClass = ({ id, name, students_count }: { id: number; name: string; students_count: number | null }) => ({
  id,
  name,
  students_count: students_count ?? 0,
});

/** Addresses of a student of a class, and of a course of a class. */
import { listSearch, searchOf } from '../lib/search.ts';

type Search = Record<string, string | number | undefined>;

export interface StudentPlace {
  /** The membership. */
  id: number;
  uid: number;
  class_id: number;
}

export const studentHref = ({ id, uid, class_id }: StudentPlace, changes: Search = {}): string =>
  `/classes/student${listSearch({ id, uid, class_id }, changes)}`;

/** The periods of one of the student's courses, over the student. */
export const studentPeriodsHref = (
  { id, uid, class_id }: StudentPlace,
  courseId: number,
  changes: Search = {},
): string => `/classes/student/periods${listSearch({ id, uid, class_id, course_id: courseId }, changes)}`;

export interface CoursePlace {
  courseId: number;
  classId: number;
  /** Of the lesson list. */
  page?: number | undefined;
}

const courseSearch = ({ courseId, classId }: CoursePlace): Search => ({
  id: courseId,
  course_id: courseId,
  class_id: classId,
});
const unlessFirst = (page: number | undefined) => (page === 1 ? undefined : page);

export const courseHref = (place: CoursePlace): string =>
  `/classes/attendance${searchOf({ ...courseSearch(place), page: unlessFirst(place.page) })}`;

/** Over the course, `page` is the one of the dialog's list; the course's own is `lessons`. */
const lessonSearch = (place: CoursePlace, periodId: number, students: number): Search => ({
  ...courseSearch(place),
  lessons: unlessFirst(place.page),
  period_id: periodId,
  page: unlessFirst(students),
});

/** Who was in a lesson. `students`: the page of that list. */
export const lessonHref = (place: CoursePlace, periodId: number, students = 1): string =>
  `/classes/attendance/lesson${searchOf(lessonSearch(place, periodId, students))}`;

/** The question before an action on one student, over the lesson. */
export const markHref = (
  place: CoursePlace,
  { periodId, students, uid, action }: { periodId: number; students: number; uid: number; action: string },
): string => `/classes/attendance/lesson/mark${searchOf({ ...lessonSearch(place, periodId, students), uid, action })}`;

/** What a search param names, or undefined where it is no id. */
export function idIn(url: URL, name: string): number | undefined {
  const text = url.searchParams.get(name) ?? '';
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

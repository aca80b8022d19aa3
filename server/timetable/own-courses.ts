/** Courses that timetables make for one state-school class: children of a course, which this class alone takes. */
import { courseKindOf } from '#server/courses/rules.ts';
import { createdRecords, internalReference } from '#server/import/internal-import.ts';
import type { RecordKind, Reference, Value } from '#server/import/source-record.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import type { CompleteRule, CompleteTimetable } from './contract.ts';
import { timetableSource } from './stored-timetables.ts';

type ClassCourse = Pick<CompleteRule, 'class_id' | 'course_id'>;

export interface OwnCourses {
  /** External id of the class's own course: `class/3-5`; `class/3-5~2` where the first was deleted or archived. */
  idOf(rule: ClassCourse): string;
  /** True if a course with this external id is in use. */
  isInUse(sourceId: string): boolean;
  /** Class and course that each own course was made for, by its record id. */
  originals: ReadonlyMap<number, ClassCourse>;
}

const ownId = /^class\/(\d+)-(\d+)(?:~(\d+))?$/;

/** Target of an own course without the number of its successors. */
export const firstTarget = (target: string): string => target.replace(/~\d+$/, '');

/** Reads the courses that timetables of the school made for single classes. */
export async function ownCoursesOf(db: Database, schoolId: number): Promise<OwnCourses> {
  const created = await createdRecords(db, timetableSource(schoolId), ['course']);
  const present = await db
    .selectFrom('course')
    .select('id')
    .where('id', 'in', inIds(db, [...created.values()]))
    .where('put_away_at', 'is', null)
    .execute();
  const inUse = new Set(present.map(({ id }) => id));
  const latest = new Map<string, number>();
  const originals = new Map<number, ClassCourse>();
  for (const [sourceId, record] of created) {
    const [, classId, courseId, number = '1'] = ownId.exec(sourceId) ?? [];
    if (classId === undefined) continue;
    originals.set(record, { class_id: Number(classId), course_id: Number(courseId) });
    const first = firstTarget(sourceId);
    latest.set(first, Math.max(latest.get(first) ?? 0, Number(number)));
  }
  const numbered = (first: string, number: number) => (number <= 1 ? first : `${first}~${number}`);
  const isInUse = (sourceId: string) => inUse.has(created.get(sourceId) ?? 0);
  return {
    isInUse,
    originals,
    idOf({ class_id, course_id }) {
      const first = `class/${class_id}-${course_id}`;
      const number = latest.get(first) ?? 0;
      return number === 0 || isInUse(numbered(first, number)) ? numbered(first, number) : numbered(first, number + 1);
    },
  };
}

interface OwnCourseFacts {
  own: OwnCourses;
  /** Names of the state-school classes that rules can name, by id. */
  stateClasses: ReadonlyMap<number, string>;
  ownCourseTitle(rule: ClassCourse): string;
  refer(kind: RecordKind, id: number): Reference;
}

/**
 * Returns the courses of the state-school classes that rules name one by one, and that the classes take them. Courses
 * in use stay as they are. `at`: index of the first rule of the course.
 */
export async function ownCourseRecords(
  db: Database,
  { school_id, rules }: CompleteTimetable,
  { own, stateClasses, refer, ownCourseTitle: titleOf }: OwnCourseFacts,
) {
  const records: { kind: RecordKind; sourceId: string; fields: Record<string, Value>; at: number }[] = [];
  const known = new Map<string, { kind: RecordKind; id: number }>();
  const recall = (kind: RecordKind, id: number) => {
    known.set(internalReference(kind, id, '').sourceId, { kind, id });
    return refer(kind, id);
  };
  const firstRules = new Map<string, { rule: CompleteRule; at: number }>();
  for (const [at, rule] of rules.entries()) {
    const sourceId = own.idOf(rule);
    if (stateClasses.has(rule.class_id) && !firstRules.has(sourceId)) firstRules.set(sourceId, { rule, at });
  }
  const courseIds = [...firstRules.values()].map(({ rule }) => rule.course_id);
  const courses = await db.selectFrom('course').selectAll().where('id', 'in', inIds(db, courseIds)).execute();
  for (const [sourceId, { rule, at }] of firstRules) {
    const course = courses.find(({ id }) => id === rule.course_id);
    if (course && !own.isInUse(sourceId)) {
      const { grade_id, subject_id, classify_id } = course;
      const fields: Record<string, Value> = {
        title: titleOf(rule),
        course_type: courseKindOf(course.course_type),
        school_id: recall('school', school_id),
        parent_id: recall('course', course.parent_id ?? course.id),
        cover_of_id: recall('course', course.id),
        ...(grade_id !== null && { grade_id: recall('grade', grade_id) }),
        ...(subject_id !== null && { subject_id: recall('subject', subject_id) }),
        ...(classify_id !== null && { classify_id: recall('category', classify_id) }),
      };
      records.push({ kind: 'course', sourceId, fields, at });
    }
    records.push({
      kind: 'class_course',
      sourceId: `${sourceId}/taken`,
      fields: { class_id: refer('class', rule.class_id), course_id: { kind: 'course', sourceId } },
      at,
    });
  }
  return { records, known: [...known.values()] };
}

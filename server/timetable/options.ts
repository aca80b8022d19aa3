/** Choices of the timetable form. */
import { termChoices } from '#server/catalogue/terms.ts';
import { classTypes, inClassOrder } from '#server/classes/rules.ts';
import { adminClasses, gradePlace } from '#server/classes/visible.ts';
import { weeksOf } from '#server/courses/term-days.ts';
import { adminCourses, adminLecturers } from '#server/courses/visible.ts';
import { timetableWeeks } from '#server/import/rules.ts';
import type { ImportRequest } from '#server/import/store-upload.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { schoolChoices } from '#server/school/admin-schools.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { TimetableOptions } from './contract.ts';
import { type OwnCourses, ownCoursesOf } from './own-courses.ts';
import { latestTimetable, planOf } from './stored-timetables.ts';

/**
 * Returns the choices of the form. Targets are courses that classes take or that have no child courses, each course of
 * the group and one-to-one classes that have not ended, and each course of the state-school classes. The target of
 * a class is the course that its own course was made for, not the class's own course.
 */
export async function formChoices(
  { db, actor, now }: Pick<ImportRequest, 'db' | 'actor' | 'now'>,
  schoolId: number,
  { originals }: Pick<OwnCourses, 'originals'>,
) {
  const [courses, classes, taken, lecturers, rooms] = await Promise.all([
    adminCourses(db, actor)
      .select(['course.id', 'course.title'])
      .where('course.school_id', '=', schoolId)
      .where('course.put_away_at', 'is', null)
      .where((eb) =>
        eb.or([
          eb.exists(
            eb
              .selectFrom('class_course')
              .select('class_course.class_id')
              .whereRef('class_course.course_id', '=', 'course.id'),
          ),
          eb.not(
            eb.exists(
              eb.selectFrom('course as child').select('child.id').whereRef('child.parent_id', '=', 'course.id'),
            ),
          ),
        ]),
      )
      .orderBy('course.title')
      .orderBy('course.id')
      .execute(),
    adminClasses(db, actor)
      .innerJoin('class_course', 'class_course.class_id', 'class.id')
      .innerJoin('course', 'course.id', 'class_course.course_id')
      .leftJoin('team_class', 'team_class.class_id', 'class.id')
      .select(['class.id', 'class.name', 'class_course.course_id', 'course.title', gradePlace])
      .where('class.school_id', '=', schoolId)
      .where('class.class_type', 'in', [classTypes.group, classTypes.oneToOne])
      .where((eb) => eb.or([eb('team_class.ended_at', 'is', null), eb('team_class.ended_at', '>', now)]))
      .where((eb) => eb.or([eb('class.valid_type', '!=', 2), eb('class.valid_time', '>', now)]))
      .orderBy('course.title')
      .execute(),
    adminClasses(db, actor)
      .innerJoin('class_course', 'class_course.class_id', 'class.id')
      .innerJoin('course', 'course.id', 'class_course.course_id')
      .select(['class.id', 'class.name', 'class_course.course_id', 'course.title', gradePlace])
      .where('class.school_id', '=', schoolId)
      .where('course.school_id', '=', schoolId)
      .where('course.put_away_at', 'is', null)
      .where('class.class_type', '=', classTypes.stateSchool)
      .where((eb) => eb.or([eb('class.valid_type', '!=', 2), eb('class.valid_time', '>', now)]))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('class_course as also')
              .select('also.course_id')
              .whereRef('also.class_id', '=', 'class.id')
              .whereRef('also.course_id', '=', 'course.parent_id'),
          ),
        ),
      )
      .orderBy('course.title')
      .execute(),
    adminLecturers(db, actor)
      .select(['staff.id', 'staff.real_name as name'])
      .orderBy('staff.real_name')
      .orderBy('staff.id')
      .execute(),
    db
      .selectFrom('room')
      .select(['room.id', 'room.name'])
      .where('room.school_id', '=', schoolId)
      .where('room.put_away_at', 'is', null)
      .orderBy('room.name')
      .orderBy('room.id')
      .execute(),
  ]);
  return {
    courses,
    classes: inClassOrder(classes),
    stateClasses: await withoutOwnCourses(db, inClassOrder(taken), originals),
    lecturers,
    rooms,
  };
}

/** Replaces each course that a timetable made for the class by the course that it was made for. */
async function withoutOwnCourses<Row extends { id: number; course_id: number; title: string }>(
  db: Database,
  taken: readonly Row[],
  originals: OwnCourses['originals'],
): Promise<Row[]> {
  const courseIds = taken.flatMap(({ course_id }) => originals.get(course_id)?.course_id ?? []);
  const courses = await db
    .selectFrom('course')
    .select(['id', 'title'])
    .where('id', 'in', inIds(db, courseIds))
    .where('put_away_at', 'is', null)
    .execute();
  const titles = new Map(courses.map(({ id, title }) => [id, title]));
  const rows = taken.flatMap((row): Row[] => {
    const original = originals.get(row.course_id);
    if (!original) return [row];
    const title = titles.get(original.course_id);
    return title === undefined ? [] : [{ ...row, course_id: original.course_id, title }];
  });
  return [...new Map(rows.map((row) => [`${row.id}:${row.course_id}`, row])).values()];
}

/** Maximum targets that are listed; a search by name finds the others. */
const targetsOffered = 200;

/** Returns the choices of the form. 404: there is no timetable `from`. */
export async function timetableOptionsOf(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  { school_id, from, name }: { school_id?: number | undefined; from?: number | undefined; name?: string | undefined },
): Promise<TimetableOptions | Refusal> {
  const plan = from === undefined ? null : await planOf({ db, actor }, from);
  if (isRefusal(plan)) return plan;
  const schools = await schoolChoices(db, actor);
  const requestedSchoolId = school_id ?? plan?.school_id;
  const school = schools.find(({ id }) => id === requestedSchoolId) ?? schools[0];
  const nothing = { targets: [], more: 0, lecturers: [], rooms: [], terms: [], plan: null, latest: 0 };
  if (!school) return { schools, school_id: 0, ...nothing };
  const terms = (await termChoices(db)).filter(({ first_day }) => first_day !== '');
  const { courses, classes, stateClasses, lecturers, rooms } = await formChoices(
    { db, actor, now },
    school.id,
    await ownCoursesOf(db, school.id),
  );
  const targets = [
    ...courses.map(({ id, title }) => ({ class_id: 0, course_id: id, name: title })),
    ...[...classes, ...stateClasses].map((row) => ({
      class_id: row.id,
      course_id: row.course_id,
      name: `${row.name}：${row.title}`,
    })),
  ];
  const isOfPlan = ({ class_id, course_id }: { class_id: number; course_id: number }) =>
    plan?.rules.some((rule) => (rule.class_id ?? 0) === class_id && rule.course_id === course_id) ?? false;
  const named = targets.filter((one) => name === undefined || one.name.includes(name));
  const shown = new Set(named.slice(0, targetsOffered));
  const offered = targets.filter((one) => shown.has(one) || isOfPlan(one));
  return {
    schools,
    school_id: school.id,
    targets: offered,
    more: Math.max(0, named.length - targetsOffered),
    lecturers,
    rooms,
    terms: terms.map(({ id, name: called, ...days }) => ({
      id,
      name: called,
      first_day: days.first_day,
      weeks: Math.min(weeksOf(days), timetableWeeks),
    })),
    plan: plan?.school_id === school.id ? plan : null,
    latest: await latestTimetable({ db, actor }, school.id),
  };
}

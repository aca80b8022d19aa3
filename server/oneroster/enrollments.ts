/** OneRoster enrollments of staff and students in classes. */
import { sql } from 'kysely';
import { dayAfter } from '#server/import/formats/oneroster-days.ts';
import { dayOf } from '#server/school/calendar.ts';
import { coursesOfClasses } from './classes.ts';
import {
  activeWhere,
  allSplits,
  booleanText,
  changedAt,
  classCourseId,
  commonFields,
  concatenateIds,
  enrolmentId,
  idOf,
  idsForSourcedId,
  isOneOf,
  isOpenClass,
  literal,
  matchesPair,
  pairsForSourcedId,
  type RecordSource,
  type Resource,
  reachableSchools,
  rowsOf,
} from './record-source.ts';

export const enrollments: Resource = {
  one: 'enrollment',
  many: 'enrollments',
  fields: {
    ...commonFields,
    role: 'text',
    primary: 'text',
    beginDate: 'daytime',
    endDate: 'daytime',
    'user.sourcedId': 'text',
    'class.sourcedId': 'text',
    'school.sourcedId': 'text',
  },
  parts({ db, client, now }, { schoolId, theClass }) {
    const reached = reachableSchools({ db, client });
    const isOpen = isOpenClass(now);
    const stay = {
      status: activeWhere(sql`class_student.left_at is null and student.disabled_at is null and ${isOpen}`),
      dateLastModified: changedAt(
        'class_student',
        'class_student.id',
        sql`coalesce(class_student.left_at, class_student.joined_at)`,
      ),
      role: literal('student'),
      primary: literal('false'),
      beginDate: sql.ref('class_student.joined_at'),
      endDate: sql`coalesce(class_student.left_at, class_student.leaving_at)`,
      'user.sourcedId': idOf('student', 'class_student.student_id'),
      'school.sourcedId': idOf('school', 'class.school_id'),
    };
    const parts: RecordSource[] = [];
    if (theClass?.courseId === undefined) {
      parts.push({
        rows: rowsOf(
          db
            .selectFrom('class_staff')
            .innerJoin('class', 'class.id', 'class_staff.class_id')
            .innerJoin('staff', 'staff.id', 'class_staff.staff_id')
            .where('class.school_id', 'in', reached)
            .where('class.class_type', '=', 0)
            .where('staff.school_id', 'in', reached)
            .where('staff.identity', 'in', ['teacher', 'assist'])
            .$if(theClass !== undefined, (query) => query.where('class_staff.class_id', '=', theClass?.id ?? 0))
            .$if(schoolId !== undefined, (query) => query.where('class.school_id', '=', schoolId ?? 0)),
        ),
        columns: {
          sourcedId: concatenateIds(
            idOf('class', 'class_staff.class_id'),
            literal('/'),
            idOf('staff', 'class_staff.staff_id'),
            literal('/'),
            sql`class_staff.duty`,
          ),
          status: activeWhere(sql`staff.disabled_at is null and ${isOpen}`),
          dateLastModified: changedAt('class', 'class.id', sql`class.created_at`),
          role: literal('teacher'),
          // The standard allows only one primary teacher per class, which is the first head teacher.
          primary: booleanText(sql`class_staff.duty = 'head' and not exists (
            select 1 from class_staff as other where other.class_id = class_staff.class_id and other.duty = 'head'
            and other.staff_id < class_staff.staff_id)`),
          'user.sourcedId': idOf('staff', 'class_staff.staff_id'),
          'class.sourcedId': idOf('class', 'class_staff.class_id'),
          'school.sourcedId': idOf('school', 'class.school_id'),
        },
        order: ['class_staff.class_id', 'class_staff.staff_id', 'class_staff.duty'],
        async placed(id) {
          const [, both = '', duty = ''] = /^(.*)\/(head|assistant)$/s.exec(id) ?? [];
          const pairs: [number, number][] = [];
          for (const [one, other] of allSplits(both, '/')) {
            const staff = await idsForSourcedId(db, 'staff', other);
            for (const first of await idsForSourcedId(db, 'class', one))
              for (const second of staff) pairs.push([first, second]);
          }
          const place = matchesPair(['class_staff.class_id', 'class_staff.staff_id'], pairs);
          return place && sql`${place} and class_staff.duty = ${duty}`;
        },
      });
      parts.push({
        rows: rowsOf(
          db
            .selectFrom('class_student')
            .innerJoin('class', 'class.id', 'class_student.class_id')
            .innerJoin('student', 'student.id', 'class_student.student_id')
            .where('class.school_id', 'in', reached)
            .where('class.class_type', '=', 0)
            .where('student.school_id', 'in', reached)
            .where('student.deleted_at', 'is', null)
            .$if(theClass !== undefined, (query) => query.where('class_student.class_id', '=', theClass?.id ?? 0))
            .$if(schoolId !== undefined, (query) => query.where('class.school_id', '=', schoolId ?? 0)),
        ),
        columns: {
          ...stay,
          sourcedId: enrolmentId('class_student.class_id', 'class_student.student_id'),
          'class.sourcedId': idOf('class', 'class_student.class_id'),
        },
        order: ['class_student.class_id', 'class_student.student_id'],
        placed: async (id) =>
          matchesPair(
            ['class_student.class_id', 'class_student.student_id'],
            await pairsForSourcedId(db, 'membership', id),
          ),
      });
    }
    if (!theClass || theClass.courseId !== undefined) {
      parts.push({
        rows: rowsOf(
          coursesOfClasses({ db, client }, { schoolId, theClass })
            .innerJoin('class_student', 'class_student.class_id', 'class_course.class_id')
            .innerJoin('student', 'student.id', 'class_student.student_id')
            .where('student.school_id', 'in', reached)
            .where('student.deleted_at', 'is', null),
        ),
        columns: {
          ...stay,
          status: activeWhere(
            sql`class_student.left_at is null and student.disabled_at is null and course.put_away_at is null and ${isOpen}`,
          ),
          sourcedId: concatenateIds(
            classCourseId('class_course.class_id', 'class_course.course_id'),
            literal('.'),
            idOf('student', 'class_student.student_id'),
          ),
          'class.sourcedId': classCourseId('class_course.class_id', 'class_course.course_id'),
        },
        order: ['class_course.class_id', 'class_course.course_id', 'class_student.student_id'],
        async placed(id) {
          const places = [];
          for (const [taken, student] of allSplits(id, '.')) {
            const students = isOneOf('class_student.student_id', await idsForSourcedId(db, 'student', student));
            const pairs = matchesPair(
              ['class_course.class_id', 'class_course.course_id'],
              students ? await pairsForSourcedId(db, 'class_course', taken) : [],
            );
            if (students && pairs) places.push(sql<boolean>`(${students} and ${pairs})`);
          }
          return places.length === 0 ? undefined : sql`(${sql.join(places, sql` or `)})`;
        },
      });
    }
    return parts;
  },
  shape(row, { links, timezone }) {
    const { beginDate, endDate } = row;
    return {
      user: links('user', row['user.sourcedId']),
      class: links('class', row['class.sourcedId']),
      school: links('org', row['school.sourcedId']),
      role: row.role,
      primary: row.primary,
      ...(typeof beginDate === 'number' && { beginDate: dayOf(beginDate, timezone) }),
      // The standard's last day is exclusive, so this is the day after the last one.
      ...(typeof endDate === 'number' && { endDate: dayAfter(dayOf(endDate - 1, timezone)) }),
    };
  },
};

/**
 * Courses and classes in terms of OneRoster, the same as in exported packages (oneroster-roster.ts). Each school has a
 * homeroom course, to which its classes belong; in addition, each course of a class is a class of its own.
 */
import { type RawBuilder, sql } from 'kysely';
import { gradeNames, homeroomCode } from '#server/import/formats/oneroster-format.ts';
import {
  activeWhere,
  changedAt,
  classCourseId,
  commonFields,
  concatenateIds,
  filledFields,
  fixedTime,
  homeroomId,
  idOf,
  idsForSourcedId,
  isFilled,
  isOneOf,
  isOpenClass,
  literal,
  matchesPair,
  type ParentFilter,
  pairsForSourcedId,
  type RecordSource,
  type RequestContext,
  type Resource,
  reachableSchools,
  recordSource,
  rowsOf,
} from './record-source.ts';
import { isInTerm, listSeparator, termIdsOf } from './sessions.ts';

const homeroomPrefix = 'homeroom-';

const singleList = (value: unknown): string[] | undefined => (isFilled(value) ? [String(value)] : undefined);

/** SQL for the standard's code of a grade, or the grade's own name if there is no code. */
const gradeCode = (column: string): RawBuilder<string> => {
  const cases = Object.entries(gradeNames).map(([code, name]) => sql`when ${name} then ${sql.lit(code)}`);
  return sql`case ${sql.ref(column)} ${sql.join(cases, sql` `)} else ${sql.ref(column)} end`;
};

export const courses: Resource = {
  one: 'course',
  many: 'courses',
  fields: {
    ...commonFields,
    title: 'text',
    courseCode: 'text',
    grades: 'text',
    subjects: 'text',
    'org.sourcedId': 'text',
  },
  parts({ db, client }, { schoolId }): RecordSource[] {
    const reached = reachableSchools({ db, client });
    return [
      recordSource({ db }, 'course', {
        rows: db
          .selectFrom('course')
          .leftJoin('grade', 'grade.id', 'course.grade_id')
          .leftJoin('subject', 'subject.id', 'course.subject_id')
          .where('course.school_id', 'in', reached)
          .$if(schoolId !== undefined, (query) => query.where('course.school_id', '=', schoolId ?? 0)),
        changed: sql`course.created_at`,
        columns: {
          status: activeWhere(sql`course.put_away_at is null`),
          title: sql.ref('course.title'),
          grades: gradeCode('grade.name'),
          subjects: sql.ref('subject.name'),
          'org.sourcedId': idOf('school', 'course.school_id'),
        },
      }),
      {
        rows: rowsOf(
          db
            .selectFrom('school')
            .where('school.id', 'in', reached)
            .where((eb) =>
              eb.exists(
                eb
                  .selectFrom('class')
                  .select('class.id')
                  .whereRef('class.school_id', '=', 'school.id')
                  .where('class.class_type', '=', 0),
              ),
            )
            .$if(schoolId !== undefined, (query) => query.where('school.id', '=', schoolId ?? 0)),
        ),
        columns: {
          sourcedId: homeroomId('school.id'),
          status: literal('active'),
          dateLastModified: fixedTime,
          title: literal('行政班'),
          courseCode: literal(homeroomCode),
          'org.sourcedId': idOf('school', 'school.id'),
        },
        order: ['school.id'],
        placed: async (id) =>
          id.startsWith(homeroomPrefix)
            ? isOneOf('school.id', await idsForSourcedId(db, 'school', id.slice(homeroomPrefix.length)))
            : undefined,
      },
    ];
  },
  shape: (row, { links }) => ({
    title: row.title,
    ...filledFields({ courseCode: row.courseCode, grades: singleList(row.grades), subjects: singleList(row.subjects) }),
    org: links('org', row['org.sourcedId']),
  }),
};

/** Selects the courses that classes take; if the request names a class and course, only that one. */
export const coursesOfClasses = (
  { db, client }: Pick<RequestContext, 'db' | 'client'>,
  { schoolId, theClass }: ParentFilter,
) =>
  db
    .selectFrom('class_course')
    .innerJoin('class', 'class.id', 'class_course.class_id')
    .innerJoin('course', 'course.id', 'class_course.course_id')
    .where('class.school_id', 'in', reachableSchools({ db, client }))
    .where('class.class_type', '=', 0)
    .where('course.school_id', 'in', reachableSchools({ db, client }))
    .$if(theClass !== undefined, (query) =>
      query
        .where('class_course.class_id', '=', theClass?.id ?? 0)
        .where('class_course.course_id', '=', theClass?.courseId ?? 0),
    )
    .$if(schoolId !== undefined, (query) => query.where('class.school_id', '=', schoolId ?? 0));

export const classes: Resource = {
  one: 'class',
  many: 'classes',
  fields: {
    ...commonFields,
    title: 'text',
    classType: 'text',
    grades: 'text',
    subjects: 'text',
    'course.sourcedId': 'text',
    'school.sourcedId': 'text',
    'terms.sourcedId': 'list',
  },
  parts({ db, client, now }, { schoolId, theClass, course, user, term }) {
    const reached = reachableSchools({ db, client });
    const homeroomSchool = course && 'homeroomsOf' in course ? course.homeroomsOf : undefined;
    const courseId = course && 'id' in course ? course.id : undefined;
    const studentId = user && 'studentId' in user ? user.studentId : undefined;
    const staffId = user && 'staffId' in user ? user.staffId : undefined;
    const inhabited = (column: 'class.id' | 'class_course.class_id') =>
      sql<boolean>`exists (select 1 from class_student where class_student.class_id = ${sql.ref(column)}
        and class_student.student_id = ${studentId ?? 0} and class_student.left_at is null)`;
    const hasNoStaff = sql<boolean>`exists (select 1 from class_staff where class_staff.class_id = class.id
      and class_staff.staff_id = ${staffId ?? 0})`;
    const parts: RecordSource[] = [];
    if (courseId === undefined && theClass?.courseId === undefined) {
      parts.push(
        recordSource({ db }, 'class', {
          rows: db
            .selectFrom('class')
            .leftJoin('grade', 'grade.id', 'class.grade_id')
            .where('class.school_id', 'in', reached)
            .where('class.class_type', '=', 0)
            .$if(theClass !== undefined, (query) => query.where('class.id', '=', theClass?.id ?? 0))
            .$if(schoolId !== undefined, (query) => query.where('class.school_id', '=', schoolId ?? 0))
            .$if(homeroomSchool !== undefined, (query) => query.where('class.school_id', '=', homeroomSchool ?? 0))
            .$if(studentId !== undefined, (query) => query.where(inhabited('class.id')))
            .$if(staffId !== undefined, (query) => query.where(hasNoStaff))
            .$if(term !== undefined, (query) => query.where(isInTerm('class.id', term ?? 0))),
          changed: sql`class.created_at`,
          columns: {
            status: activeWhere(isOpenClass(now)),
            title: sql.ref('class.name'),
            classType: literal('homeroom'),
            grades: gradeCode('grade.name'),
            'course.sourcedId': homeroomId('class.school_id'),
            'school.sourcedId': idOf('school', 'class.school_id'),
            'terms.sourcedId': termIdsOf('class.id'),
          },
        }),
      );
    }
    if (homeroomSchool === undefined && staffId === undefined && (!theClass || theClass.courseId !== undefined)) {
      parts.push({
        rows: rowsOf(
          coursesOfClasses({ db, client }, { schoolId, theClass })
            .leftJoin('grade', 'grade.id', 'class.grade_id')
            .leftJoin('subject', 'subject.id', 'course.subject_id')
            .$if(courseId !== undefined, (query) => query.where('class_course.course_id', '=', courseId ?? 0))
            .$if(studentId !== undefined, (query) => query.where(inhabited('class_course.class_id')))
            .$if(term !== undefined, (query) => query.where(isInTerm('class.id', term ?? 0))),
        ),
        columns: {
          sourcedId: classCourseId('class_course.class_id', 'class_course.course_id'),
          status: activeWhere(sql`${isOpenClass(now)} and course.put_away_at is null`),
          dateLastModified: changedAt('class', 'class.id', sql`class.created_at`),
          title: concatenateIds(sql.ref('class.name') as never, literal(' '), sql.ref('course.title') as never),
          classType: literal('scheduled'),
          grades: gradeCode('grade.name'),
          subjects: sql.ref('subject.name'),
          'course.sourcedId': idOf('course', 'class_course.course_id'),
          'school.sourcedId': idOf('school', 'class.school_id'),
          'terms.sourcedId': termIdsOf('class.id'),
        },
        order: ['class_course.class_id', 'class_course.course_id'],
        placed: async (id) =>
          matchesPair(
            ['class_course.class_id', 'class_course.course_id'],
            await pairsForSourcedId(db, 'class_course', id),
          ),
      });
    }
    return parts;
  },
  shape: (row, { links }) => ({
    title: row.title,
    classType: row.classType,
    ...filledFields({ grades: singleList(row.grades), subjects: singleList(row.subjects) }),
    course: links('course', row['course.sourcedId']),
    school: links('org', row['school.sourcedId']),
    terms: String(row['terms.sourcedId'])
      .split(listSeparator)
      .map((id) => links('academicSession', id)),
  }),
};

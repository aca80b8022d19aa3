/**
 * OneRoster rostering: schools, people, classes and enrolments. Same mapping as the package export
 * (`server/import/formats`).
 */
import { type RawBuilder, sql } from 'kysely';
import { dayAfter } from '#server/import/formats/oneroster-days.ts';
import { gradeNames, homeroomCode } from '#server/import/formats/oneroster-format.ts';
import { doubleFamilyNames, partsOf } from '#server/import/formats/oneroster-write.ts';
import { dayOf } from '#server/school/calendar.ts';
import {
  activeWhere,
  booleanText,
  changedAt,
  classCourseId,
  commonFields,
  enrolmentId,
  homeroomId,
  idOf,
  idsForSourcedId,
  isOneOf,
  isOpenClass,
  isPair,
  joinedIds,
  literal,
  type Part,
  pairsForSourcedId,
  type RequestContext,
  type Resource,
  reachableSchools,
  recordsPart,
  rowsOf,
  splitsAt,
  type Within,
} from './part.ts';
import { isInTerm, listSeparator, termIdsOf } from './sessions.ts';

const homeroomStart = 'homeroom-';
const nothing = sql<boolean>`1 = 0`;
/** Modification time of fixed records. */
const always = sql<number>`0`;
const filled = (value: unknown): boolean => value !== null && value !== undefined && value !== '';
const present = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => filled(value)));
const listOf = (value: unknown): string[] | undefined => (filled(value) ? [String(value)] : undefined);

/** Grade code of the standard, else the grade's name. */
const gradeCode = (column: string): RawBuilder<string> => {
  const cases = Object.entries(gradeNames).map(([code, name]) => sql`when ${name} then ${sql.lit(code)}`);
  return sql`case ${sql.ref(column)} ${sql.join(cases, sql` `)} else ${sql.ref(column)} end`;
};

// ---- schools ----------------------------------------------------------------------------------------

export const orgs: Resource = {
  one: 'org',
  many: 'orgs',
  fields: { ...commonFields, name: 'text', type: 'text' },
  parts: ({ db, client }, { schoolId }) => [
    recordsPart({ db }, 'school', {
      rows: db
        .selectFrom('school')
        .where('school.id', 'in', reachableSchools({ db, client }))
        .$if(schoolId !== undefined, (query) => query.where('school.id', '=', schoolId ?? 0)),
      changed: always,
      columns: { status: literal('active'), name: sql.ref('school.org_name'), type: literal('school') },
    }),
  ],
  shape: ({ name, type }) => ({ name, type }),
};

// ---- people -----------------------------------------------------------------------------------------

/** Family name, as `partsOf` splits it, as far as both engines can; a name with a space is not split. */
const familyOf = (column: string): RawBuilder<string> => {
  const name = sql.ref(column);
  const two = sql.join(doubleFamilyNames.map((one) => sql`${one}`));
  return sql`case when lower(${name}) <> upper(${name}) then ${name}
    when length(${name}) > 2 and substr(${name}, 1, 2) in (${two}) then substr(${name}, 1, 2)
    else substr(${name}, 1, 1) end`;
};
const givenOf = (column: string): RawBuilder<string> => {
  const name = sql.ref(column);
  return sql`case when lower(${name}) <> upper(${name}) or length(${name}) = 1 then ${name}
    else substr(${name}, length(${familyOf(column)}) + 1) end`;
};

const userFields = {
  ...commonFields,
  username: 'text',
  enabledUser: 'text',
  givenName: 'text',
  familyName: 'text',
  identifier: 'text',
  sms: 'text',
  'roles.role': 'text',
  'roles.roleType': 'text',
  'roles.org.sourcedId': 'text',
  'primaryOrg.sourcedId': 'text',
  'metadata.fullName': 'text',
} as const;

function staffPart({ db, client }: RequestContext, { schoolId, theClass, role }: Within): Part {
  const school = idOf('school', 'staff.school_id');
  const inUse = sql<boolean>`staff.disabled_at is null`;
  return recordsPart({ db }, 'staff', {
    rows: db
      .selectFrom('staff')
      .where('staff.school_id', 'in', reachableSchools({ db, client }))
      .where('staff.identity', 'in', role === 'teacher' && !theClass ? ['teacher'] : ['teacher', 'assist'])
      .$if(schoolId !== undefined, (query) => query.where('staff.school_id', '=', schoolId ?? 0))
      .$if(theClass !== undefined, (query) =>
        // Class staff belong to the class itself, not to its courses.
        theClass?.courseId === undefined
          ? query.where(
              'staff.id',
              'in',
              db
                .selectFrom('class_staff')
                .select('class_staff.staff_id')
                .where('class_staff.class_id', '=', theClass?.id ?? 0),
            )
          : query.where(nothing),
      ),
    changed: sql`staff.created_at`,
    columns: {
      status: activeWhere(inUse),
      username: sql.ref('staff.username'),
      enabledUser: booleanText(inUse),
      familyName: familyOf('staff.real_name'),
      givenName: givenOf('staff.real_name'),
      sms: sql.ref('staff.mobile'),
      'roles.role': sql`case staff.identity when 'teacher' then 'teacher' else 'aide' end`,
      'roles.roleType': literal('primary'),
      'roles.org.sourcedId': school,
      'primaryOrg.sourcedId': school,
      'metadata.fullName': sql.ref('staff.real_name'),
    },
  });
}

function studentPart({ db, client }: RequestContext, { schoolId, theClass }: Within): Part {
  const school = idOf('school', 'student.school_id');
  const inUse = sql<boolean>`student.disabled_at is null`;
  return recordsPart({ db }, 'student', {
    rows: db
      .selectFrom('student')
      .where('student.school_id', 'in', reachableSchools({ db, client }))
      .where('student.deleted_at', 'is', null)
      .$if(schoolId !== undefined, (query) => query.where('student.school_id', '=', schoolId ?? 0))
      .$if(theClass !== undefined, (query) =>
        query.where(
          'student.id',
          'in',
          db
            .selectFrom('class_student')
            .select('class_student.student_id')
            .where('class_student.class_id', '=', theClass?.id ?? 0)
            .where('class_student.left_at', 'is', null),
        ),
      ),
    changed: sql`student.created_at`,
    columns: {
      status: activeWhere(inUse),
      username: idOf('student', 'student.id'),
      enabledUser: booleanText(inUse),
      familyName: familyOf('student.nickname'),
      givenName: givenOf('student.nickname'),
      identifier: sql.ref('student.number'),
      sms: sql.ref('student.mobile'),
      'roles.role': literal('student'),
      'roles.roleType': literal('primary'),
      'roles.org.sourcedId': school,
      'primaryOrg.sourcedId': school,
      'metadata.fullName': sql.ref('student.nickname'),
    },
  });
}

export const users: Resource = {
  one: 'user',
  many: 'users',
  fields: userFields,
  parts: (asked, within) => [
    ...(within.role === 'student' ? [] : [staffPart(asked, within)]),
    ...(within.role === 'teacher' ? [] : [studentPart(asked, within)]),
  ],
  shape(row, { links }) {
    const name = String(row['metadata.fullName']);
    const org = links('org', row['primaryOrg.sourcedId']);
    return {
      metadata: { fullName: name },
      ...present({ username: row.username, identifier: row.identifier, sms: row.sms }),
      enabledUser: row.enabledUser,
      ...partsOf(name),
      roles: [{ roleType: row['roles.roleType'], role: row['roles.role'], org }],
      primaryOrg: org,
    };
  },
};

/** Empty: birth dates and sex are not stored. */
export const demographics: Resource = {
  one: 'demographics',
  many: 'demographics',
  fields: { ...commonFields, birthDate: 'day', sex: 'text' },
  parts: () => [],
  shape: () => ({}),
};

// ---- courses and classes ----------------------------------------------------------------------------

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
  parts({ db, client }, { schoolId }): Part[] {
    const reached = reachableSchools({ db, client });
    return [
      recordsPart({ db }, 'course', {
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
          dateLastModified: always,
          title: literal('行政班'),
          courseCode: literal(homeroomCode),
          'org.sourcedId': idOf('school', 'school.id'),
        },
        order: ['school.id'],
        placed: async (id) =>
          id.startsWith(homeroomStart)
            ? isOneOf('school.id', await idsForSourcedId(db, 'school', id.slice(homeroomStart.length)))
            : undefined,
      },
    ];
  },
  shape: (row, { links }) => ({
    title: row.title,
    ...present({ courseCode: row.courseCode, grades: listOf(row.grades), subjects: listOf(row.subjects) }),
    org: links('org', row['org.sourcedId']),
  }),
};

/** Courses of classes; with a class, that course of it. */
const coursesTaken = ({ db, client }: Pick<RequestContext, 'db' | 'client'>, { schoolId, theClass }: Within) =>
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
    const parts: Part[] = [];
    if (courseId === undefined && theClass?.courseId === undefined) {
      parts.push(
        recordsPart({ db }, 'class', {
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
          coursesTaken({ db, client }, { schoolId, theClass })
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
          title: joinedIds(sql.ref('class.name') as never, literal(' '), sql.ref('course.title') as never),
          classType: literal('scheduled'),
          grades: gradeCode('grade.name'),
          subjects: sql.ref('subject.name'),
          'course.sourcedId': idOf('course', 'class_course.course_id'),
          'school.sourcedId': idOf('school', 'class.school_id'),
          'terms.sourcedId': termIdsOf('class.id'),
        },
        order: ['class_course.class_id', 'class_course.course_id'],
        placed: async (id) =>
          isPair(['class_course.class_id', 'class_course.course_id'], await pairsForSourcedId(db, 'class_course', id)),
      });
    }
    return parts;
  },
  shape: (row, { links }) => ({
    title: row.title,
    classType: row.classType,
    ...present({ grades: listOf(row.grades), subjects: listOf(row.subjects) }),
    course: links('course', row['course.sourcedId']),
    school: links('org', row['school.sourcedId']),
    terms: String(row['terms.sourcedId'])
      .split(listSeparator)
      .map((id) => links('academicSession', id)),
  }),
};

// ---- enrolments -------------------------------------------------------------------------------------

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
    const parts: Part[] = [];
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
          sourcedId: joinedIds(
            idOf('class', 'class_staff.class_id'),
            literal('/'),
            idOf('staff', 'class_staff.staff_id'),
            literal('/'),
            sql`class_staff.duty`,
          ),
          status: activeWhere(sql`staff.disabled_at is null and ${isOpen}`),
          dateLastModified: changedAt('class', 'class.id', sql`class.created_at`),
          role: literal('teacher'),
          // The standard allows one primary teacher per class.
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
          for (const [one, other] of splitsAt(both, '/')) {
            const staff = await idsForSourcedId(db, 'staff', other);
            for (const first of await idsForSourcedId(db, 'class', one))
              for (const second of staff) pairs.push([first, second]);
          }
          const place = isPair(['class_staff.class_id', 'class_staff.staff_id'], pairs);
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
          isPair(['class_student.class_id', 'class_student.student_id'], await pairsForSourcedId(db, 'membership', id)),
      });
    }
    if (!theClass || theClass.courseId !== undefined) {
      parts.push({
        rows: rowsOf(
          coursesTaken({ db, client }, { schoolId, theClass })
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
          sourcedId: joinedIds(
            classCourseId('class_course.class_id', 'class_course.course_id'),
            literal('.'),
            idOf('student', 'class_student.student_id'),
          ),
          'class.sourcedId': classCourseId('class_course.class_id', 'class_course.course_id'),
        },
        order: ['class_course.class_id', 'class_course.course_id', 'class_student.student_id'],
        async placed(id) {
          const places = [];
          for (const [taken, student] of splitsAt(id, '.')) {
            const students = isOneOf('class_student.student_id', await idsForSourcedId(db, 'student', student));
            const pairs = isPair(
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
      // Exclusive: the day after the last one.
      ...(typeof endDate === 'number' && { endDate: dayAfter(dayOf(endDate - 1, timezone)) }),
    };
  },
};

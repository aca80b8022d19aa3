/** Users in terms of OneRoster: staff and students, the same as in exported packages. Demographics are empty. */
import { type RawBuilder, sql } from 'kysely';
import { doubleFamilyNames, splitName } from '#server/import/formats/oneroster-names.ts';
import {
  activeWhere,
  booleanText,
  commonFields,
  filledFields,
  idOf,
  literal,
  type ParentFilter,
  type RecordSource,
  type RequestContext,
  type Resource,
  reachableSchools,
  recordSource,
} from './record-source.ts';

const noRows = sql<boolean>`1 = 0`;

/**
 * SQL for the family name, split like `splitName` as far as SQLite and PostgreSQL can; a name with a space is not
 * split.
 */
const familyNameSql = (column: string): RawBuilder<string> => {
  const name = sql.ref(column);
  const two = sql.join(doubleFamilyNames.map((one) => sql`${one}`));
  return sql`case when lower(${name}) <> upper(${name}) then ${name}
    when length(${name}) > 2 and substr(${name}, 1, 2) in (${two}) then substr(${name}, 1, 2)
    else substr(${name}, 1, 1) end`;
};

const givenNameSql = (column: string): RawBuilder<string> => {
  const name = sql.ref(column);
  return sql`case when lower(${name}) <> upper(${name}) or length(${name}) = 1 then ${name}
    else substr(${name}, length(${familyNameSql(column)}) + 1) end`;
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

function staffPart({ db, client }: RequestContext, { schoolId, theClass, role }: ParentFilter): RecordSource {
  const school = idOf('school', 'staff.school_id');
  const inUse = sql<boolean>`staff.disabled_at is null`;
  return recordSource({ db }, 'staff', {
    rows: db
      .selectFrom('staff')
      .where('staff.school_id', 'in', reachableSchools({ db, client }))
      .where('staff.identity', 'in', role === 'teacher' && !theClass ? ['teacher'] : ['teacher', 'assist'])
      .$if(schoolId !== undefined, (query) => query.where('staff.school_id', '=', schoolId ?? 0))
      .$if(theClass !== undefined, (query) =>
        // The staff of a class belong to the class itself, not to the courses that OneRoster treats as classes.
        theClass?.courseId === undefined
          ? query.where(
              'staff.id',
              'in',
              db
                .selectFrom('class_staff')
                .select('class_staff.staff_id')
                .where('class_staff.class_id', '=', theClass?.id ?? 0),
            )
          : query.where(noRows),
      ),
    changed: sql`staff.created_at`,
    columns: {
      status: activeWhere(inUse),
      username: sql.ref('staff.username'),
      enabledUser: booleanText(inUse),
      familyName: familyNameSql('staff.real_name'),
      givenName: givenNameSql('staff.real_name'),
      sms: sql.ref('staff.mobile'),
      'roles.role': sql`case staff.identity when 'teacher' then 'teacher' else 'aide' end`,
      'roles.roleType': literal('primary'),
      'roles.org.sourcedId': school,
      'primaryOrg.sourcedId': school,
      'metadata.fullName': sql.ref('staff.real_name'),
    },
  });
}

function studentPart({ db, client }: RequestContext, { schoolId, theClass }: ParentFilter): RecordSource {
  const school = idOf('school', 'student.school_id');
  const inUse = sql<boolean>`student.disabled_at is null`;
  return recordSource({ db }, 'student', {
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
      familyName: familyNameSql('student.nickname'),
      givenName: givenNameSql('student.nickname'),
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
      ...filledFields({ username: row.username, identifier: row.identifier, sms: row.sms }),
      enabledUser: row.enabledUser,
      ...splitName(name),
      roles: [{ roleType: row['roles.roleType'], role: row['roles.role'], org }],
      primaryOrg: org,
    };
  },
};

/** Always empty, because birth dates and sex are not stored. */
export const demographics: Resource = {
  one: 'demographics',
  many: 'demographics',
  fields: { ...commonFields, birthDate: 'day', sex: 'text' },
  parts: () => [],
  shape: () => ({}),
};

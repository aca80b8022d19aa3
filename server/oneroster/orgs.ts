/** OneRoster orgs: the schools. */
import { sql } from 'kysely';
import { commonFields, fixedTime, literal, type Resource, reachableSchools, recordSource } from './record-source.ts';

export const orgs: Resource = {
  one: 'org',
  many: 'orgs',
  fields: { ...commonFields, name: 'text', type: 'text' },
  parts: ({ db, client }, { schoolId }) => [
    recordSource({ db }, 'school', {
      rows: db
        .selectFrom('school')
        .where('school.id', 'in', reachableSchools({ db, client }))
        .$if(schoolId !== undefined, (query) => query.where('school.id', '=', schoolId ?? 0)),
      changed: fixedTime,
      columns: { status: literal('active'), name: sql.ref('school.org_name'), type: literal('school') },
    }),
  ],
  shape: ({ name, type }) => ({ name, type }),
};

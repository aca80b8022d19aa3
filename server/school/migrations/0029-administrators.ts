/**
 * Administrators: a third identity, with permissions of its own, bound to schools or not. And whoever was given a password
 * has to choose their own.
 */
const columns = ['people', 'teaching', 'exams', 'settings', 'audit']
  .map(
    (permission) =>
      `alter table staff add column can_${permission} integer not null default 0 check (can_${permission} in (0, 1));`,
  )
  .join('\n');

const common = `
${columns}
alter table staff add column every_school integer not null default 0 check (every_school in (0, 1));
alter table staff add column must_change_password integer not null default 0 check (must_change_password in (0, 1));
create index staff_of_school on staff (school_id, identity);

-- The schools of an administrator who does not look after all of them.
create table staff_school (
  staff_id integer not null references staff (id),
  school_id integer not null references school (id),
  primary key (staff_id, school_id)
) $strict;
create index staff_school_school on staff_school (school_id);
`;

/** A check of a column cannot be changed on SQLite: the column is made anew. */
const sqlite = `
alter table staff add column identity_next text not null default 'teacher' check (identity_next in ('teacher', 'assist', 'admin'));
update staff set identity_next = identity;
alter table staff drop column identity;
alter table staff rename column identity_next to identity;
${common}`;

const postgres = `
alter table staff drop constraint staff_identity_check;
alter table staff add constraint staff_identity_check check (identity in ('teacher', 'assist', 'admin'));
${common}`;

export const administrators = { sqlite, postgres };

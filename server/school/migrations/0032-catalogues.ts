/**
 * What a school is made of is put away and comes back (`put_away_at`), rooms have seats and an order, and a knowledge
 * point at the top says which subject it is of. All of it can be deleted where nothing refers to it, and stands in
 * addresses: as 0020 says, SQLite makes the tables anew, so that an id is never given again.
 */
const later = `
alter table community_group add column put_away_at $time;
update knowledge_point set subject_id = (select min(subject.id) from subject where subject.name = knowledge_point.name)
  where parent_id is null;
create index courseware_classify on courseware (classify_id);
create index class_ware_classify on class_ware (classify_id);
`;

/** A table with the columns that it had; `more` are those that come. */
const anew = (table: string, had: string, columns: string) => `
create table ${table}_aside as select * from ${table};
drop table ${table};
create table ${table} (
  id integer primary key autoincrement,
${columns}
) strict;
insert into ${table} (${had}) select ${had} from ${table}_aside;
drop table ${table}_aside;
`;

const named = '  name text not null,\n  sort integer not null default 0';
const putAway = '  put_away_at integer -- null: offered';
const below = (table: string) => `  parent_id integer references ${table} (id),\n${named}`;

const sqlite = `
pragma defer_foreign_keys = on;
${anew('school', 'id, org_name', `  org_name text not null,\n${putAway}`)}
${['grade', 'subject', 'ware_classify'].map((table) => anew(table, 'id, name, sort', `${named},\n${putAway}`)).join('')}
${['classify', 'exam_category'].map((table) => anew(table, 'id, parent_id, name, sort', `${below(table)},\n${putAway}`)).join('')}
${anew(
  'room',
  'id, school_id, name',
  `  school_id integer not null references school (id),
${named},
  seats integer not null default 0, -- 0: not known
${putAway}`,
)}
${anew(
  'knowledge_point',
  'id, parent_id, name, sort',
  `${below('knowledge_point')},
  subject_id integer references subject (id) -- of one at the top; those below are of the same`,
)}
create index knowledge_point_parent on knowledge_point (parent_id, sort);
${later}`;

const postgres = `
${['school', 'grade', 'subject', 'ware_classify', 'classify', 'exam_category', 'room']
  .map((table) => `alter table ${table} add column put_away_at $time;`)
  .join('\n')}
alter table room add column sort integer not null default 0;
alter table room add column seats integer not null default 0;
alter table knowledge_point add column subject_id integer references subject (id);
${later}`;

export const catalogues = { sqlite, postgres };

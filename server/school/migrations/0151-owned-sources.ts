/**
 * Gives each source of imports an owner: '' for all who look after every school, one administrator of some schools, or
 * a school for what the product writes itself.
 */
const owners = `
update import_source set owner = (
  select 'school ' || school.id from school
    where import_source.name in ('课表（学校' || school.id || '）', '学期更替（学校' || school.id || '）'))
  where exists (select 1 from school
    where import_source.name in ('课表（学校' || school.id || '）', '学期更替（学校' || school.id || '）'));

update import_source set owner = (
  select 'staff ' || min(import.staff_id) from import where import.source_id = import_source.id)
  where owner = ''
    and exists (select 1 from import where import.source_id = import_source.id)
    and not exists (select 1 from import left join staff on staff.id = import.staff_id
      where import.source_id = import_source.id and (staff.id is null or staff.every_school = 1))
    and (select count(distinct import.staff_id) from import where import.source_id = import_source.id) = 1;

create unique index import_source_name on import_source (name, owner);
`;

export const ownedSources = {
  sqlite: `
pragma defer_foreign_keys = on;
create table import_source_aside as select * from import_source;
drop table import_source;
create table import_source (
  id integer primary key autoincrement,
  name text not null,
  created_at integer not null,
  mapping text not null default '', -- JSON: which head is which column
  owner text not null default ''
) strict;
insert into import_source (id, name, created_at, mapping) select id, name, created_at, mapping from import_source_aside;
drop table import_source_aside;
${owners}`,
  postgres: `
alter table import_source drop constraint import_source_name_key;
alter table import_source add column owner text not null default '';
${owners}`,
};

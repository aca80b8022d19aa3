/**
 * On PostgreSQL reports, their answers and drafts are in a table for each school year, too: reports by their homework, whose
 * ids begin anew with each year, answers and drafts by their report. A report has an id of its homework's year
 * (`next_report_id`), which the table holds it to. So those of a homework are in one table with all that hangs on them,
 * an answer refers to its report there, and no id is given twice. SQLite stays as it is.
 */
const postgres = `
-- What is below the first year that was ever begun anew is of one table with that: all ids that were given before.
create function next_report_id(homework bigint) returns bigint language sql as $$
  select case when homework < first_id_of_year(2027) then 0 else homework / 1000000000 * 1000000000 end
    + nextval(pg_get_serial_sequence('report', 'id'))
$$;

-- The last part of the id of a report, which all years count together.
create function count_of_report_id(id bigint) returns bigint language sql immutable as $$
  select case when id < 7000000000 then id else id % 1000000000 end
$$;

-- What refers to a report does so within its year's tables.
create function bind_reports_of(part text) returns void language plpgsql as $$
begin
  execute format('alter table %I add constraint %I unique (id)', 'report_' || part, 'report_' || part || '_id');
  execute format('alter table %I add foreign key (report_id) references %I (id)', 'answer_' || part, 'report_' || part);
  execute format('alter table %I add foreign key (report_id) references %I (id)', 'answer_draft_' || part, 'report_' || part);
end $$;

-- Puts a table into one for each year: with its rows, checks, indexes, references and triggers.
create function pg_temp.put_into_years(whole text, key text, primary_key text) returns void language plpgsql as $$
declare
  next text := whole || '_next';
  old oid := quote_ident(whole)::regclass;
  afterwards text[] := '{}';
  present integer := school_year_of(extract(epoch from now())::bigint);
  has_ids boolean;
  one record;
begin
  has_ids := exists (select 1 from pg_attribute where attrelid = old and attname = 'id' and attidentity <> '');
  for one in select conname, contype, pg_get_constraintdef(oid) as defined from pg_constraint
      where conrelid = old and contype in ('p', 'u', 'f') order by contype desc loop
    if one.contype = 'p' then
      one.defined := primary_key;
    end if;
    if one.contype <> 'u' or replace(lower(one.defined), 'unique', 'primary key') <> primary_key then
      afterwards := afterwards || format('alter table %I add constraint %I %s', whole, one.conname, one.defined);
    end if;
  end loop;
  for one in select pg_get_indexdef(i.indexrelid) as defined from pg_index i
      where i.indrelid = old and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid) loop
    afterwards := afterwards || one.defined;
  end loop;
  for one in select pg_get_triggerdef(oid) as defined from pg_trigger where tgrelid = old and not tgisinternal loop
    afterwards := afterwards || one.defined;
  end loop;
  execute format('create table %I (like %I including defaults including constraints%s) partition by range (%I)',
    next, whole, case when has_ids then ' including identity' else '' end, key);
  execute format('create table %I partition of %I default', whole || '_rest', next);
  -- All that there is until now is of the present year, as its ids are.
  for year in present .. present + 1 loop
    execute format('create table %I partition of %I for values from (%s) to (%s)', whole || '_' || year, next,
      case when year = present then 'minvalue' else first_id_of_year(year)::text end, first_id_of_year(year + 1));
  end loop;
  execute format('insert into %I select * from %I', next, whole);
  execute format('drop table %I cascade', whole);
  execute format('alter table %I rename to %I', next, whole);
  if has_ids then
    execute format('select setval(pg_get_serial_sequence(%L, ''id''), coalesce((select max(id) from %I), 0) + 1, false)',
      whole, whole);
  end if;
  foreach next in array afterwards loop
    execute next;
  end loop;
end $$;

alter table report add constraint report_is_of_homework_year
  check (greatest(id / 1000000000, 6) = greatest(homework_id / 1000000000, 6));
select pg_temp.put_into_years('report', 'homework_id', 'primary key (homework_id, student_id)');
select pg_temp.put_into_years('answer', 'report_id', 'primary key (id, report_id)');
select pg_temp.put_into_years('answer_draft', 'report_id', 'primary key (report_id)');
select bind_reports_of(substr(inhrelid::regclass::text, length('report_') + 1))
  from pg_inherits where inhparent = 'report'::regclass;

-- Makes the tables of a year, unless they are there, and answers whether it did; what came too early moves in.
create function add_reports_of_year(year integer) returns boolean language plpgsql as $$
declare
  low bigint := first_id_of_year(year);
  high bigint := first_id_of_year(year + 1);
  one record;
begin
  if to_regclass('report_' || year) is not null then
    return false;
  end if;
  lock table report_rest, answer_rest, answer_draft_rest in access exclusive mode;
  -- Filled and emptied in such an order that what refers to a report is never there without it.
  for one in select * from (values (1, 'answer', 'report_id'), (2, 'answer_draft', 'report_id'), (3, 'report', 'homework_id'))
      as parts (place, whole, key) order by place loop
    execute format('create table %I (like %I including defaults including constraints)', one.whole || '_' || year, one.whole);
    execute format('insert into %I select * from %I where %I >= %s and %I < %s', one.whole || '_' || year,
      one.whole || '_rest', one.key, low, one.key, high);
    execute format('delete from %I where %I >= %s and %I < %s', one.whole || '_rest', one.key, low, one.key, high);
  end loop;
  for one in select * from (values ('report'), ('answer'), ('answer_draft')) as parts (whole) loop
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', one.whole, one.whole || '_' || year, low, high);
  end loop;
  perform bind_reports_of(year::text);
  return true;
end $$;

create or replace function add_school_year(year integer) returns boolean language plpgsql as $$
declare
  made boolean;
begin
  made := add_part_of_year('history', 'at', year, school_year_start(year)::text, school_year_start(year + 1)::text);
  made := add_part_of_year('attendance', 'period_id', year, first_id_of_year(year)::text, first_id_of_year(year + 1)::text) or made;
  made := add_part_of_year('study_record', 'period_id', year, first_id_of_year(year)::text, first_id_of_year(year + 1)::text) or made;
  return add_reports_of_year(year) or made;
end $$;
`;

export const reportsInYears = { sqlite: '', postgres };

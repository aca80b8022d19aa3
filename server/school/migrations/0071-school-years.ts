/**
 * On PostgreSQL history, attendance and what was watched are in a table for each school year, of which a query reads those
 * that it asks for. History by its time; attendance and what was watched by their period, whose ids begin anew with each
 * year (`first_id_of_year`), so that whatever names a period finds its year, and no row needs a column for it. A row of
 * no year that was made is taken all the same, and moves to its year when that is made. SQLite has one file and one
 * writer: it stays as it is.
 */
const postgres = `
-- Midnight in China: elsewhere a year begins some hours earlier or later than for people, which nobody sees.
create function school_year_start(year integer) returns bigint language sql stable as $$
  select extract(epoch from make_timestamptz(year, 9, 1, 0, 0, 0, 'Asia/Shanghai'))::bigint
$$;
create function first_id_of_year(year integer) returns bigint language sql immutable as $$
  select (year - 2020)::bigint * 1000000000
$$;
create function school_year_of(moment bigint) returns integer language sql stable as $$
  select (extract(year from to_timestamp(moment) at time zone 'Asia/Shanghai')
    - case when extract(month from to_timestamp(moment) at time zone 'Asia/Shanghai') < 9 then 1 else 0 end)::integer
$$;

-- Makes the table of a year, unless it is there, and answers whether it did; what came too early moves in.
create function add_part_of_year(whole text, key text, year integer, low text, high text) returns boolean language plpgsql as $$
declare
  part text := whole || '_' || year;
  rest text := whole || '_rest';
  has_some boolean;
begin
  if to_regclass(quote_ident(part)) is not null then
    return false;
  end if;
  execute format('create table %I (like %I including defaults including constraints)', part, whole);
  execute format('select exists (select 1 from %I where %I >= %s and %I < %s)', rest,
    key, low, key, high) into has_some;
  if has_some then
    execute format('alter table %I detach partition %I', whole, rest);
    execute format('insert into %I select * from %I where %I >= %s and %I < %s', part, rest,
      key, low, key, high);
    execute format('delete from %I where %I >= %s and %I < %s', rest, key, low, key, high);
  end if;
  execute format('alter table %I attach partition %I for values from (%s) to (%s)', whole, part, low, high);
  if has_some then
    execute format('alter table %I attach partition %I default', whole, rest);
  end if;
  return true;
end $$;

create function add_school_year(year integer) returns boolean language plpgsql as $$
declare
  made boolean;
begin
  made := add_part_of_year('history', 'at', year, school_year_start(year)::text, school_year_start(year + 1)::text);
  made := add_part_of_year('attendance', 'period_id', year, first_id_of_year(year)::text, first_id_of_year(year + 1)::text) or made;
  return add_part_of_year('study_record', 'period_id', year, first_id_of_year(year)::text, first_id_of_year(year + 1)::text) or made;
end $$;

-- From now on ids of a table are those of a year by which others are told apart, unless it is the first: that has all below.
create function begin_ids_of_year(named text, whole text, year integer) returns boolean language plpgsql as $$
declare
  ids text := pg_get_serial_sequence(named, 'id');
begin
  if coalesce(pg_sequence_last_value(ids), 0) >= first_id_of_year(year) or exists (
    select 1 from pg_class where oid = to_regclass(quote_ident(whole || '_' || year))
      and pg_get_expr(relpartbound, oid) like '%MINVALUE%'
  ) then
    return false;
  end if;
  perform setval(ids, first_id_of_year(year), false);
  return true;
end $$;

-- Puts a table into one for each year: with its rows, checks, indexes, references and triggers; what referred to it no longer does.
create function put_into_years(whole text, key text) returns void language plpgsql as $$
declare
  next text := whole || '_next';
  old oid := quote_ident(whole)::regclass;
  afterwards text[] := '{}';
  present integer := school_year_of(extract(epoch from now())::bigint);
  first integer := present;
  low text;
  has_ids boolean;
  one record;
begin
  has_ids := exists (select 1 from pg_attribute where attrelid = old and attname = 'id' and attidentity <> '');
  for one in select conname, contype, pg_get_constraintdef(oid) as defined, conkey from pg_constraint
      where conrelid = old and contype in ('p', 'u', 'f') order by contype desc loop
    if one.contype = 'p' and has_ids then
      one.defined := format('primary key (id, %I)', key);
    end if;
    afterwards := afterwards || format('alter table %I add constraint %I %s', whole, one.conname, one.defined);
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
  if key = 'at' then
    execute format('select greatest(least(school_year_of(min(at)), $1), $1 - 20) from %I', whole) into first using present;
  end if;
  -- All that was taught until now is of the present year, as the ids of its periods are.
  for year in coalesce(first, present) .. present + 1 loop
    low := case when key = 'at' then school_year_start(year)::text
      when year = present then 'minvalue' else first_id_of_year(year)::text end;
    execute format('create table %I partition of %I for values from (%s) to (%s)', whole || '_' || year, next, low,
      case when key = 'at' then school_year_start(year + 1) else first_id_of_year(year + 1) end);
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

select put_into_years('history', 'at');
select put_into_years('attendance', 'period_id');
select put_into_years('study_record', 'period_id');
drop function put_into_years(text, text);

-- What references did, where a table of years has no unique id that could be referred to.
create or replace function refuse_rewriting_history() returns trigger language plpgsql as $$
begin
  -- A trigger of a table of a year is called by that table's name.
  if tg_table_name <> 'erased_history' and tg_op = 'UPDATE' then
    if to_jsonb(new) = to_jsonb(old) || '{"before": null, "after": null}'
      and exists (select 1 from erased_history where erased_history.history_id = old.id) then
      return new;
    end if;
  end if;
  raise exception 'history is append-only';
end $$;
create or replace function empty_erased_history() returns trigger language plpgsql as $$
begin
  update history set before = null, after = null where id = new.history_id;
  if not found then
    raise foreign_key_violation using message = 'there is no such row of history';
  end if;
  return null;
end $$;
create function forget_decided_leave() returns trigger language plpgsql as $$
begin
  delete from leave_batch_record where attendance_id = old.id;
  return old;
end $$;
create trigger attendance_forgotten after delete on attendance
  for each row execute function forget_decided_leave();
create index leave_batch_record_attendance on leave_batch_record (attendance_id);
`;

export const schoolYears = { sqlite: '', postgres };

/**
 * Students who are erased: since when, whose history lost its content, under which ids no import brings them back, and
 * which files are still to be thrown away. History is emptied by one door alone: a row of `erased_history`, which says of
 * which row, about whom, by whom and when, and which stays for ever.
 */
const tables = `
alter table student add column erased_at $time; -- null: not erased; of an erased one id, number and school are left

create table erased_history (
  history_id integer primary key references history (id),
  student_id integer not null references student (id),
  staff_id integer references staff (id), -- null: at the command line
  at $time not null
) $strict;

create table erased_source (
  source_id integer not null references import_source (id),
  mark text not null, -- a hash of the source's id
  student_id integer not null references student (id),
  primary key (source_id, mark)
) $strict;

create table erased_file (
  storage_key text primary key,
  at $time not null
) $strict;
`;

export const erasedStudents = {
  sqlite: `
${tables}
drop trigger history_no_update;
create trigger history_no_update before update on history
when not (new.before is null and new.after is null
  and new.id is old.id and new.at is old.at and new.staff_id is old.staff_id
  and new.record is old.record and new.record_id is old.record_id and new.action is old.action
  and exists (select 1 from erased_history where erased_history.history_id = old.id)) begin
  select raise(abort, 'history is append-only');
end;
create trigger erased_history_empties after insert on erased_history begin
  update history set before = null, after = null where id = new.history_id;
end;
create trigger erased_history_no_update before update on erased_history begin select raise(abort, 'history is append-only'); end;
create trigger erased_history_no_delete before delete on erased_history begin select raise(abort, 'history is append-only'); end;
`,
  postgres: `
${tables}
create or replace function refuse_rewriting_history() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'history' and tg_op = 'UPDATE' then
    if to_jsonb(new) = to_jsonb(old) || '{"before": null, "after": null}'
      and exists (select 1 from erased_history where erased_history.history_id = old.id) then
      return new;
    end if;
  end if;
  raise exception 'history is append-only';
end $$;
create function empty_erased_history() returns trigger language plpgsql as $$
begin
  update history set before = null, after = null where id = new.history_id;
  return null;
end $$;
create trigger erased_history_empties after insert on erased_history
  for each row execute function empty_erased_history();
create trigger erased_history_append_only before update or delete on erased_history
  for each row execute function refuse_rewriting_history();
`,
};

-- Parts of version 1.0.0 that only PostgreSQL has: partitions by school year, functions, triggers, question search.

-- ---- School years
-- History, attendance, watched seconds, reports, answers and drafts are partitioned by school year: history by time, the
-- others by the id of their period, homework or report, whose ids start a new range each year. A row without a partition
-- of its year goes to `_rest` and moves once that partition is created.

-- A school year starts at midnight in China. Elsewhere it starts some hours off, which nobody notices.
create function school_year_start(year integer) returns bigint language sql stable as $$
  select extract(epoch from make_timestamptz(year, 9, 1, 0, 0, 0, 'Asia/Shanghai'))::bigint
$$;
create function school_year_of(moment bigint) returns integer language sql stable as $$
  select (extract(year from to_timestamp(moment) at time zone 'Asia/Shanghai')
    - case when extract(month from to_timestamp(moment) at time zone 'Asia/Shanghai') < 9 then 1 else 0 end)::integer
$$;
create function first_id_of_year(year integer) returns bigint language sql immutable as $$
  select (year - 2020)::bigint * 1000000000
$$;

-- Creates the partition of a year if it is missing, and returns whether it did; moves rows of that year out of `_rest`.
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

-- Foreign keys to a report stay within the year's partitions.
create function bind_reports_of(part text) returns void language plpgsql as $$
begin
  execute format('alter table %I add constraint %I unique (id)', 'report_' || part, 'report_' || part || '_id');
  execute format('alter table %I add foreign key (report_id) references %I (id)', 'answer_' || part, 'report_' || part);
  execute format('alter table %I add foreign key (report_id) references %I (id)', 'answer_draft_' || part, 'report_' || part);
end $$;

-- Does the same for reports and their dependent tables.
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

-- Creates all partitions of a year, and returns whether any was missing.
create function add_school_year(year integer) returns boolean language plpgsql as $$
declare
  made boolean;
begin
  made := add_part_of_year('history', 'at', year, school_year_start(year)::text, school_year_start(year + 1)::text);
  made := add_part_of_year('attendance', 'period_id', year, first_id_of_year(year)::text, first_id_of_year(year + 1)::text) or made;
  made := add_part_of_year('study_record', 'period_id', year, first_id_of_year(year)::text, first_id_of_year(year + 1)::text) or made;
  return add_reports_of_year(year) or made;
end $$;

-- Starts a table's id range of a year; the first year has all lower ids.
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

-- Returns the next report id: unique, and within the year of its homework.
create function next_report_id(homework bigint) returns bigint language sql as $$
  select case when homework < first_id_of_year(2027) then 0 else homework / 1000000000 * 1000000000 end
    + nextval(pg_get_serial_sequence('report', 'id'))
$$;

-- The part of a report id that counts over all years.
create function count_of_report_id(id bigint) returns bigint language sql immutable as $$
  select case when id < 7000000000 then id else id % 1000000000 end
$$;

-- The first year's partitions hold all lower ids.
do $$
declare
  present integer := school_year_of(extract(epoch from now())::bigint);
  whole text;
begin
  foreach whole in array array['history', 'attendance', 'study_record', 'report', 'answer', 'answer_draft'] loop
    execute format('create table %I partition of %I default', whole || '_rest', whole);
    execute format('create table %I partition of %I for values from (%s) to (%s)', whole || '_' || present, whole,
      case when whole = 'history' then school_year_start(present)::text else 'minvalue' end,
      case when whole = 'history' then school_year_start(present + 1) else first_id_of_year(present + 1) end);
  end loop;
  perform bind_reports_of('rest');
  perform bind_reports_of(present::text);
  perform add_school_year(present + 1);
end $$;

-- ---- Append-only
-- Only rows listed in erased_history may lose their content.
create function refuse_rewriting_history() returns trigger language plpgsql as $$
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
create trigger history_append_only before update or delete on history
  for each row execute function refuse_rewriting_history();
create trigger erased_history_append_only before update or delete on erased_history
  for each row execute function refuse_rewriting_history();
create trigger question_correction_append_only before update or delete on question_correction
  for each row execute function refuse_rewriting_history();

-- Replaces a foreign key, since a partitioned table has no unique id that one could refer to.
create function empty_erased_history() returns trigger language plpgsql as $$
begin
  update history set before = null, after = null where id = new.history_id;
  if not found then
    raise foreign_key_violation using message = 'there is no such row of history';
  end if;
  return null;
end $$;
create trigger erased_history_empties after insert on erased_history
  for each row execute function empty_erased_history();

-- The same for attendance.
create function forget_decided_leave() returns trigger language plpgsql as $$
begin
  delete from leave_batch_record where attendance_id = old.id;
  return old;
end $$;
create trigger attendance_forgotten after delete on attendance
  for each row execute function forget_decided_leave();

-- ---- The school of a row
-- Set by triggers, so that no statement can forget it. History of deleted records uses the school of the person who
-- changed them.
create function report_school() returns trigger language plpgsql as $$
begin
  new.school_id := (select school_id from class where class.id = new.class_id);
  return new;
end $$;
create trigger report_school before insert on report
  for each row when (new.school_id is null) execute function report_school();

create function answer_school() returns trigger language plpgsql as $$
begin
  new.school_id := (select school_id from report where report.id = new.report_id);
  return new;
end $$;
create trigger answer_school before insert on answer
  for each row when (new.school_id is null) execute function answer_school();

create function answer_draft_school() returns trigger language plpgsql as $$
begin
  new.school_id := (select school_id from report where report.id = new.report_id);
  return new;
end $$;
create trigger answer_draft_school before insert on answer_draft
  for each row when (new.school_id is null) execute function answer_draft_school();

create function exam_answer_school() returns trigger language plpgsql as $$
begin
  new.school_id := (select school_id from exam_report where exam_report.id = new.report_id);
  return new;
end $$;
create trigger exam_answer_school before insert on exam_answer
  for each row when (new.school_id is null) execute function exam_answer_school();

create function exam_attempt_school() returns trigger language plpgsql as $$
begin
  new.school_id := (select school_id from student where student.id = new.student_id);
  return new;
end $$;
create trigger exam_attempt_school before insert on exam_attempt
  for each row when (new.school_id is null) execute function exam_attempt_school();

create function attendance_school() returns trigger language plpgsql as $$
begin
  new.school_id := (select school_id from class where class.id = new.class_id);
  return new;
end $$;
create trigger attendance_school before insert on attendance
  for each row when (new.school_id is null) execute function attendance_school();

create function study_record_school() returns trigger language plpgsql as $$
begin
  new.school_id := (select school_id from student where student.id = new.student_id);
  return new;
end $$;
create trigger study_record_school before insert on study_record
  for each row when (new.school_id is null) execute function study_record_school();

create function session_student_school() returns trigger language plpgsql as $$
begin
  new.school_id := (select school_id from class join class_session on class_session.class_id = class.id where class_session.id = new.session_id);
  return new;
end $$;
create trigger session_student_school before insert on session_student
  for each row when (new.school_id is null) execute function session_student_school();

create function class_meeting_attendance_school() returns trigger language plpgsql as $$
begin
  new.school_id := (select school_id from class join class_meeting on class_meeting.class_id = class.id where class_meeting.id = new.meeting_id);
  return new;
end $$;
create trigger class_meeting_attendance_school before insert on class_meeting_attendance
  for each row when (new.school_id is null) execute function class_meeting_attendance_school();

create function notice_read_school() returns trigger language plpgsql as $$
begin
  new.school_id := (select school_id from class join class_notice on class_notice.class_id = class.id where class_notice.id = new.notice_id);
  return new;
end $$;
create trigger notice_read_school before insert on notice_read
  for each row when (new.school_id is null) execute function notice_read_school();

create function history_school() returns trigger language plpgsql as $$
begin
  case new.record
    when 'school' then new.school_id := (select id from school where id = new.record_id);
    when 'staff' then new.school_id := (select school_id from staff where id = new.record_id);
    when 'student' then new.school_id := (select school_id from student where id = new.record_id);
    when 'class' then new.school_id := (select school_id from class where id = new.record_id);
    when 'large_class' then new.school_id := (select school_id from large_class where id = new.record_id);
    when 'course' then new.school_id := (select school_id from course where id = new.record_id);
    when 'room' then new.school_id := (select school_id from room where id = new.record_id);
    when 'exam' then new.school_id := (select school_id from exam where id = new.record_id);
    when 'exam_report' then new.school_id := (select school_id from exam_report where id = new.record_id);
    when 'community_group' then new.school_id := (select school_id from community_group where id = new.record_id);
    when 'courseware' then new.school_id := (select school_id from courseware where id = new.record_id);
    when 'report' then new.school_id := (select school_id from report where id = new.record_id);
    when 'answer' then new.school_id := (select school_id from answer where id = new.record_id);
    when 'exam_answer' then new.school_id := (select school_id from exam_answer where id = new.record_id);
    when 'attendance' then new.school_id := (select school_id from attendance where id = new.record_id);
    when 'session_student' then new.school_id := (select school_id from session_student where id = new.record_id);
    when 'class_student' then new.school_id := (select school_id from class where id = (select class_id from class_student where id = new.record_id));
    when 'class_group' then new.school_id := (select school_id from class where id = (select class_id from class_group where id = new.record_id));
    when 'class_session' then new.school_id := (select school_id from class where id = (select class_id from class_session where id = new.record_id));
    when 'class_notice' then new.school_id := (select school_id from class where id = (select class_id from class_notice where id = new.record_id));
    when 'class_meeting' then new.school_id := (select school_id from class where id = (select class_id from class_meeting where id = new.record_id));
    when 'class_ware' then new.school_id := (select school_id from class where id = (select class_id from class_ware where id = new.record_id));
    when 'course_chapter' then new.school_id := (select school_id from course where id = (select course_id from course_chapter where id = new.record_id));
    when 'period' then new.school_id := (select school_id from course where id = (select course_id from period where id = new.record_id));
    when 'homework' then new.school_id := (select school_id from course where id = (select course_id from homework where id = new.record_id));
    when 'community_post' then new.school_id := (select school_id from community_group where id = (select group_id from community_post where id = new.record_id));
    when 'community_comment' then new.school_id := (select school_id from community_group where id = (select group_id from community_post where id = (select post_id from community_comment where id = new.record_id)));
    else return new;
  end case;
  if new.school_id is null then
    new.school_id := (select school_id from staff where id = new.staff_id);
  end if;
  return new;
end $$;
create trigger history_school before insert on history
  for each row when (new.school_id is null) execute function history_school();

-- ---- Names
-- Pinyin readings of characters; filled by 0001-baseline.ts.
create table pinyin_reading (character text primary key, readings text not null);
create function name_pinyin(name text) returns text language sql stable as $$
  select coalesce(string_agg(coalesce(pinyin_reading.readings, replace(one, ' ', '_')), ' ' order by place), '')
  from unnest(string_to_array(lower(name), null)) with ordinality as characters (one, place)
  left join pinyin_reading on pinyin_reading.character = one
$$;
create function keep_name_pinyin() returns trigger language plpgsql as $$
begin
  new.pinyin := name_pinyin(to_jsonb(new) ->> tg_argv[0]);
  return new;
end $$;
create trigger student_pinyin before insert or update of nickname on student
  for each row execute function keep_name_pinyin('nickname');
create trigger class_pinyin before insert or update of name on class
  for each row execute function keep_name_pinyin('name');
create trigger course_pinyin before insert or update of title on course
  for each row execute function keep_name_pinyin('title');
create trigger homework_pinyin before insert or update of name on homework
  for each row execute function keep_name_pinyin('name');
create trigger exam_pinyin before insert or update of name on exam
  for each row execute function keep_name_pinyin('name');

-- Normal form of names for comparison: ignores spaces, full-width forms and case.
create function plain_name(name text) returns text language sql immutable parallel safe as $$
  select lower(
    case
      when name ~ '[^!-~一-鿿]'
        then regexp_replace(normalize(name, NFKC), '[\s\u00ad\u200b-\u200f\u2060\ufeff]+', '', 'g')
      else name
    end
  )
$$;

-- ---- Question search
-- A narrow table with an inverted (GIN) index of characters, bigrams and filter values. `place` sorts a bank by the time of
-- the last edit: seconds, then the id in the lower 30 bits.
create table question_search (
  question_id integer primary key,
  place bigint not null,
  owner_id integer not null,
  is_public integer not null,
  ques_type integer not null,
  facility_value integer not null,
  point_id integer,
  stem text not null,
  remark text not null
);

-- Prefixes each character and each bigram of a text with a mark.
create function search_grams(mark text, written text) returns text[] language plpgsql immutable parallel safe as $$
declare
  characters text[] := string_to_array(written, null);
  grams text[] := '{}';
begin
  for at in 1 .. cardinality(characters) loop
    grams := grams || (mark || characters[at]);
    if at < cardinality(characters) then
      grams := grams || (mark || characters[at] || characters[at + 1]);
    end if;
  end loop;
  return grams;
end $$;

create function question_grams(
  owner_id integer, is_public integer, ques_type integer, facility_value integer, stem text, remark text
) returns text[] language plpgsql immutable parallel safe as $$
begin
  return search_grams('x', stem) || search_grams('y', remark)
    || array['O' || owner_id, 'K' || ques_type, 'L' || facility_value,
      case when is_public = 1 then 'S' else 'O' end, case when ques_type = 7 then 'K' else 'N' end];
end $$;
-- Called by the index with an empty search_path, as pg_restore does.
do $$
begin
  execute replace(pg_get_functiondef('question_grams'::regproc), ' search_grams(', format(' %I.search_grams(', current_schema()));
end $$;

create index question_search_grams on question_search using gin ((question_grams(owner_id, is_public, ques_type, facility_value, stem, remark)))
  with (fastupdate = off);
create index question_search_owner on question_search (owner_id, place);
create index question_search_public on question_search (place) where is_public = 1;

create function index_questions() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from question_search using gone where question_search.question_id = gone.id;
    update question_bank set questions = question_bank.questions - change.questions, version = version + 1
    from (
      select owner_id as bank, count(*) as questions from gone where parent_id is null group by owner_id
      union all
      select 0, count(*) from gone where parent_id is null and is_public = 1
    ) as change
    where question_bank.bank = change.bank and change.questions > 0;
  end if;
  if tg_op <> 'DELETE' then
    insert into question_bank (bank, questions)
      select distinct owner_id, 0 from added where parent_id is null order by owner_id on conflict do nothing;
    update question_bank set questions = question_bank.questions + change.questions, version = version + 1
    from (
      select owner_id as bank, count(*) as questions from added where parent_id is null group by owner_id
      union all
      select 0, count(*) from added where parent_id is null and is_public = 1
    ) as change
    where question_bank.bank = change.bank and change.questions > 0;
    insert into question_search
      (question_id, place, owner_id, is_public, ques_type, facility_value, point_id, stem, remark)
    select id, (updated_at::bigint << 30) | id, owner_id, is_public, ques_type, facility_value, point_id,
      folded_text(stem_text), folded_text(remark)
    from added
    where parent_id is null;
  end if;
  return null;
end $$;
create trigger question_search_insert after insert on question
  referencing new table as added for each statement execute function index_questions();
create trigger question_search_update after update on question
  referencing old table as gone new table as added for each statement execute function index_questions();
create trigger question_search_delete after delete on question
  referencing old table as gone for each statement execute function index_questions();

-- The n-grams to search for a text.
create function wanted_grams(mark text, part text) returns text[] language sql immutable as $$
  select coalesce(array_agg(gram), '{}') from unnest(search_grams(mark, part)) as gram
  where length(gram) = 1 + least(length(part), 2)
$$;

-- What the planner knows of grams would make it read the table whole.
create function count_questions(
  facts text[], points integer[], stem_part text, remark_part text
) returns bigint
language plpgsql stable set enable_seqscan = off set enable_indexscan = off set jit = off set work_mem = '32MB' as $$
declare
  wanted text[] := facts || wanted_grams('x', stem_part) || wanted_grams('y', remark_part);
begin
  -- Answered by the index alone.
  if points is null and length(stem_part) <= 2 and length(remark_part) <= 2 then
    return (select count(*) from question_search where question_grams(owner_id, is_public, ques_type, facility_value, stem, remark) @> wanted);
  end if;
  return (select count(*) from question_search
      where question_grams(owner_id, is_public, ques_type, facility_value, stem, remark) @> wanted and (points is null or point_id = any (points))
        and strpos(stem, stem_part) > 0 and strpos(remark, remark_part) > 0);
end $$;

create function search_questions(
  facts text[], points integer[], stem_part text, remark_part text, is_newest boolean, most integer, skipped integer
) returns setof integer
language plpgsql stable set enable_seqscan = off set enable_indexscan = off set jit = off set work_mem = '32MB' as $$
declare
  wanted text[] := facts || wanted_grams('x', stem_part) || wanted_grams('y', remark_part);
begin
  if is_newest then
    return query select question_id from question_search
      where question_grams(owner_id, is_public, ques_type, facility_value, stem, remark) @> wanted and (points is null or point_id = any (points))
        and strpos(stem, stem_part) > 0 and strpos(remark, remark_part) > 0 order by place desc limit most offset skipped;
  else
    return query select question_id from question_search
      where question_grams(owner_id, is_public, ques_type, facility_value, stem, remark) @> wanted and (points is null or point_id = any (points))
        and strpos(stem, stem_part) > 0 and strpos(remark, remark_part) > 0 order by place limit most offset skipped;
  end if;
end $$;

-- Number of questions per knowledge point. Updated in the order of points, so that two writers cannot deadlock.
create function count_questions_of_points() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into question_count (point_id, questions)
      select point_id, sum(change) from (select point_id, 1 as change from added) as changes
      where point_id is not null group by point_id having sum(change) <> 0 order by point_id
    on conflict (point_id) do update set questions = question_count.questions + excluded.questions;
  elsif tg_op = 'DELETE' then
    insert into question_count (point_id, questions)
      select point_id, sum(change) from (select point_id, -1 as change from gone) as changes
      where point_id is not null group by point_id having sum(change) <> 0 order by point_id
    on conflict (point_id) do update set questions = question_count.questions + excluded.questions;
  else
    insert into question_count (point_id, questions)
      select point_id, sum(change) from (select point_id, -1 as change from gone union all select point_id, 1 as change from added) as changes
      where point_id is not null group by point_id having sum(change) <> 0 order by point_id
    on conflict (point_id) do update set questions = question_count.questions + excluded.questions;
  end if;
  return null;
end $$;
create trigger question_count_insert after insert on question
  referencing new table as added for each statement execute function count_questions_of_points();
create trigger question_count_update after update on question
  referencing old table as gone new table as added for each statement execute function count_questions_of_points();
create trigger question_count_delete after delete on question
  referencing old table as gone for each statement execute function count_questions_of_points();

insert into question_bank (bank, questions) values (0, 0);
insert into setting (name, value) values ('installation', left(replace(gen_random_uuid()::text, '-', ''), 24));

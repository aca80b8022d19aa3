/**
 * Finds questions by what their stem or remark contains, in a bank of a million too, and counts them (decision 083).
 * Both engines index the same: every two characters that follow each other, every character, and what lists are
 * filtered by. Triggers keep it, whoever writes a question. Parts of a material question are not searched.
 *
 * `place` orders a bank by when its questions were edited: seconds, then the id in the lower 30 bits.
 */
const banks = `
-- How many questions an owner has, and, as bank 0, everybody; and how often one of them was written.
create table question_bank (
  bank integer primary key,
  questions integer not null,
  version $sum not null default 0
) $strict;
insert into question_bank (bank, questions)
  select owner_id, count(*) from question where parent_id is null group by owner_id;
insert into question_bank (bank, questions)
  select 0, count(*) from question where parent_id is null and is_public = 1;
`;

/** What our functions make is let go of when their statement ends: a bank of a million would fill the memory. */
const parts = 256;

const filled = (part: number) => `
insert into question_search_filled
  select id from question_search_order
  where place > (select max(place) from question_search_order) * ${part} / ${parts}
    and place <= (select max(place) from question_search_order) * ${part + 1} / ${parts}
  order by place;`;

// SQLite: its full-text index, of tokens that search_pairs and search_characters make (server/platform/db/sqlite.ts).
// Those of public questions are others than those of the rest, so that the public bank is not sought by one more token
// that a million questions have.
const sqlite = `${banks}
create virtual table question_search
  using fts5 (stem, shared, remark, facts, content='', contentless_delete=1, tokenize='ascii');

create view question_search_entry as
  select
    id,
    (updated_at << 30) | id as place,
    iif(is_public = 1, null, pairs) as stem,
    iif(is_public = 1, pairs, null) as shared,
    search_pairs(remark) as remark,
    'o' || owner_id || ' ' || mark || mark || ' ' || mark || 'k' || ques_type
      || iif(ques_type = 7, '', ' ' || mark || 'n') || ' ' || mark || 'l' || facility_value
      || coalesce(' ' || mark || 'p' || point_id, '')
      || search_characters(mark || 'x', stem_text) || search_characters('y', remark) as facts
  from (
    select *, iif(is_public = 1, 's', 'm') as mark, search_pairs(stem_text) as pairs
    from question where parent_id is null
  );

-- One by one: a virtual table that is filled by a query has all that the query finds held in memory first.
create table question_search_filled (id integer) $strict;
create trigger question_search_fill after insert on question_search_filled begin
  insert into question_search (rowid, stem, shared, remark, facts)
    select place, stem, shared, remark, facts from question_search_entry where id = new.id;
end;
create table question_search_order (place integer primary key, id integer) $strict;
insert into question_search_order (id) select id from question where parent_id is null order by updated_at, id;
${Array.from({ length: parts }, (_, part) => filled(part)).join('')}
drop table question_search_filled;
drop table question_search_order;

create trigger question_search_insert after insert on question when new.parent_id is null begin
  insert into question_search (rowid, stem, shared, remark, facts)
    select place, stem, shared, remark, facts from question_search_entry where id = new.id;
  insert into question_bank (bank, questions, version) values (new.owner_id, 1, 1)
    on conflict (bank) do update set questions = questions + 1, version = version + 1;
  update question_bank set questions = questions + 1, version = version + 1 where bank = 0 and new.is_public = 1;
end;
create trigger question_search_update
after update of id, owner_id, is_public, ques_type, facility_value, point_id, stem_text, remark, updated_at on question
when new.parent_id is null begin
  delete from question_search where rowid = (old.updated_at << 30) | old.id;
  insert into question_search (rowid, stem, shared, remark, facts)
    select place, stem, shared, remark, facts from question_search_entry where id = new.id;
  update question_bank set questions = questions - 1, version = version + 1
    where bank = old.owner_id or (bank = 0 and old.is_public = 1);
  insert into question_bank (bank, questions, version) values (new.owner_id, 1, 1)
    on conflict (bank) do update set questions = questions + 1, version = version + 1;
  update question_bank set questions = questions + 1, version = version + 1 where bank = 0 and new.is_public = 1;
end;
create trigger question_search_delete after delete on question when old.parent_id is null begin
  delete from question_search where rowid = (old.updated_at << 30) | old.id;
  update question_bank set questions = questions - 1, version = version + 1
    where bank = old.owner_id or (bank = 0 and old.is_public = 1);
end;
`;

/** The entries of the rows of `question` that stand in `source`. */
const entriesOf = (source: string) => `
    insert into question_search
      (question_id, place, owner_id, is_public, ques_type, facility_value, point_id, stem, remark)
    select id, (updated_at::bigint << 30) | id, owner_id, is_public, ques_type, facility_value, point_id,
      lower(stem_text), lower(remark)
    from ${source} as source
    where parent_id is null;`;

/** What the rows in `source` add to the counts of their banks, or take from them. */
const counted = (source: string, sign: '+' | '-') => `
    update question_bank set questions = question_bank.questions ${sign} change.questions, version = version + 1
    from (
      select owner_id as bank, count(*) as questions from ${source} where parent_id is null group by owner_id
      union all
      select 0, count(*) from ${source} where parent_id is null and is_public = 1
    ) as change
    where question_bank.bank = change.bank and change.questions > 0;`;

/** What the planner knows of grams would make it read the table whole. */
const byIndex = `set enable_seqscan = off set enable_indexscan = off set jit = off set work_mem = '32MB'`;

const gramsOfRow = 'question_grams(owner_id, is_public, ques_type, facility_value, stem, remark)';

const found = (what: string) => `select ${what} from question_search
      where ${gramsOfRow} @> wanted and (points is null or point_id = any (points))
        and strpos(stem, stem_part) > 0 and strpos(remark, remark_part) > 0`;

// PostgreSQL: a narrow table, whose inverted index holds the grams and nothing else does.
const postgres = `${banks}
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

-- A mark with each character of a text, and with each two that follow each other.
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

${entriesOf('question')}
set local maintenance_work_mem = '256MB';
create index question_search_grams on question_search using gin ((${gramsOfRow})) with (fastupdate = off);
create index question_search_owner on question_search (owner_id, place);
create index question_search_public on question_search (place) where is_public = 1;
analyze question_search;

create function index_questions() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from question_search using gone where question_search.question_id = gone.id;
    ${counted('gone', '-')}
  end if;
  if tg_op <> 'DELETE' then
    insert into question_bank (bank, questions)
      select distinct owner_id, 0 from added where parent_id is null order by owner_id on conflict do nothing;
    ${counted('added', '+')}
    ${entriesOf('added')}
  end if;
  return null;
end $$;
create trigger question_search_insert after insert on question
  referencing new table as added for each statement execute function index_questions();
create trigger question_search_update after update on question
  referencing old table as gone new table as added for each statement execute function index_questions();
create trigger question_search_delete after delete on question
  referencing old table as gone for each statement execute function index_questions();

-- Those by which a text is found.
create function wanted_grams(mark text, part text) returns text[] language sql immutable as $$
  select coalesce(array_agg(gram), '{}') from unnest(search_grams(mark, part)) as gram
  where length(gram) = 1 + least(length(part), 2)
$$;

create function count_questions(facts text[], points integer[], stem_part text, remark_part text) returns bigint
language plpgsql stable ${byIndex} as $$
declare
  wanted text[] := facts || wanted_grams('x', stem_part) || wanted_grams('y', remark_part);
begin
  -- Answered by the index alone.
  if points is null and length(stem_part) <= 2 and length(remark_part) <= 2 then
    return (select count(*) from question_search where ${gramsOfRow} @> wanted);
  end if;
  return (${found('count(*)')});
end $$;

create function search_questions(
  facts text[], points integer[], stem_part text, remark_part text, is_newest boolean, most integer, skipped integer
) returns setof integer
language plpgsql stable ${byIndex} as $$
declare
  wanted text[] := facts || wanted_grams('x', stem_part) || wanted_grams('y', remark_part);
begin
  if is_newest then
    return query ${found('question_id')} order by place desc limit most offset skipped;
  else
    return query ${found('question_id')} order by place limit most offset skipped;
  end if;
end $$;
`;

export const questionSearch = { sqlite, postgres };

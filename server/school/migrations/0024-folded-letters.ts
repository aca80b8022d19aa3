import { capitalsBeyondAscii } from '#server/platform/db/search.ts';

/**
 * What is searched is folded letter by letter on both engines (`folded` in server/platform/db/search.ts): a capital İ
 * is an i, a sigma is one sigma wherever it stands, and a letter has its case whatever the database's locale knows.
 * Questions that have such letters are indexed anew.
 */
const capitals = capitalsBeyondAscii();
const anyCapital = `'[${capitals.map(([capital]) => capital).join('')}]'`;
const listed = (place: 0 | 1) => capitals.map((pair) => pair[place]).join('');

const sqlite = `
update question set stem_text = stem_text
where parent_id is null and (stem_text glob '*[İΣς]*' or remark glob '*[İΣς]*');
`;

// To look a letter up in the list takes as long as all else: most texts have none of these.
const postgres = `
create function folded_text(written text) returns text language sql immutable parallel safe as $$
  select lower(
    case when written ~ ${anyCapital} then translate(written, '${listed(0)}', '${listed(1)}') else written end
  )
$$;

create or replace function index_questions() returns trigger language plpgsql as $$
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

update question_search set stem = folded_text(question.stem_text), remark = folded_text(question.remark)
from question
where question.id = question_search.question_id
  and (question.stem_text ~ ${anyCapital} or question.remark ~ ${anyCapital});
`;

export const foldedLetters = { sqlite, postgres };

/**
 * Columns that a list of drafts shows. Existing forms with neither course, name, remark nor questions are marked empty;
 * course and number of questions stay unknown for the other existing ones. The index covers the list, so that it reads
 * no forms.
 */
export const draftFacts = `
alter table homework_draft add column course_title text not null default '';
alter table homework_draft add column question_count integer;
alter table homework_draft add column is_empty integer not null default 0 check (is_empty in (0, 1));
update homework_draft set is_empty = 1
  where name = '' and form like '{"course_basis_id":"",%' and form like '%"remark":"",%' and form like '%"questions":[],%';
create index homework_draft_listed on homework_draft
  (owner_id, saved_at, in_place, key, name, address, course_title, question_count, is_empty);
`;

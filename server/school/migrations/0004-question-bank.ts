/** The question bank beyond the questions: knowledge points, collected questions, reported mistakes, imports. */
const tables = `
create table knowledge_point (
  id $id,
  parent_id integer references knowledge_point (id),
  name text not null,
  sort integer not null default 0
) $strict;
create index knowledge_point_parent on knowledge_point (parent_id, sort);

alter table question add column point_id integer references knowledge_point (id);
create index question_point on question (point_id, is_public);

create table question_collect (
  id $id,
  staff_id integer not null references staff (id) on delete cascade,
  question_id integer not null references question (id) on delete cascade,
  created_at $time not null,
  unique (staff_id, question_id)
) $strict;
create index question_collect_question on question_collect (question_id);

-- Append-only. What was reported outlives the question, whose id may then be another's: so the stem stands with it.
create table question_correction (
  id $id,
  question_id integer not null,
  stem_text text not null,
  staff_id integer not null references staff (id),
  type integer not null,
  error_msg text not null,
  created_at $time not null
) $strict;
create index question_correction_question on question_correction (question_id);

-- An uploaded file between its preview and its commit; forgotten after an hour. status: 1 being read, 2 read,
-- 3 refused (message says why).
create table question_import (
  id text primary key,
  owner_id integer not null references staff (id) on delete cascade,
  file_name text not null,
  status integer not null check (status in (1, 2, 3)),
  percent integer not null default 0,
  message text not null default '',
  notes text not null default '[]', -- JSON: [{where, message}], about the file as a whole
  pictures text not null default '[]', -- JSON: storage keys of the pictures of the file
  created_at $time not null,
  updated_at $time not null
) $strict;
create index question_import_age on question_import (created_at);

create table question_import_row (
  import_id text not null references question_import (id) on delete cascade,
  sort integer not null,
  draft text not null, -- JSON: a QuestionDraft
  place text not null,
  errors text not null default '[]', -- JSON: [{where, message}]
  losses text not null default '[]',
  is_good integer not null check (is_good in (0, 1)),
  primary key (import_id, sort)
) $strict;
`;

export const questionBank = {
  sqlite: `${tables}
create trigger question_correction_no_update before update on question_correction begin select raise(abort, 'corrections are append-only'); end;
create trigger question_correction_no_delete before delete on question_correction begin select raise(abort, 'corrections are append-only'); end;
`,
  postgres: `${tables}
create trigger question_correction_append_only before update or delete on question_correction
  for each row execute function refuse_rewriting_history();
`,
};

/** Correction: marks on images, equal answers graded together, and the learners' own application. */
export const correction = `
-- JSON: [{draw, path}] by the place of the image in the answer; draw is the saved mark-up, path the image with it.
alter table answer add column review_images text not null default '[]';
-- The same for answers that are the same text after trimming; null where there is nothing to compare.
alter table answer add column answer_key text;
create index answer_same on answer (question_id, answer_key) where status = 4 and answer_key is not null;
create index answer_comment on answer (question_id, reviewed_by) where review_comment <> '';

-- The same mark given to equal answers in one go. before: how each answer stood (JSON), to take it back.
create table grading_batch (
  id $id,
  staff_id integer not null references staff (id),
  question_id integer not null references homework_question (id),
  at $time not null,
  undone_at $time
) $strict;
create table grading_batch_answer (
  batch_id integer not null references grading_batch (id) on delete cascade,
  answer_id integer not null references answer (id),
  version integer not null,
  before text not null,
  primary key (batch_id, answer_id)
) $strict;

-- What an application, not a person, signs in with; only the SHA-256 of the token is stored.
create table service_token (
  id $id,
  name text not null,
  token_hash text not null unique,
  created_at $time not null,
  used_at $time,
  revoked_at $time
) $strict;
`;

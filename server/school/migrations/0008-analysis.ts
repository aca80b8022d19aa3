/** What the analysis of homework reads quickly, and the files that it makes. */
export const analysis = `
-- The order of the transcript, and how many graded reports earned which score, each from the index alone.
create index report_rank on report (homework_id, status desc, user_score desc, student_id);

-- Exports and papers: each for its maker alone, for an hour. state: 1 being made, 2 ready, 3 failed. done and total
-- say how far it is; updated_at is the last sign of life of the process that makes it.
create table export_file (
  id $id,
  token text not null unique,
  staff_id integer not null references staff (id) on delete cascade,
  name text not null,
  content_type text not null,
  state integer not null check (state in (1, 2, 3)),
  done integer not null default 0,
  total integer not null default 0,
  storage_key text, -- null until it is ready, and again when it has expired and was removed
  created_at $time not null,
  updated_at $time not null
) $strict;
create index export_file_age on export_file (created_at);
`;

/**
 * Imports: where uploads come from, each upload with what it says row by row and what that comes to, and under which ids
 * a source knows which records.
 */
export const imports = {
  sqlite: tables('integer primary key autoincrement'),
  postgres: tables('$id'),
};

function tables(id: string): string {
  return `
create table import_source (
  id ${id},
  name text not null unique,
  created_at $time not null
) $strict;

create table import (
  id ${id},
  source_id integer not null references import_source (id),
  staff_id integer references staff (id), -- null: at the command line
  file_name text not null,
  content_hash text not null,
  mode text not null check (mode in ('bulk', 'delta')),
  kinds text not null, -- JSON: of which it speaks
  state text not null check (state in ('uploaded', 'checked', 'held', 'applied', 'undone', 'discarded')),
  job text not null default '' check (job in ('', 'check', 'apply', 'undo')), -- what is under way
  done integer not null default 0,
  total integer not null default 0,
  noted_at $time not null, -- when the job said last how far it is
  is_cancelled integer not null default 0 check (is_cancelled in (0, 1)),
  failure text not null default '', -- why the last job did not do what it was to do
  counts text not null default '{}', -- JSON: by kind, how many of each verdict
  holds text not null default '[]', -- JSON: what has to be confirmed by its number
  effects text not null default '[]', -- JSON: what others will notice, in sentences
  choices text not null default '{}', -- JSON: what was chosen for all rows
  created_at $time not null,
  checked_at $time,
  applied_at $time,
  undone_at $time
) $strict;
create index import_of_source on import (source_id, id);

-- A record that an upload names, or ('absent') no longer names.
create table import_row (
  id ${id},
  import_id integer not null references import (id) on delete cascade,
  kind text not null,
  source_id text not null,
  state text not null check (state in ('active', 'gone', 'absent')),
  file text not null,
  place integer not null,
  fields text not null, -- JSON: as the source has them
  verdict text not null default '',
  record text not null default '', -- the id of what it is about, or two of them joined by a colon
  label text not null default '',
  before text not null default '{}', -- JSON: what changes, as it was
  after text not null default '{}',
  conflicts text not null default '{}', -- JSON: by field, what somebody has written since, and what the source says
  reasons text not null default '[]', -- JSON: why it is refused, by field
  effect text not null default '', -- what others will notice
  seen text not null default '', -- a mark of what was read of the record
  choice text not null default '{}', -- JSON: what was chosen for this row
  trace text not null default '', -- JSON: what is needed to take it back
  stayed text not null default '' -- why it was not taken back
) $strict;
create index import_row_order on import_row (import_id, kind, source_id, id);
create index import_row_verdict on import_row (import_id, verdict, id);

-- What was said of the rows when the upload was read.
create table import_remark (
  id ${id},
  import_id integer not null references import (id) on delete cascade,
  tone text not null check (tone in ('refused', 'forgiven', 'doubted')),
  file text not null,
  place integer not null,
  field text not null,
  message text not null
) $strict;
create index import_remark_import on import_remark (import_id, tone, id);

-- fields: JSON of what the source has said of the record. Whatever the record says otherwise, a person has written.
create table external_id (
  id ${id},
  source_id integer not null references import_source (id),
  kind text not null,
  sourced_id text not null,
  record text not null,
  state text not null check (state in ('active', 'gone')),
  fields text not null,
  import_id integer not null references import (id),
  unique (source_id, kind, sourced_id)
) $strict;
create index external_id_record on external_id (kind, record);
`;
}

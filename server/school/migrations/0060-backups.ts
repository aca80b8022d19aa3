/** Which backups were made, and what came of them. */
const both = (id: string) => `
create table backup (
  id ${id},
  kind text not null, -- scheduled, manual, restore_point
  file text not null, -- its name; empty: there is none
  bytes $sum not null,
  files integer not null, -- how many files of the school are in it
  verdict text not null, -- ok, unread, incomplete, failed
  reason text not null, -- why it failed, in one word; empty: it did not
  missing integer not null, -- files that the database names and that were not in the storage
  message text not null, -- the same as a sentence, for whoever runs the server
  started_at $time not null,
  ended_at $time not null
) $strict;
create index backup_started on backup (started_at);
`;

export const backups = {
  sqlite: both('integer primary key autoincrement'),
  postgres: both('$id'),
};

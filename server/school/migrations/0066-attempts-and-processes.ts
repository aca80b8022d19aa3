/** What several processes have to know of each other: what was tried how often, and which of them are there. */
export const attemptsAndProcesses = `
create table attempt (
  id text primary key, -- a hash of what was tried: of a name and an address, of a person
  tries integer not null,
  ends_at $time not null -- from then on it is counted anew
) $strict;
create index attempt_ends on attempt (ends_at);

create table serving_process (
  id text primary key,
  host text not null,
  pid integer not null,
  number integer, -- among those of one start; null: alone
  version text not null,
  memory $sum not null, -- bytes
  storage text not null, -- the mark that it finds where its files are
  started_at $time not null,
  seen_at $time not null
) $strict;
`;

/** Systems that read the roster and the gradebook by OneRoster, and the tokens that they have got for an hour. */
const both = (id: string) => `
create table roster_client (
  id ${id},
  name text not null,
  client_id text not null unique,
  secret_hash text not null,
  every_school integer not null default 1 check (every_school in (0, 1)), -- 0: those in roster_client_school
  reads_roster integer not null check (reads_roster in (0, 1)),
  reads_gradebook integer not null check (reads_gradebook in (0, 1)),
  created_at $time not null,
  used_at $time,
  ended_at $time
) $strict;

create table roster_client_school (
  client_id integer not null references roster_client (id),
  school_id integer not null references school (id),
  primary key (client_id, school_id)
) $strict;
create index roster_client_school_school on roster_client_school (school_id);

create table roster_access (
  token_hash text primary key,
  client_id integer not null references roster_client (id),
  scopes text not null, -- as the client asked for them, separated by blanks
  ends_at $time not null
) $strict;
create index roster_access_ends on roster_access (ends_at);
create index roster_access_client on roster_access (client_id);

-- A record is asked for by the id that a source gave it, whatever the source.
create index external_id_sourced on external_id (sourced_id, kind);
-- What a school's classes have is read by way of them.
create index class_school on class (school_id, id);
`;

export const rosterClients = {
  sqlite: both('integer primary key autoincrement'),
  postgres: both('$id'),
};

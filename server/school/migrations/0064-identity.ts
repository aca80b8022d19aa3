/** Signing in with the identity that a school has already: what confirms it, who somebody is there, and who is on the way. */
const both = (id: string) => `
-- 1: as identity_provider says, no code of our own was asked beside it.
alter table sign_in add column without_code integer not null default 0 check (without_code in (0, 1));
-- The kind of provider by which it was; empty: a password.
alter table sign_in add column provider text not null default '';

create table identity_provider (
  id integer primary key, -- the place of its kind in the product's list
  kind text not null unique,
  name text not null,
  is_on integer not null check (is_on in (0, 1)),
  address text not null,
  client_id text not null,
  secret text not null,
  organization text not null, -- agent of WeCom, corporation of DingTalk
  scope text not null,
  claim text not null, -- which field is somebody's number; empty: the usual one
  asks_code integer not null check (asks_code in (0, 1)) -- 1: our second factor is asked for all the same
) $strict;

-- Who somebody of a provider is. A realm is whose subjects they are: another server's are others.
create table identity_link (
  id ${id},
  provider text not null,
  realm text not null,
  subject text not null,
  number text not null,
  name text not null,
  staff_id integer references staff (id),
  state text not null check (state in ('waiting', 'linked', 'rejected')),
  created_at $time not null,
  used_at $time not null,
  unique (provider, realm, subject)
) $strict;
create index identity_link_staff on identity_link (staff_id, provider, realm);
create index identity_link_state on identity_link (state, id);

-- Somebody who was sent to a provider and has not come back yet; each comes back once.
create table identity_attempt (
  state_hash text primary key,
  provider text not null,
  browser_hash text not null,
  nonce text not null,
  verifier text not null,
  return_to text not null,
  created_at $time not null
) $strict;
create index identity_attempt_created on identity_attempt (created_at);

-- What ends a sign-in from the provider's side, and what says there whose session is to end.
create table identity_session (
  sign_in_id integer primary key references sign_in (id) on delete cascade,
  provider text not null,
  realm text not null,
  subject text not null,
  session_key text not null, -- OIDC: sid; CAS: the hash of the ticket; empty: there is none
  id_token text not null
) $strict;
create index identity_session_subject on identity_session (provider, realm, subject);
create index identity_session_key on identity_session (provider, realm, session_key);
`;

export const identity = {
  sqlite: both('integer primary key autoincrement'),
  postgres: both('$id'),
};

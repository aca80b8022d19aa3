/**
 * A second factor of whoever signs in, tokens of applications that are bound to schools, and the days on which the school
 * is closed or works in place of another.
 */
export const secondFactorAndSettings = {
  sqlite: columnsAndTables('integer primary key autoincrement'),
  postgres: columnsAndTables('$id'),
};

function columnsAndTables(id: string): string {
  return `
alter table staff add column totp_secret text not null default ''; -- base32; empty: none
alter table staff add column totp_step integer not null default 0; -- of the last code that was taken: each is good once
alter table staff add column totp_at $time; -- since when; null: not
alter table staff add column recovery_codes text not null default '[]'; -- their hashes
create index sign_in_age on sign_in (used_at);
create index sms_outbox_age on sms_outbox (delivered_at) where delivered_at is not null;
alter table sign_in add column awaits_code integer not null default 0 check (awaits_code in (0, 1));

alter table service_token add column every_school integer not null default 1 check (every_school in (0, 1));
create table service_token_school (
  token_id integer not null references service_token (id),
  school_id integer not null references school (id),
  primary key (token_id, school_id)
) $strict;

create table holiday (
  id ${id},
  day text not null unique, -- yyyy-mm-dd
  name text not null,
  is_workday integer not null check (is_workday in (0, 1)),
  as_weekday integer check (as_weekday between 1 and 7) -- whose lessons are held on a day that is worked; 1: Monday
) $strict;
`;
}

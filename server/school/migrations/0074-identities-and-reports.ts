/**
 * Somebody who has signed in goes to a provider to link who they are there. And what browsers report of the content
 * security policy.
 */
export const identitiesAndReports = `
-- Whose identity it is to become; null: they sign in by it.
alter table identity_attempt add column staff_id $ref references staff (id);

create table policy_report (
  directive text not null,
  blocked text not null, -- an origin, a scheme, or a word of the standard
  page text not null, -- the words of its address
  source text not null, -- of the last one
  count integer not null,
  first_at $time not null,
  last_at $time not null,
  primary key (directive, blocked, page)
) $strict;
`;

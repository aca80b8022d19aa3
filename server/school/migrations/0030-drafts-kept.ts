/**
 * Drafts of publications that are continued later, in whichever browser: what a row is a state of (`key`), what it is
 * called and where it goes on, so that a list of drafts reads no forms. `in_place`: 1 is the one row of its key that is
 * written again and again, 0 stays as it was, for the browser's way back.
 */
export const draftsKept = `
alter table homework_draft add column key text not null default '';
alter table homework_draft add column name text not null default '';
alter table homework_draft add column address text not null default '';
alter table homework_draft add column in_place integer not null default 0 check (in_place in (0, 1));
update homework_draft set key = 'kept ' || id;
create index homework_draft_key on homework_draft (owner_id, key, in_place, saved_at, name, address);
`;

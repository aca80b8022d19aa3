/** One-time codes by which learners sign in; and which notices were taken away, for who follows their list. */
const both = (id: string) => `
-- The latest one of a student. It is used once; after some wrong tries or some minutes it is none any more.
create table learner_code (
  student_id integer primary key references student (id) on delete cascade,
  code_hash text not null, -- empty: it was used
  sent_at $time not null,
  tries integer not null default 0,
  first_sent_at $time not null, -- of those that are counted
  sent integer not null -- how many since then
) $strict;

-- A number alone, in whichever school.
create index student_of_number on student (number) where number <> '';

create table removed_notice (
  id ${id},
  notice_id integer not null, -- no reference: it is gone
  class_id integer not null references class (id),
  created_at $time not null, -- of the notice
  removed_at $time not null
) $strict;
create index removed_notice_class on removed_notice (class_id, removed_at);
create index community_post_deleted on community_post (group_id, deleted_at) where deleted_at is not null;
`;

export const learnerCodes = {
  sqlite: both('integer primary key autoincrement'),
  postgres: both('$id'),
};

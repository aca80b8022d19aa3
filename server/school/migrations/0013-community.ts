/** Circles of classes and groups of the community: posts, comments, likes, collections, reports. */
export const community = `
-- group_type 1: the circle of a class, whose members are the students and the staff of the class; nothing is kept of
-- them here, and class.group_hidden hides it. group_type 2: a group that people join (community_member).
create table community_group (
  id $id,
  group_type integer not null check (group_type in (1, 2)),
  class_id integer unique references class (id) on delete cascade,
  school_id integer not null references school (id),
  name text not null,
  image text not null default '',
  introduction text not null default '',
  post_num integer not null default 0,
  user_num integer not null default 0, -- of group_type 2; a circle's is the class's
  created_at $time not null,
  check ((group_type = 1) = (class_id is not null))
) $strict;

-- Who joined a group of group_type 2. user_type as of posts, save 4.
create table community_member (
  id $id,
  group_id integer not null references community_group (id) on delete cascade,
  user_type integer not null check (user_type in (1, 2, 3)),
  staff_id integer references staff (id) on delete cascade,
  student_id integer references student (id) on delete cascade,
  joined_at $time not null,
  unique (group_id, staff_id),
  unique (group_id, student_id),
  check ((user_type = 1) = (student_id is not null)),
  check ((user_type <> 1) = (staff_id is not null))
) $strict;
create index community_member_staff on community_member (staff_id, group_id);

-- user_type of the author: 1 student, 2 lecturer, 3 teaching assistant, 4 the school itself (nobody of its people).
-- A post that was deleted stays, unseen, for what was reported about it.
create table community_post (
  id $id,
  group_id integer not null references community_group (id) on delete cascade,
  user_type integer not null check (user_type in (1, 2, 3, 4)),
  staff_id integer references staff (id),
  student_id integer references student (id) on delete cascade,
  content text not null,
  images text not null default '[]', -- addresses of pictures, a JSON list
  like_num integer not null default 0,
  comment_num integer not null default 0,
  report_num integer not null default 0,
  created_at $time not null,
  deleted_at $time,
  deleted_by integer references staff (id),
  check ((user_type = 1) = (student_id is not null)),
  check ((user_type in (2, 3)) = (staff_id is not null))
) $strict;
create index community_post_group on community_post (group_id, created_at, id) where deleted_at is null;
create index community_post_staff on community_post (staff_id, created_at, id) where deleted_at is null;

create table community_comment (
  id $id,
  post_id integer not null references community_post (id) on delete cascade,
  user_type integer not null check (user_type in (1, 2, 3, 4)),
  staff_id integer references staff (id),
  student_id integer references student (id) on delete cascade,
  content text not null,
  created_at $time not null,
  check ((user_type = 1) = (student_id is not null)),
  check ((user_type in (2, 3)) = (staff_id is not null))
) $strict;
create index community_comment_post on community_comment (post_id, created_at, id);
create index community_comment_staff on community_comment (staff_id, post_id);

create table community_like (
  id $id,
  post_id integer not null references community_post (id) on delete cascade,
  staff_id integer references staff (id) on delete cascade,
  student_id integer references student (id) on delete cascade,
  created_at $time not null,
  unique (post_id, staff_id),
  unique (post_id, student_id),
  check ((staff_id is null) <> (student_id is null))
) $strict;
create index community_like_staff on community_like (staff_id, post_id);

create table community_collect (
  id $id,
  post_id integer not null references community_post (id) on delete cascade,
  staff_id integer not null references staff (id) on delete cascade,
  created_at $time not null,
  unique (staff_id, post_id)
) $strict;
create index community_collect_post on community_collect (post_id);

-- type: 1 advertising, 2 insults, 3 untrue, 4 unfit for learners, 5 other.
create table community_report (
  id $id,
  post_id integer not null references community_post (id) on delete cascade,
  staff_id integer not null references staff (id) on delete cascade,
  type integer not null check (type between 1 and 5),
  content text not null default '',
  created_at $time not null,
  unique (post_id, staff_id)
) $strict;
`;

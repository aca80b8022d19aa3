/** Scheduled lessons, and what publishing keeps besides the homework itself. */
export const sessions = `
-- 0 a state-school class, 3 a group class, 1 a one-to-one lesson (a class of one student): the class_type of its
-- sessions. Members, courses and assistants of all three are in the tables of the class.
alter table class add column class_type integer not null default 0 check (class_type in (0, 1, 3));

-- One scheduled lesson. Its status is read from the clock and from cancelled_at, so it is never out of date:
-- 1 held, 2 not yet held, 3 in progress, 4 cancelled.
create table class_session (
  id $id,
  class_id integer not null references class (id),
  course_id integer not null references course (id),
  period_id integer references period (id), -- the period of the course that it teaches
  lecturer_id integer not null references staff (id),
  room_id integer references room (id),
  teaching_mode integer not null default 1 check (teaching_mode in (1, 2)), -- 1 live, 2 in person
  chapter_title text not null default '',
  start_time $time not null,
  end_time $time not null,
  cancelled_at $time,
  created_at $time not null
) $strict;
create index class_session_lecturer on class_session (lecturer_id, start_time);
create index class_session_class on class_session (class_id, start_time);
create index homework_arrange on homework (arrange_id) where arrange_id is not null;

-- The courses of a homework's scope: needed to copy it with the child courses that were chosen.
create table homework_scope (
  homework_id integer not null references homework (id),
  course_id integer not null references course (id),
  primary key (homework_id, course_id)
) $strict;

-- The publish form as it stood when its owner left it for a list to choose from. Written once, never changed: the
-- browser's way back leads to the form as it was there.
create table homework_draft (
  id $id,
  owner_id integer not null references staff (id) on delete cascade,
  form text not null,
  saved_at $time not null
) $strict;
create index homework_draft_owner on homework_draft (owner_id, saved_at);
`;

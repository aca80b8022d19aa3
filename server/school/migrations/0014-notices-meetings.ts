/** Announcements of classes, and class meetings with who took part. */
export const noticesMeetings = `
create table class_notice (
  id $id,
  class_id integer not null references class (id) on delete cascade,
  title text not null,
  content text not null, -- HTML that passed the sanitiser
  staff_id integer references staff (id), -- who posted it; null: the school itself
  created_at $time not null,
  updated_at $time not null
) $strict;
create index class_notice_class on class_notice (class_id, created_at, id);

-- Not started, live or ended is read from the clock. A code lets those of its role in; each begins with another letter,
-- so no two codes are ever the same.
create table class_meeting (
  id $id,
  class_id integer not null references class (id) on delete cascade,
  meeting_name text not null,
  start_time $time not null,
  end_time $time not null,
  staff_id integer not null references staff (id), -- who holds it
  room_id text not null unique,
  teacher_code text not null unique,
  assistant_code text not null unique,
  student_code text not null unique,
  created_at $time not null,
  check (end_time > start_time)
) $strict;
create index class_meeting_class on class_meeting (class_id, start_time);

-- A student who came, once, however often they left and came back.
create table class_meeting_attendance (
  id $id,
  meeting_id integer not null references class_meeting (id) on delete cascade,
  student_id integer not null references student (id) on delete cascade,
  joined_at $time not null,
  unique (meeting_id, student_id)
) $strict;
`;

/**
 * Ids of what can be deleted and stands in addresses (meetings, announcements, courseware of classes and lessons) are
 * never given again, so that an old link leads to nothing instead of to something else. PostgreSQL's sequences do so by
 * themselves; SQLite needs the table to be made anew. Dropping the old one takes what hangs on it along, so that is set
 * aside meanwhile.
 */
export const idsOnce = {
  postgres: '',
  sqlite: `
create table class_notice_next (
  id integer primary key autoincrement,
  class_id integer not null references class (id) on delete cascade,
  title text not null,
  content text not null, -- HTML that passed the sanitiser
  staff_id integer references staff (id), -- who posted it; null: the school itself
  created_at integer not null,
  updated_at integer not null
) strict;
insert into class_notice_next (id, class_id, title, content, staff_id, created_at, updated_at)
  select id, class_id, title, content, staff_id, created_at, updated_at from class_notice;
drop table class_notice;
alter table class_notice_next rename to class_notice;
create index class_notice_class on class_notice (class_id, created_at, id);

create table class_meeting_next (
  id integer primary key autoincrement,
  class_id integer not null references class (id) on delete cascade,
  meeting_name text not null,
  start_time integer not null,
  end_time integer not null,
  staff_id integer not null references staff (id), -- who holds it
  room_id text not null unique,
  teacher_code text not null unique,
  assistant_code text not null unique,
  student_code text not null unique,
  created_at integer not null,
  check (end_time > start_time)
) strict;
insert into class_meeting_next (id, class_id, meeting_name, start_time, end_time, staff_id, room_id, teacher_code, assistant_code, student_code, created_at)
  select id, class_id, meeting_name, start_time, end_time, staff_id, room_id, teacher_code, assistant_code, student_code, created_at from class_meeting;
create table class_meeting_attendance_aside as select id, meeting_id, student_id, joined_at from class_meeting_attendance;
drop table class_meeting;
alter table class_meeting_next rename to class_meeting;
create index class_meeting_class on class_meeting (class_id, start_time);
insert into class_meeting_attendance (id, meeting_id, student_id, joined_at)
  select id, meeting_id, student_id, joined_at from class_meeting_attendance_aside;
drop table class_meeting_attendance_aside;

create table class_ware_next (
  id integer primary key autoincrement,
  class_id integer not null references class (id) on delete cascade,
  file_id integer not null references ware_file (id),
  courseware_id integer references courseware (id) on delete set null, -- where it was chosen from
  classify_id integer references ware_classify (id),
  ware_name text not null,
  ware_desc text not null default '',
  ware_type integer not null check (ware_type in (1, 2, 3)),
  added_by integer not null references staff (id),
  created_at integer not null,
  updated_at integer not null,
  unique (class_id, courseware_id)
) strict;
insert into class_ware_next (id, class_id, file_id, courseware_id, classify_id, ware_name, ware_desc, ware_type, added_by, created_at, updated_at)
  select id, class_id, file_id, courseware_id, classify_id, ware_name, ware_desc, ware_type, added_by, created_at, updated_at from class_ware;
drop table class_ware;
alter table class_ware_next rename to class_ware;
create index class_ware_file on class_ware (file_id);
create index class_ware_courseware on class_ware (courseware_id);

create table lesson_ware_next (
  id integer primary key autoincrement,
  session_id integer not null references class_session (id),
  file_id integer not null references ware_file (id),
  courseware_id integer references courseware (id) on delete set null, -- where it stands in the library
  ware_name text not null,
  ware_type integer not null check (ware_type in (1, 2, 3)),
  is_sync integer not null check (is_sync in (1, 2)), -- 1 also added to the library
  added_by integer not null references staff (id),
  created_at integer not null,
  unique (session_id, courseware_id)
) strict;
insert into lesson_ware_next (id, session_id, file_id, courseware_id, ware_name, ware_type, is_sync, added_by, created_at)
  select id, session_id, file_id, courseware_id, ware_name, ware_type, is_sync, added_by, created_at from lesson_ware;
drop table lesson_ware;
alter table lesson_ware_next rename to lesson_ware;
create index lesson_ware_file on lesson_ware (file_id);
create index lesson_ware_courseware on lesson_ware (courseware_id);
`,
};

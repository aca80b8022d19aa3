/** The school: people, what they may do, courses with their periods, classes with their members. */
export const school = `
create table setting (
  name text primary key,
  value text not null
) $strict;

create table school (
  id $id,
  org_name text not null
) $strict;

create table grade (
  id $id,
  name text not null,
  sort integer not null default 0
) $strict;

create table classify (
  id $id,
  parent_id integer references classify (id),
  name text not null,
  sort integer not null default 0
) $strict;

create table subject (
  id $id,
  name text not null,
  sort integer not null default 0
) $strict;

create table room (
  id $id,
  school_id integer not null references school (id),
  name text not null
) $strict;

-- Lecturers and assistants. The permissions are granted by the staff command.
create table staff (
  id $id,
  identity text not null check (identity in ('teacher', 'assist')),
  username text not null unique,
  password_hash text not null,
  real_name text not null,
  mobile text not null default '',
  avatar text not null default '',
  introduction text not null default '',
  school_id integer not null references school (id),
  can_dispatch integer not null default 0 check (can_dispatch in (0, 1)),
  can_correct integer not null default 0 check (can_correct in (0, 1)),
  disabled_at $time,
  created_at $time not null
) $strict;

-- One row for each signed-in device; the token itself is never stored, only its SHA-256.
create table sign_in (
  id $id,
  token_hash text not null unique,
  staff_id integer not null references staff (id) on delete cascade,
  device text not null default '',
  address text not null default '',
  created_at $time not null,
  used_at $time not null,
  revoked_at $time
) $strict;
create index sign_in_staff on sign_in (staff_id);

-- What a repeated submit is answered with.
create table accepted_request (
  staff_id integer not null references staff (id) on delete cascade,
  idempotency_key text not null,
  request text not null,
  answer text not null,
  accepted_at $time not null,
  primary key (staff_id, idempotency_key)
) $strict;
create index accepted_request_age on accepted_request (accepted_at);

-- Append-only: who changed what, and how it was before. Never updated, never deleted (see 0003).
create table history (
  id $id,
  at $time not null,
  staff_id integer references staff (id),
  record text not null,
  record_id integer not null,
  action text not null,
  before text,
  after text
) $strict;
create index history_record on history (record, record_id);

create table student (
  id $id,
  nickname text not null,
  mobile text not null default '',
  avatar text not null default '',
  school_id integer not null references school (id),
  created_at $time not null
) $strict;

-- A parent course groups child courses; periods hang on the course that is taught.
create table course (
  id $id,
  parent_id integer references course (id),
  title text not null,
  course_type integer not null default 1,
  cover_img text not null default '',
  introduction text not null default '',
  school_id integer not null references school (id),
  classify_id integer references classify (id),
  grade_id integer references grade (id),
  subject_id integer references subject (id),
  created_at $time not null
) $strict;
create index course_parent on course (parent_id);

create table course_chapter (
  id $id,
  course_id integer not null references course (id) on delete cascade,
  title text not null,
  sort integer not null default 0
) $strict;
create index course_chapter_course on course_chapter (course_id, sort);

create table period (
  id $id,
  course_id integer not null references course (id) on delete cascade,
  chapter_id integer references course_chapter (id),
  title text not null,
  periods_type integer not null default 1,
  lecturer_id integer references staff (id),
  start_play $time not null,
  total_time integer not null default 0, -- seconds
  sort integer not null default 0
) $strict;
create index period_course on period (course_id, sort);
create index period_lecturer on period (lecturer_id, course_id);

create table class (
  id $id,
  name text not null,
  school_id integer not null references school (id),
  grade_id integer references grade (id),
  classify_id integer references classify (id),
  large_class_id integer,
  cover_image text not null default '',
  schedule_image text not null default '',
  valid_type integer not null default 1, -- 1 long-term, 2 until valid_time
  valid_time $time not null default 0,
  created_at $time not null
) $strict;

-- Who looks after a class. duty: head (head teacher) or assistant.
create table class_staff (
  class_id integer not null references class (id) on delete cascade,
  staff_id integer not null references staff (id) on delete cascade,
  duty text not null check (duty in ('head', 'assistant')),
  primary key (class_id, staff_id, duty)
) $strict;
create index class_staff_person on class_staff (staff_id, duty, class_id);

create table class_course (
  class_id integer not null references class (id) on delete cascade,
  course_id integer not null references course (id) on delete cascade,
  primary key (class_id, course_id)
) $strict;
create index class_course_course on class_course (course_id, class_id);

-- A student who left keeps the row: left_at is set.
create table class_student (
  id $id,
  class_id integer not null references class (id) on delete cascade,
  student_id integer not null references student (id) on delete cascade,
  join_type integer not null default 1,
  joined_at $time not null,
  left_at $time,
  unique (class_id, student_id)
) $strict;
create index class_student_student on class_student (student_id);
`;

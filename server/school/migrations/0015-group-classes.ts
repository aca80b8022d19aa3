/** Group classes with their contracts, and what a scheduled lesson keeps: attendance, handout, evaluation, contact. */
export const groupClasses = `
-- What a group class (class_type 3) has beyond a class.
create table team_class (
  class_id integer primary key references class (id) on delete cascade,
  subject_id integer references subject (id),
  lecturer_id integer references staff (id),
  room_id integer references room (id),
  teaching_mode integer not null default 1 check (teaching_mode in (1, 2)), -- 1 live, 2 in person
  sign_type integer not null default 1 check (sign_type in (1, 2)), -- 1 by the lesson, 2 by the term
  schedule text not null default '', -- when it meets, in words
  remarks text not null default '',
  start_time $time not null,
  ended_at $time
) $strict;

-- What a student of a class signed. Kept by whoever enrols students; only read here.
create table class_contract (
  class_student_id integer primary key references class_student (id) on delete cascade,
  contracts_number text not null,
  sign_type integer not null default 1 check (sign_type in (1, 2)),
  remaining_lessons integer not null default 0,
  periods_price integer not null default 0, -- hundredths of a yuan, of one lesson
  lesson_minutes integer not null default 0,
  first_time $time -- of the first lesson that the student attended
) $strict;

-- A student in a scheduled lesson. Without a row nothing was noted yet.
create table session_student (
  id $id,
  session_id integer not null references class_session (id) on delete cascade,
  student_id integer not null references student (id),
  status integer check (status in (1, 2, 3)), -- null unmarked, 1 present, 2 leave, 3 absent
  attend_type integer not null default 0 check (attend_type in (0, 1, 2)), -- 0 none, 1 by entering, 2 by hand
  remark text not null default '', -- why it was set by hand
  set_by integer references staff (id),
  set_at $time,
  teacher_remark text not null default '',
  teacher_remark_by integer references staff (id),
  teacher_remark_at $time,
  student_remark text not null default '',
  unique (session_id, student_id)
) $strict;
create index session_student_student on session_student (student_id, session_id);

-- Without a row none was uploaded (file_status 2). The school's administration approves or rejects.
create table session_handout (
  session_id integer primary key references class_session (id) on delete cascade,
  file_id integer not null references ware_file (id),
  file_name text not null,
  status integer not null default 3 check (status in (1, 3, 4)), -- 1 approved, 3 pending, 4 rejected
  file_remark text not null default '', -- why it was rejected
  uploaded_by integer not null references staff (id),
  uploaded_at $time not null
) $strict;
create index session_handout_file on session_handout (file_id);

-- What staff noted of talks about a lesson with a student or the student's family.
create table communication_record (
  id $id,
  session_id integer not null references class_session (id) on delete cascade,
  student_id integer not null references student (id),
  staff_id integer not null references staff (id),
  content text not null,
  created_at $time not null
) $strict;
create index communication_record_session on communication_record (session_id, student_id, created_at);

-- Text messages that are to go out, written in the transaction that causes them.
create table sms_outbox (
  id $id,
  message_id text not null unique, -- the receiver tells a repetition by it
  mobile text not null,
  content text not null,
  session_id integer references class_session (id) on delete set null,
  student_id integer references student (id) on delete set null,
  created_at $time not null,
  next_try_at $time not null,
  tries integer not null default 0,
  last_error text not null default '',
  delivered_at $time
) $strict;
create index sms_outbox_waiting on sms_outbox (next_try_at, id) where delivered_at is null;
`;

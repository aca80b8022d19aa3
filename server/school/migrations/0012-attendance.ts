/** Attendance and leave of students in periods, what they watched, and when they were in a class before. */
export const attendance = `
-- What was recorded of a student in a period of their class. Without a row, or with -1, nothing was: the present state
-- then follows from what they watched and from the clock (server/attendance/rules.ts). Of a leave: its latest request.
create table attendance (
  id $id,
  class_id integer not null references class (id) on delete cascade,
  student_id integer not null references student (id) on delete cascade,
  period_id integer not null references period (id) on delete cascade,
  op_status integer not null check (op_status between -1 and 6),
  leave_cause text not null default '',
  requested_at $time, -- null: no leave was ever requested
  requested_by integer references staff (id), -- null: the student
  decided_at $time,
  decided_by integer references staff (id),
  changed_at $time not null,
  version integer not null default 0,
  unique (class_id, student_id, period_id)
) $strict;
create index attendance_leave on attendance (class_id, requested_at) where requested_at is not null;
create index attendance_pending on attendance (class_id) where op_status = 1;
create index attendance_changed on attendance (class_id, changed_at);

-- Seconds that a student watched of a period, live and from the playback.
create table study_record (
  student_id integer not null references student (id) on delete cascade,
  period_id integer not null references period (id) on delete cascade,
  live_seconds integer not null default 0 check (live_seconds >= 0),
  replay_seconds integer not null default 0 check (replay_seconds >= 0),
  primary key (student_id, period_id)
) $strict;

-- class_student has the present or the latest stay of a student in a class; of one who came back, the earlier ones.
create table class_earlier_stay (
  class_id integer not null references class (id) on delete cascade,
  student_id integer not null references student (id) on delete cascade,
  joined_at $time not null,
  left_at $time not null,
  primary key (class_id, student_id, joined_at)
) $strict;

-- Leave requests that were decided together, and what each was then: for taking it back.
create table leave_batch (
  id $id,
  staff_id integer not null references staff (id),
  op_status integer not null check (op_status in (2, 3)),
  at $time not null,
  undone_at $time
) $strict;
create index leave_batch_staff on leave_batch (staff_id, at);

create table leave_batch_record (
  batch_id integer not null references leave_batch (id),
  attendance_id integer not null references attendance (id) on delete cascade,
  version integer not null,
  primary key (batch_id, attendance_id)
) $strict;
`;

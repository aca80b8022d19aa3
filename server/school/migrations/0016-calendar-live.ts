/** Live settings of periods, groups of a course with their assistants, and private addresses of calendars. */
const tables = `
-- Of the room: minutes before the start from which students may come in, and the code that they come in with.
alter table period add column advance_time integer not null default 0;
alter table period add column student_code text not null default '';
-- 1 hides the way in.
alter table period add column allow_enter integer not null default 0 check (allow_enter in (0, 1));
alter table period add column is_playback integer not null default 0 check (is_playback in (0, 1));
-- Who may enter the assistant room: assistants by the period, lecturers by the course.
alter table period add column periods_extend integer not null default 0 check (periods_extend in (0, 1));
alter table course add column course_extend integer not null default 0 check (course_extend in (0, 1));
create index period_lecturer_time on period (lecturer_id, start_play);
create index period_course_time on period (course_id, start_play);

-- A class is taught a course in groups, each with its assistants.
create table class_group (
  id $id,
  class_id integer not null references class (id) on delete cascade,
  course_id integer not null references course (id) on delete cascade,
  group_name text not null
) $strict;
create index class_group_course on class_group (course_id, class_id);
create index class_group_class on class_group (class_id);

create table class_group_staff (
  class_group_id integer not null references class_group (id) on delete cascade,
  staff_id integer not null references staff (id) on delete cascade,
  primary key (class_group_id, staff_id)
) $strict;
create index class_group_staff_person on class_group_staff (staff_id, class_group_id);

-- A private address at which other programs read a calendar: of a person, or of a class for a person. The token
-- itself is never stored, only its SHA-256.
create table calendar_feed (
  id $id,
  staff_id integer not null references staff (id) on delete cascade,
  class_id integer references class (id) on delete cascade, -- null: the person's own calendar
  token_hash text not null unique,
  created_at $time not null,
  used_at $time,
  revoked_at $time
) $strict;
create index calendar_feed_staff on calendar_feed (staff_id, class_id);
create index calendar_feed_class on calendar_feed (class_id);
`;

/** What tells this school's records from another's where both meet: in a calendar program, on a live server. */
export const calendarLive = {
  sqlite: `${tables}
insert into setting (name, value) values ('installation', lower(hex(randomblob(12))));
`,
  postgres: `${tables}
insert into setting (name, value) values ('installation', left(replace(gen_random_uuid()::text, '-', ''), 24));
`,
};

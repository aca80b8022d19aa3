/** What was marked together when a roll was called, and how each record stood before and after: for taking it back. */
export const rollCalls = `
create table roll_call (
  id $id,
  staff_id integer not null references staff (id),
  class_id integer not null references class (id) on delete cascade,
  period_id integer references period (id) on delete cascade, -- of a course, or:
  session_id integer references class_session (id) on delete cascade, -- a scheduled lesson
  at $time not null,
  undone_at $time
) $strict;
create index roll_call_staff on roll_call (staff_id, at);

create table roll_call_mark (
  roll_call_id integer not null references roll_call (id) on delete cascade,
  record_id integer not null, -- of attendance, or of session_student
  before text not null,
  after text not null,
  primary key (roll_call_id, record_id)
) $strict;
`;

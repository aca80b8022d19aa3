/** Which students of a class are in which of its groups, and why a lesson was cancelled. */
export const classAdministration = `
-- A student of a class is in one group of a course at most.
create table class_group_student (
  class_student_id integer not null references class_student (id) on delete cascade,
  course_id integer not null references course (id) on delete cascade,
  class_group_id integer not null references class_group (id) on delete cascade,
  primary key (class_student_id, course_id)
) $strict;
create index class_group_student_group on class_group_student (class_group_id);

alter table class_session add column cancel_reason text not null default '';
`;

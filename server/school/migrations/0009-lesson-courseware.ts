/** Courseware of scheduled lessons. */
export const lessonCourseware = `
-- What is attached keeps its own name, type and file: the library may change afterwards.
create table lesson_ware (
  id $id,
  session_id integer not null references class_session (id),
  file_id integer not null references ware_file (id),
  courseware_id integer references courseware (id) on delete set null, -- where it stands in the library
  ware_name text not null,
  ware_type integer not null check (ware_type in (1, 2, 3)),
  is_sync integer not null check (is_sync in (1, 2)), -- 1 also added to the library
  added_by integer not null references staff (id),
  created_at $time not null,
  unique (session_id, courseware_id)
) $strict;
create index lesson_ware_file on lesson_ware (file_id);
create index lesson_ware_courseware on lesson_ware (courseware_id);
`;

/** State-school classes: the large classes that they belong to, their courseware, and whether their circle is shown. */
export const classes = `
-- 2 hides the circle of the class.
alter table class add column group_hidden integer not null default 1 check (group_hidden in (1, 2));

-- Classes of one large class share their schedule picture.
create table large_class (
  id $id,
  school_id integer not null references school (id),
  name text not null
) $strict;
create index class_large on class (large_class_id) where large_class_id is not null;

-- Counted on every page of the class list.
create index class_student_present on class_student (class_id) where left_at is null;

-- What a class has keeps its own name, type and file: the library may change afterwards.
create table class_ware (
  id $id,
  class_id integer not null references class (id) on delete cascade,
  file_id integer not null references ware_file (id),
  courseware_id integer references courseware (id) on delete set null, -- where it was chosen from
  classify_id integer references ware_classify (id),
  ware_name text not null,
  ware_desc text not null default '',
  ware_type integer not null check (ware_type in (1, 2, 3)),
  added_by integer not null references staff (id),
  created_at $time not null,
  updated_at $time not null,
  unique (class_id, courseware_id)
) $strict;
create index class_ware_file on class_ware (file_id);
create index class_ware_courseware on class_ware (courseware_id);
`;

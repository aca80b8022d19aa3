/** Courseware: the files, the library, its categories. */
export const courseware = `
create table ware_classify (
  id $id,
  name text not null,
  sort integer not null default 0
) $strict;

-- An uploaded file. One that nothing refers to is removed a day after it came.
create table ware_file (
  id $id,
  storage_key text not null,
  -- 0: the bytes came by another call and may stand in texts too, so they stay when this row goes.
  is_exclusive integer not null default 1 check (is_exclusive in (0, 1)),
  name text not null,
  extension text not null,
  size integer not null, -- bytes
  uploaded_by integer references staff (id), -- null: the school itself
  uploaded_at $time not null
) $strict;
create index ware_file_age on ware_file (uploaded_at);

-- The library. Without an owner it is the school's, and all its staff see it.
create table courseware (
  id $id,
  school_id integer not null references school (id),
  owner_id integer references staff (id),
  file_id integer not null references ware_file (id),
  classify_id integer references ware_classify (id),
  ware_name text not null,
  ware_desc text not null default '',
  ware_type integer not null check (ware_type in (1, 2, 3)), -- 1 ordinary, 2 animated, 3 audio or video
  created_at $time not null,
  updated_at $time not null
) $strict;
create index courseware_owner on courseware (owner_id, id);
create index courseware_school on courseware (school_id, id);
create index courseware_file on courseware (file_id);
`;

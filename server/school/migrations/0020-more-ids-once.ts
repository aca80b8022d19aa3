/**
 * As 0019, for the rest of what can be deleted and stands in addresses: questions, the library and its files, what was
 * collected, and drafts. A table is put aside, made anew and filled again. What refers to it refers to nothing
 * meanwhile, which is looked at when all is done; what would be deleted or forgotten along with it is put aside, too.
 */
export const moreIdsOnce = {
  postgres: '',
  sqlite: `
pragma defer_foreign_keys = on;

create table question_collect_aside as select * from question_collect;
drop table question_collect;
create table question_aside as select * from question;
drop table question;
create table question (
  id integer primary key autoincrement,
  owner_id integer not null references staff (id),
  is_public integer not null default 0 check (is_public in (0, 1)),
  parent_id integer references question (id) on delete cascade,
  sort integer not null default 0,
  ques_type integer not null check (ques_type between 1 and 7),
  ques_stem text not null,
  stem_text text not null,
  ques_option text not null default '[]', -- JSON: [{id, content, is_right: 1 right, 2 wrong}]
  right_answer text not null default '',
  ques_analysis text not null default '',
  facility_value integer not null default 3 check (facility_value between 1 and 5),
  remark text not null default '',
  created_at integer not null,
  updated_at integer not null,
  point_id integer references knowledge_point (id)
) strict;
insert into question (id, owner_id, is_public, parent_id, sort, ques_type, ques_stem, stem_text, ques_option, right_answer, ques_analysis, facility_value, remark, created_at, updated_at, point_id)
  select id, owner_id, is_public, parent_id, sort, ques_type, ques_stem, stem_text, ques_option, right_answer, ques_analysis, facility_value, remark, created_at, updated_at, point_id from question_aside;
drop table question_aside;
create index question_owner on question (owner_id, updated_at);
create index question_public on question (is_public, updated_at);
create index question_parent on question (parent_id, sort);
create index question_point on question (point_id, is_public);
create table question_collect (
  id integer primary key autoincrement,
  staff_id integer not null references staff (id) on delete cascade,
  question_id integer not null references question (id) on delete cascade,
  created_at integer not null,
  unique (staff_id, question_id)
) strict;
insert into question_collect (id, staff_id, question_id, created_at)
  select id, staff_id, question_id, created_at from question_collect_aside;
drop table question_collect_aside;
create index question_collect_question on question_collect (question_id);

create table ware_file_aside as select * from ware_file;
drop table ware_file;
create table ware_file (
  id integer primary key autoincrement,
  storage_key text not null,
  -- 0: the bytes came by another call and may stand in texts too, so they stay when this row goes.
  is_exclusive integer not null default 1 check (is_exclusive in (0, 1)),
  name text not null,
  extension text not null,
  size integer not null, -- bytes
  uploaded_by integer references staff (id), -- null: the school itself
  uploaded_at integer not null
) strict;
insert into ware_file (id, storage_key, is_exclusive, name, extension, size, uploaded_by, uploaded_at)
  select id, storage_key, is_exclusive, name, extension, size, uploaded_by, uploaded_at from ware_file_aside;
drop table ware_file_aside;
create index ware_file_age on ware_file (uploaded_at);

create table class_ware_aside as select id, courseware_id from class_ware where courseware_id is not null;
create table lesson_ware_aside as select id, courseware_id from lesson_ware where courseware_id is not null;
create table courseware_aside as select * from courseware;
drop table courseware;
create table courseware (
  id integer primary key autoincrement,
  school_id integer not null references school (id),
  owner_id integer references staff (id),
  file_id integer not null references ware_file (id),
  classify_id integer references ware_classify (id),
  ware_name text not null,
  ware_desc text not null default '',
  ware_type integer not null check (ware_type in (1, 2, 3)), -- 1 ordinary, 2 animated, 3 audio or video
  created_at integer not null,
  updated_at integer not null
) strict;
insert into courseware (id, school_id, owner_id, file_id, classify_id, ware_name, ware_desc, ware_type, created_at, updated_at)
  select id, school_id, owner_id, file_id, classify_id, ware_name, ware_desc, ware_type, created_at, updated_at from courseware_aside;
drop table courseware_aside;
create index courseware_owner on courseware (owner_id, id);
create index courseware_school on courseware (school_id, id);
create index courseware_file on courseware (file_id);
update class_ware set courseware_id = aside.courseware_id from class_ware_aside as aside where aside.id = class_ware.id;
drop table class_ware_aside;
update lesson_ware set courseware_id = aside.courseware_id from lesson_ware_aside as aside where aside.id = lesson_ware.id;
drop table lesson_ware_aside;

create table community_collect_aside as select * from community_collect;
drop table community_collect;
create table community_collect (
  id integer primary key autoincrement,
  post_id integer not null references community_post (id) on delete cascade,
  staff_id integer not null references staff (id) on delete cascade,
  created_at integer not null,
  unique (staff_id, post_id)
) strict;
insert into community_collect (id, post_id, staff_id, created_at)
  select id, post_id, staff_id, created_at from community_collect_aside;
drop table community_collect_aside;
create index community_collect_post on community_collect (post_id);

create table homework_draft_aside as select * from homework_draft;
drop table homework_draft;
create table homework_draft (
  id integer primary key autoincrement,
  owner_id integer not null references staff (id) on delete cascade,
  form text not null,
  saved_at integer not null
) strict;
insert into homework_draft (id, owner_id, form, saved_at) select id, owner_id, form, saved_at from homework_draft_aside;
drop table homework_draft_aside;
create index homework_draft_owner on homework_draft (owner_id, saved_at);
`,
};

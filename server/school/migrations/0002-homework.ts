/**
 * Homework: the bank, what was published to whom, and what came back. Scores are whole tenths of a point, hundredths
 * where rated.
 */
export const homework = `
-- The question bank. ques_type is the canonical code; a part of a material question
-- names it as its parent. stem_text is the stem without markup: what is searched and listed.
create table question (
  id $id,
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
  created_at $time not null,
  updated_at $time not null
) $strict;
create index question_owner on question (owner_id, updated_at);
create index question_public on question (is_public, updated_at);
create index question_parent on question (parent_id, sort);

-- The counters are kept in the transaction that changes what they count; over recalled homework they stand still.
create table homework (
  id $id,
  name text not null,
  type integer not null check (type in (1, 2)), -- 1 course, 2 period
  status integer not null default 1 check (status in (1, 2)), -- 2 recalled
  course_id integer not null references course (id),
  period_id integer references period (id),
  creator_id integer not null references staff (id),
  remark text not null default '',
  publish_time $time not null,
  ending_time $time not null,
  is_set_score integer not null check (is_set_score in (1, 2)), -- 1 rates: every question is worth 1 point, stored as 100; 2 scores, in tenths
  publish_scope integer not null check (publish_scope in (1, 2, 3)),
  publish_type integer not null check (publish_type in (1, 2)), -- 2 to some of its classes
  source integer not null default 1, -- 2 published from a class
  arrange_id integer,
  arrange_type integer,
  total_score integer not null,
  class_count integer not null default 0,
  published_class_count integer not null default 0,
  homework_count integer not null default 0,
  submitted_homework_count integer not null default 0,
  not_revised_homework_count integer not null default 0
) $strict;
create index homework_creator on homework (creator_id, publish_time);
create index homework_period on homework (period_id);
create index homework_course on homework (course_id);

-- Every class of the homework's scope; published_at is null until it is published there.
create table homework_class (
  homework_id integer not null references homework (id),
  class_id integer not null references class (id),
  published_at $time,
  homework_count integer not null default 0,
  submitted_homework_count integer not null default 0,
  not_revised_homework_count integer not null default 0,
  primary key (homework_id, class_id)
) $strict;
create index homework_class_class on homework_class (class_id, homework_id);

-- The homework's own version of each question: later edits of the bank never change what was published.
create table homework_question (
  id $id,
  homework_id integer not null references homework (id),
  source_id integer,
  parent_id integer references homework_question (id),
  sort integer not null,
  ques_type integer not null check (ques_type between 1 and 7),
  ques_stem text not null,
  ques_option text not null default '[]',
  right_answer text not null default '',
  ques_analysis text not null default '',
  facility_value integer not null default 3,
  score integer not null -- of a material question the sum of its parts
) $strict;
create index homework_question_homework on homework_question (homework_id, sort);

-- One row for each student who is expected to hand in, from the moment of publication.
-- status: 1 not submitted, 2 waiting for review, 3 graded.
create table report (
  id $id,
  homework_id integer not null references homework (id),
  class_id integer not null references class (id),
  student_id integer not null references student (id),
  status integer not null default 1 check (status in (1, 2, 3)),
  submit_time $time,
  answer_time integer not null default 0, -- seconds
  user_score integer not null default 0,
  objective_score integer not null default 0,
  subjective_score integer not null default 0,
  graded_at $time,
  graded_by integer references staff (id),
  comment text not null default '',
  unique (homework_id, student_id)
) $strict;
create index report_class on report (homework_id, class_id, status);
create index report_waiting on report (homework_id, submit_time) where status = 2;
create index report_student on report (student_id);

-- status: 1 right, 2 wrong, 3 unanswered, 4 waiting for review, 5 reviewed.
create table answer (
  id $id,
  report_id integer not null references report (id),
  question_id integer not null references homework_question (id),
  status integer not null check (status between 1 and 5),
  user_answer text not null default '',
  score integer,
  review_comment text not null default '',
  review_attachments text not null default '[]',
  reviewed_by integer references staff (id),
  reviewed_at $time,
  version integer not null default 0,
  unique (report_id, question_id)
) $strict;
create index answer_question on answer (question_id, status);
`;

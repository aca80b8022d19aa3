/**
 * Exams: the tree of categories, papers, what came back, and the sums that their statistics read. Scores are tenths of
 * a point.
 */
export const exams = `
-- The exam classification.
create table exam_category (
  id $id,
  parent_id integer references exam_category (id),
  name text not null,
  sort integer not null default 0
) $strict;

create table exam (
  id $id,
  name text not null,
  introduce text not null default '',
  type integer not null default 1 check (type in (1, 2)), -- 1 a test, 2 a mock exam
  category_id integer references exam_category (id),
  limit_time integer not null default 0, -- seconds, 0 without limit
  score integer not null,
  pass_score integer not null,
  ques_num integer not null default 0, -- questions that carry an answer: of a material question its parts
  status integer not null default 2 check (status in (1, 2)), -- 1 published, 2 not published
  creator_id integer not null references staff (id),
  school_id integer not null references school (id),
  created_at $time not null
) $strict;
create index exam_creator on exam (creator_id);
create index exam_of_school on exam (school_id, status);

-- Further schools that an exam is shared with.
create table exam_school (
  exam_id integer not null references exam (id),
  school_id integer not null references school (id),
  primary key (exam_id, school_id)
) $strict;
create index exam_school_school on exam_school (school_id, exam_id);

create table exam_section (
  id $id,
  exam_id integer not null references exam (id),
  name text not null,
  introduce text not null default '',
  sort integer not null
) $strict;
create index exam_section_exam on exam_section (exam_id, sort);

-- The exam's own version of each question: what happens to the bank afterwards does not reach it. ques_type is the
-- canonical code. In a matching question (type 4) each option has a side, and right_answer pairs them: 1-4,2-6,3-5.
create table exam_question (
  id $id,
  exam_id integer not null references exam (id),
  section_id integer not null references exam_section (id),
  source_id integer, -- where it stood in the bank
  parent_id integer references exam_question (id),
  sort integer not null, -- within its section, or within its material question
  ques_type integer not null check (ques_type between 1 and 7),
  ques_stem text not null,
  ques_option text not null default '[]', -- JSON: [{id, content, is_right: 1 right, 2 wrong, side?: left or right}]
  right_answer text not null default '',
  ques_analysis text not null default '',
  facility_value integer not null default 3,
  score integer not null, -- of a material question the sum of its parts
  answer_score text not null default '', -- of a fill-in question the tenths of each blank, joined by @@
  points text not null default '[]', -- JSON: names of its knowledge points
  attachments text not null default '[]' -- JSON: [{url, name, ext}]
) $strict;
create index exam_question_exam on exam_question (exam_id, section_id, sort);

-- One submission; a student may have several of one exam. test_status: 2 waiting for review, 3 reviewed.
create table exam_report (
  id $id,
  exam_id integer not null references exam (id),
  student_id integer not null references student (id),
  school_id integer not null references school (id), -- the student's, when it was handed in
  test_status integer not null check (test_status in (2, 3)),
  submit_time $time not null,
  answer_time integer not null, -- seconds
  user_score integer not null,
  objective_score integer not null,
  subjective_score integer not null,
  is_effective integer not null default 1 check (is_effective in (0, 1)), -- the one that counts among the student's
  is_finish_conditions integer not null default 0 check (is_finish_conditions in (0, 1)),
  graded_at $time,
  graded_by integer references staff (id),
  comment text not null default ''
) $strict;
create index exam_report_student on exam_report (exam_id, student_id, submit_time);
create index exam_report_submitted on exam_report (exam_id, submit_time);
create index exam_report_score on exam_report (exam_id, test_status, user_score);
create index exam_report_waiting on exam_report (exam_id, submit_time) where test_status = 2;

-- As the answers of homework: 1 right, 2 wrong, 3 unanswered, 4 waiting for review, 5 reviewed.
create table exam_answer (
  id $id,
  report_id integer not null references exam_report (id),
  question_id integer not null references exam_question (id),
  status integer not null check (status between 1 and 5),
  user_answer text not null default '',
  score integer, -- null while it waits
  is_sign integer not null default 0 check (is_sign in (0, 1)), -- marked by the student while answering
  review_comment text not null default '',
  review_attachments text not null default '[]',
  review_images text not null default '[]', -- JSON: [{draw, path}] by the place of the image in the answer
  reviewed_by integer references staff (id),
  reviewed_at $time,
  version integer not null default 0,
  unique (report_id, question_id)
) $strict;
create index exam_answer_question on exam_answer (question_id, status);

-- What the statistics read, kept in the transaction that changes it, by the students' school: an exam of fifty
-- thousand reports costs as much as one of five hundred. Everybody sees the sums of the schools whose reports they see.
create table exam_figures (
  exam_id integer not null references exam (id),
  school_id integer not null references school (id),
  student_count integer not null default 0,
  submitted_count integer not null default 0,
  graded_count integer not null default 0,
  passed_count integer not null default 0,
  score_sum $sum not null default 0, -- of graded reports
  answer_time_sum $sum not null default 0, -- of all reports, seconds
  primary key (exam_id, school_id)
) $strict;

-- How many graded reports earned which score: ranks, extremes and the distribution.
create table exam_score (
  exam_id integer not null references exam (id),
  school_id integer not null references school (id),
  user_score integer not null,
  report_count integer not null,
  primary key (exam_id, school_id, user_score)
) $strict;

-- Of one question over all reports; a waiting answer has not scored yet.
create table exam_question_figures (
  question_id integer not null references exam_question (id),
  school_id integer not null references school (id),
  answered_count integer not null default 0,
  unanswered_count integer not null default 0,
  right_count integer not null default 0,
  wrong_count integer not null default 0,
  score_sum $sum not null default 0,
  primary key (question_id, school_id)
) $strict;

-- Wrong options (of a matching question: wrong pairs) and how often each was chosen.
create table exam_wrong_option (
  question_id integer not null references exam_question (id),
  school_id integer not null references school (id),
  option_id text not null,
  chosen_count integer not null,
  primary key (question_id, school_id, option_id)
) $strict;
`;

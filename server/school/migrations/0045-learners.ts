/** What learners do themselves: their tokens, what they have not handed in yet, what they have read; and since when records stand as they do. */
const both = (id: string) => `
-- A learner signed in at the school's application: ends with its token, after twelve hours without use, or when they say so.
create table learner_session (
  id ${id},
  token_hash text not null unique,
  token_id integer not null references service_token (id),
  student_id integer not null references student (id),
  created_at $time not null,
  used_at $time not null,
  ended_at $time
) $strict;
create index learner_session_student on learner_session (student_id);
create index learner_session_used on learner_session (used_at);

-- Unix seconds, raised by one at least with each change that a learner is told of; 0: before such changes were noted.
alter table homework add column changed_at $time not null default 0;
alter table report add column changed_at $time not null default 0;
alter table exam add column changed_at $time not null default 0;
alter table exam_report add column changed_at $time not null default 0;

-- What a student has written of a homework and not handed in.
create table answer_draft (
  report_id integer primary key references report (id),
  version integer not null,
  answers text not null, -- JSON [{ques_id, user_answer}]
  answer_time integer not null,
  saved_at $time not null
) $strict;

-- An exam that a student is taking or has taken. limit_at: when their own time is over, null where it has no limit.
create table exam_attempt (
  id ${id},
  exam_id integer not null references exam (id),
  student_id integer not null references student (id),
  started_at $time not null,
  limit_at $time,
  handed_in_at $time, -- null: they are taking it
  by_server integer not null default 0 check (by_server in (0, 1)),
  saves integer not null default 0, -- how often answers of it were saved
  report_id integer references exam_report (id)
) $strict;
create unique index exam_attempt_open on exam_attempt (exam_id, student_id) where handed_in_at is null;
create index exam_attempt_due on exam_attempt (limit_at) where handed_in_at is null;
create index exam_attempt_student on exam_attempt (student_id, exam_id, id);
create index exam_attempt_report on exam_attempt (report_id);

-- Saved as they come; taken away when they are handed in.
create table exam_attempt_answer (
  attempt_id integer not null references exam_attempt (id),
  question_id integer not null references exam_question (id),
  user_answer text not null,
  is_sign integer not null check (is_sign in (0, 1)),
  serial $time not null, -- of the learner's application: what was written before comes too late
  saved_at $time not null,
  primary key (attempt_id, question_id)
) $strict;
create index exam_attempt_answer_question on exam_attempt_answer (question_id);

create table notice_read (
  notice_id integer not null references class_notice (id) on delete cascade,
  student_id integer not null references student (id),
  read_at $time not null,
  primary key (notice_id, student_id)
) $strict;
create index notice_read_student on notice_read (student_id);
`;

export const learners = {
  sqlite: both('integer primary key autoincrement'),
  postgres: both('$id'),
};

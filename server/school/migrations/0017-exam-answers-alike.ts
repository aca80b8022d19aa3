/** Equal answers of exams can be graded together, too: their key, and batches that know both kinds of answers. */
export const examAnswersAlike = `
alter table exam_answer add column answer_key text; -- of a waiting answer that is text alone
create index exam_answer_same on exam_answer (question_id, answer_key) where status = 4 and answer_key is not null;

-- Equal answers graded in one go, so that it can be taken back. What was graded together before stays as it is.
drop table grading_batch_answer;
drop table grading_batch;
create table grading_batch (
  id $id,
  staff_id integer not null references staff (id),
  record text not null check (record in ('answer', 'exam_answer')),
  at $time not null,
  undone_at $time
) $strict;
create table grading_batch_answer (
  batch_id integer not null references grading_batch (id) on delete cascade,
  answer_id integer not null, -- of the batch's record
  report_id integer not null,
  version integer not null,
  before text not null,
  primary key (batch_id, answer_id)
) $strict;
`;

/**
 * The figures of an exam's questions are over graded papers, as all others of an exam; beside them stands how many
 * answers wait for a mark.
 */
export const gradedPapers = `
alter table exam_question_figures add column waiting_count integer not null default 0;
delete from exam_question_figures;
insert into exam_question_figures (question_id, school_id, answered_count, unanswered_count, right_count, wrong_count,
    waiting_count, score_sum)
  select exam_answer.question_id, exam_report.school_id,
    sum(case when test_status = 3 and status <> 3 then 1 else 0 end),
    sum(case when test_status = 3 and status = 3 then 1 else 0 end),
    sum(case when test_status = 3 and status = 1 then 1 else 0 end),
    sum(case when test_status = 3 and status = 2 then 1 else 0 end),
    sum(case when status = 4 then 1 else 0 end),
    sum(case when test_status = 3 then coalesce(exam_answer.score, 0) else 0 end)
  from exam_report join exam_answer on exam_answer.report_id = exam_report.id
  group by exam_answer.question_id, exam_report.school_id;
`;

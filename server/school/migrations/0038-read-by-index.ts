/**
 * What is counted of a student's attendance, study and homework is read from an index alone: the index was there, but
 * each of its rows had to be looked up in the table, which was more than half of the time. None is led by the class of
 * attendance: without statistics SQLite would take it for whatever is asked of a class. So it did with another index for
 * what waits, whose own is led by what says that it waits.
 */
export const readByIndex = `
create index attendance_student on attendance (student_id, class_id, period_id, op_status);
drop index attendance_period;
create index attendance_period on attendance (period_id, class_id, student_id, op_status);
drop index attendance_pending;
create index attendance_pending on attendance (op_status, class_id) where op_status = 1;
create index study_record_watched on study_record (student_id, period_id, live_seconds, replay_seconds);
create index report_student_class on report (student_id, class_id, homework_id, status);
drop index report_student;
`;

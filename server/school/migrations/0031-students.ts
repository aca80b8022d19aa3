/**
 * What the school's administrators write of students, and why somebody left a class. A student who is disabled or deleted
 * keeps the row: ids stand in addresses, and none is given twice.
 */
export const students = `
alter table student add column number text not null default '';
alter table student add column guardian_mobile text not null default '';
alter table student add column disabled_at $time; -- null: not disabled
alter table student add column deleted_at $time; -- null: not deleted; of a deleted one nothing is left but the id
create unique index student_number on student (school_id, number) where number <> '';
create index student_mobile on student (mobile) where mobile <> '';
create index student_guardian_mobile on student (guardian_mobile) where guardian_mobile <> '';
create index student_school on student (school_id, id);
create index exam_report_of_student on exam_report (student_id, submit_time);
create index communication_record_student on communication_record (student_id, created_at);

alter table class_student add column left_reason text not null default '';
alter table class_earlier_stay add column left_reason text not null default '';
`;

/**
 * Courses that are put away, and what a look at their records goes by: what there is of a period before it is deleted,
 * and what takes place in a room.
 */
export const courses = `
alter table course add column put_away_at $time; -- null: in use
create index course_school on course (school_id, id);
create index period_chapter on period (chapter_id) where chapter_id is not null;
create index attendance_period on attendance (period_id);
create index study_record_period on study_record (period_id);
create index roll_call_period on roll_call (period_id) where period_id is not null;
create index class_session_period on class_session (period_id) where period_id is not null;
create index class_session_course on class_session (course_id);
create index class_session_room on class_session (room_id, start_time) where room_id is not null;
create index homework_scope_course on homework_scope (course_id);
`;

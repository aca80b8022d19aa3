/** The leave requests of a class in the order of their list, and the meetings that somebody holds. */
export const leaveAndMeetings = `
drop index attendance_leave;
create index attendance_leave on attendance
  (class_id, (case when op_status = 1 then 0 else 1 end), requested_at desc, id desc)
  where requested_at is not null;
create index class_meeting_staff on class_meeting (staff_id, start_time);
`;

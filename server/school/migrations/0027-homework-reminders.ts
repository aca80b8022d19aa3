/** Who was reminded by a text message to hand in which homework, when and by whom. */
export const homeworkReminders = `
create table homework_reminder (
  id $id,
  homework_id integer not null references homework (id),
  student_id integer not null references student (id),
  staff_id integer not null references staff (id),
  sent_at $time not null
) $strict;
create index homework_reminder_student on homework_reminder (homework_id, student_id, sent_at);
`;

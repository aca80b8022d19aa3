/** When learners see what is right: 1 after the deadline, 2 as soon as their report is graded. Always once it is graded. */
const column =
  'alter table homework add column right_answers integer not null default 1 check (right_answers in (1, 2));';

export const rightAnswersOfHomework = { sqlite: column, postgres: column };

/** When learners see right answers: 1 after the deadline, 2 as soon as their report is graded. Both need a graded report. */
const column =
  'alter table homework add column right_answers integer not null default 1 check (right_answers in (1, 2));';

export const rightAnswersOfHomework = { sqlite: column, postgres: column };

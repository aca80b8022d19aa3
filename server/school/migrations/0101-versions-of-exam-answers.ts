/**
 * Each saved answer of an exam has a version, so that a device that has not read the latest one overwrites nothing. `device`:
 * the learner's sign-in that wrote it, empty where an application's own token did. `aside`: answers that were saved and do
 * not stand, JSON [{user_answer, is_sign, saved_at}].
 */
const columns = `
alter table exam_attempt_answer add column version integer not null default 1;
alter table exam_attempt_answer add column device text not null default '';
alter table exam_attempt_answer add column aside text not null default '[]';
`;

export const versionsOfExamAnswers = { sqlite: columns, postgres: columns };

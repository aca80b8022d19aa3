/** A fill-in question may say that upper and lower case are the same. */
const column = 'ignore_case integer not null default 0 check (ignore_case in (0, 1))';
export const caseOfBlanks = `
alter table question add column ${column};
alter table homework_question add column ${column};
alter table exam_question add column ${column};
`;

/** On which day somebody will leave a class, as their source says it: they leave by themselves when it has come. */
export const leaving = `
alter table class_student add column leaving_at $time; -- null: no day is known; it stays when they have left
alter table class_student add column leaving_reason text not null default '';
`;
